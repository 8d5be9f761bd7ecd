"""How the tests are shared out."""

from __future__ import annotations

import os


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: a worker often waits for its browser."""
    return len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)) + 1
