"""How fast this machine works, learned from the work that it does: what a page says a computation will take."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

NEWEST = 0.5  # the weight of the newest measurement
SHORTEST = 0.002  # seconds; a shorter measurement says more about the clock than about the work

_seconds_per_unit: dict[str, float] = {}


def rate(kind: str, guess: float) -> float:
    """Seconds for a unit of some kind of work: as last measured, or a guess before the first time."""
    return _seconds_per_unit.get(kind, guess)


@contextmanager
def measured(kind: str, units: float) -> Iterator[None]:
    """Measure the work within, which is of so many units. Work that is cut short is not counted."""
    start = time.perf_counter()
    yield
    seconds = time.perf_counter() - start
    if units > 0 and seconds > SHORTEST:
        known = _seconds_per_unit.get(kind, seconds / units)
        _seconds_per_unit[kind] = NEWEST * seconds / units + (1 - NEWEST) * known


def clear() -> None:
    """Forget what was measured."""
    _seconds_per_unit.clear()
