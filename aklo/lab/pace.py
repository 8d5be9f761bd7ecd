"""How fast this machine is, learnt from the work that it does, and how many share it: what a page says of the time that
work takes, and how much of it nobody needs to be asked for.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import local

from streamlit.runtime.scriptrunner import get_script_run_ctx

from aklo.lab.turns import Turns

HERE = 5.0  # seconds for which a visitor who has moved something counts as here
CROWD = 8  # visitors beyond whom nobody is made to wait for the sake of order
AT_ONCE, WAIT = 2, 0.5  # visitors that are drawn for at once, and seconds after which nobody waits for a turn
SMOOTH = 0.5  # the weight of the newest measurement
ENOUGH = 0.002  # seconds; anything shorter says more about the clock than about the work


_turns = Turns(AT_ONCE)
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
    would mostly hand the interpreter to each other, and take twice the processor for it; one after the other, all are
    done sooner."""
    mine = _turns.take(0 if urgent else 1, WAIT)
    try:
        yield
    finally:
        if mine:
            _turns.give_back()


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
