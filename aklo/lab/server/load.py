"""How fast this machine is, learnt from the work that it does, and how many share it: what a page says of the time that
work takes, and how much of it nobody needs to be asked for.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import local

from streamlit.runtime.scriptrunner import get_script_run_ctx

from aklo.lab.server.turns import Turns

HERE = 5.0  # seconds for which a visitor who has moved something counts as here
CROWD = 8  # visitors beyond whom nobody is made to wait for the sake of order
TURN = 0.1  # seconds of drawing that others wait for, where it takes so long
SMOOTH = 0.5  # the weight of the newest measurement
ENOUGH = 0.002  # seconds; anything shorter says more about the clock than about the work


_turns = Turns(1, TURN)
_mine = local()  # rested: seconds that this thread has rested
_measured: dict[str, float] = {}
_seen: dict[str, float] = {}
_moves = 0  # by all visitors, since the server's start


def rate(kind: str, guess: float) -> float:
    """Seconds for a unit of some kind of work: as last measured, or a guess before the first time."""
    return _rates().get(kind, guess)


@contextmanager
def measured(kind: str, units: float) -> Iterator[None]:
    """Measure the work within, which is of so many units; rests are not work. What is cut short is not counted."""
    start, before = time.perf_counter(), getattr(_mine, "rested", 0.0)
    yield
    seconds = time.perf_counter() - start - (getattr(_mine, "rested", 0.0) - before)
    if units > 0 and seconds > ENOUGH:
        rates = _rates()
        rates[kind] = SMOOTH * seconds / units + (1 - SMOOTH) * rates.get(kind, seconds / units)


def rested(seconds: float) -> None:
    """This thread has rested, for the sake of others."""
    _mine.rested = getattr(_mine, "rested", 0.0) + seconds


def came() -> None:
    """This visitor has opened a page, or moved something."""
    global _moves
    _moves += 1
    context = get_script_run_ctx()
    if context is not None:
        _visitors()[context.session_id] = time.monotonic()


def moves() -> int:
    """A number that is another one as soon as anybody has moved anything."""
    return _moves


def here() -> int:
    """How many visitors have moved something lately."""
    since, seen = time.monotonic() - HERE, _visitors()
    for visitor, moved in list(seen.items()):
        if moved < since:
            seen.pop(visitor, None)
    return len(seen)


@contextmanager
def turn(urgent: bool = True) -> Iterator[None]:
    """Draw when it is one's turn, what is urgent first. Python runs one thread at a time: thirty that draw at once
    would mostly hand the interpreter to each other, and take longer, all of them. Two at once took a fifth more of the
    processor than one, and half as long again for the slowest twentieth."""
    number = _turns.take(rank=0 if urgent else 1)
    try:
        yield
    finally:
        _turns.give_back(number)


def crowded() -> bool:
    """Whether so many are here that the machine has no time to lose."""
    return here() > CROWD


def fair(seconds: float) -> float:
    """Seconds that a page may spend unasked: those of a lone visitor, divided by all who are here."""
    return seconds / max(1, here())


def clear() -> None:
    """Forget what was measured."""
    _rates().clear()


def _rates() -> dict[str, float]:
    """Kind of work -> seconds for a unit."""
    return _measured


def _visitors() -> dict[str, float]:
    """Session -> when it last moved something."""
    return _seen
