"""Pages are drawn one at a time.

Python runs one thread at a time. Thirty pages drawn at once would mostly hand the interpreter to each other: together
they took nearly twice the processor time, and every visitor waited for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, local

_drawing = Lock()
_thread = local()  # holds: whether this thread holds the lock


@contextmanager
def turn() -> Iterator[None]:
    """Wait for one's turn to draw a page, and keep it within."""
    with _drawing:
        _thread.holds = True
        try:
            yield
        finally:
            _thread.holds = False


@contextmanager
def turn_given_up() -> Iterator[None]:
    """Let others draw meanwhile, while long work is waited for; outside of a turn this does nothing."""
    if not getattr(_thread, "holds", False):
        yield
        return
    _thread.holds = False
    _drawing.release()
    try:
        yield
    finally:
        _drawing.acquire()
        _thread.holds = True
