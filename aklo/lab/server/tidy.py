"""When nobody moves anything: let go of what those who were here have left behind. What a session held goes in circles,
which Python breaks rarely by itself."""

from __future__ import annotations

import gc
import time
from threading import Thread

from streamlit import runtime

from aklo.lab.server import load

QUIET = 3.0  # seconds without a move


def begin() -> None:
    """Tidy up from now on, in a server."""
    if runtime.exists():
        Thread(target=_go_on, name="tidy", daemon=True).start()


def _go_on() -> None:
    tidied = load.moves()
    while True:
        before = load.moves()
        time.sleep(QUIET)
        if load.moves() == before != tidied:
            gc.collect()
            tidied = before
