"""What the server process does once, so that thirty visitors find it quick and its memory stays flat."""

from __future__ import annotations

import ctypes
import gc
import sys
import time
from functools import cache
from threading import Thread

from streamlit import runtime
from threadpoolctl import threadpool_limits

from aklo.lab.server import holdings, own_rules

COLLECT_EVERY = 20.0  # seconds
CHECK_EVERY = 0.2  # seconds between two checks of how much visitors have sent


@cache
def tune() -> None:
    """Tune the process, when everything is imported, rules of its owner as well.

    Matrix products run on one thread: they are small here, and a second thread would only keep a core from the next
    visitor. A thread that draws a page lets the one that sends messages work every millisecond, not every five, so that
    a picture that is drawn leaves sooner. Later garbage collections skip the libraries' objects, which would otherwise
    take 100 ms each time.
    """
    own_rules.load()
    threadpool_limits(1)
    sys.setswitchinterval(0.001)
    gc.collect()
    gc.freeze()
    if runtime.exists():
        Thread(target=_collect_garbage, name="garbage", daemon=True).start()
        Thread(target=_watch_files, name="files", daemon=True).start()


def _collect_garbage() -> None:
    """Free what closed sessions leave behind: reference cycles, which Python collects rarely by itself."""
    while True:
        time.sleep(COLLECT_EVERY)
        gc.collect()
        _return_memory()


def _return_memory() -> None:
    """Hand memory back that is free, but that glibc keeps for later: after large files that is most of it."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # musl has none
        if trim is not None:
            trim(0)


def _watch_files() -> None:
    """Remove files that are too many before a page could refuse them."""
    while True:
        time.sleep(CHECK_EVERY)
        if holdings.drop_excess():
            _return_memory()
