"""How the tests are shared out, and what they need not do again and again."""

from __future__ import annotations

import os
import shutil
import tempfile

from hypothesis import settings

collect_ignore = ["try_plain_streams.py", "try_recipes.py"]  # scripts for a process of their own

# No test is a matter of time: machines are shared.
settings.register_profile("aklo", deadline=None)
settings.load_profile("aklo")


def pytest_configure(config) -> None:
    """Rooms of the tests are stored in a folder of their own, which workers and servers share, not in the user's."""
    if "AKLO_ROOMS" not in os.environ:
        config.rooms_folder = tempfile.mkdtemp(prefix="aklo-rooms-")
        os.environ["AKLO_ROOMS"] = f"sqlite:///{config.rooms_folder}/rooms.sqlite"


def pytest_unconfigure(config) -> None:
    if folder := getattr(config, "rooms_folder", None):
        del os.environ["AKLO_ROOMS"]
        shutil.rmtree(folder)


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: a worker often waits for its browser."""
    return len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)) + 1
