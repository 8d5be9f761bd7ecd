"""What tests need beside Python packages: a browser, a proxy, a database, a kernel that permits namespaces."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def end_without(reason: str) -> NoReturn:
    """End a test for want of something: it fails on the build machine, which installs it, and skips elsewhere."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
