"""What the server process does once, so that thirty visitors find it quick and its memory stays flat."""

from __future__ import annotations

import gc
import time
from functools import cache
from threading import Thread

from streamlit import runtime
from threadpoolctl import threadpool_limits

COLLECT_EVERY = 20.0  # seconds


@cache
def tune() -> None:
    """Tune the process, when everything is imported.

    Matrix products run on one thread: they are small here, and a second thread would only keep a core from the next
    visitor. Later garbage collections skip the libraries' objects, which would otherwise take 100 ms each time.
    """
    threadpool_limits(1)
    gc.collect()
    gc.freeze()
    if runtime.exists():
        Thread(target=_collect_garbage, name="garbage", daemon=True).start()


def _collect_garbage() -> None:
    """Free what closed sessions leave behind: reference cycles, which Python collects rarely by itself."""
    while True:
        time.sleep(COLLECT_EVERY)
        gc.collect()
