"""Pages are drawn one at a time, and pictures first.

Python runs one thread at a time. Thirty pages drawn at once would mostly hand the interpreter to each other: together
they took nearly twice the processor time, and every visitor waited for all of them. What people wait for is the
picture. So a page draws its picture, then lets visitors who still wait have theirs, and then draws the rest.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, local

_lock = Lock()  # held while one of the following is read or changed
_pictures: deque[Event] = deque()  # those who wait with a picture to draw, in the order in which they came
_rests: deque[Event] = deque()  # those who wait with the rest of a page to draw
_taken = False  # whether somebody has the turn

_thread = local()  # holds: whether this thread has the turn; queue: in which one it waits


@contextmanager
def turn() -> Iterator[None]:
    """Wait for one's turn to draw a page, and keep it within."""
    _thread.queue = _pictures
    _take()
    try:
        yield
    finally:
        _hand_over()


@contextmanager
def turn_given_up() -> Iterator[None]:
    """Let others draw meanwhile, while long work is waited for; outside of a turn this does nothing."""
    if not getattr(_thread, "holds", False):
        yield
        return
    _hand_over()
    try:
        yield
    finally:
        _take()


def pictures_first() -> None:
    """Let the pages that wait to draw their picture go first, now that this one has its own; then go on by turns."""
    if not getattr(_thread, "holds", False):
        return
    _thread.queue = _rests
    if _pictures or _rests:
        _hand_over()
        _take()


def _take() -> None:
    global _taken
    with _lock:
        mine = Event() if _taken else None
        if mine is not None:
            _thread.queue.append(mine)
        _taken = True
    if mine is not None:
        mine.wait()
    _thread.holds = True


def _hand_over() -> None:
    """End the turn: it is the next one's who waits, and nobody else can take it in between."""
    global _taken
    _thread.holds = False
    with _lock:
        waiting = _pictures or _rests
        if waiting:
            waiting.popleft().set()
        else:
            _taken = False
