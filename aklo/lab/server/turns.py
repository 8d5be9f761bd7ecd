"""Turns: so many at once, and of those who wait the most urgent first."""

from __future__ import annotations

import heapq
import time
from itertools import count
from threading import Event, Lock


class Turns:
    """most: at once; seconds: after which a turn no longer keeps anybody waiting, though its work goes on.

    >>> turns = Turns(1, seconds=0.01)
    >>> first, second = turns.take(), turns.take()  # the second waits until the first has had its time
    >>> turns.give_back(first), turns.give_back(second), turns.taken
    (None, None, 0)
    """

    def __init__(self, most: int, seconds: float) -> None:
        self._most, self._seconds = most, seconds
        self._ends: dict[int, float] = {}  # of the turns that are taken, the oldest first
        self._waiting: list[tuple[int, int, Event]] = []
        self._numbers, self._lock = count(), Lock()

    @property
    def taken(self) -> int:
        """How many turns keep others waiting."""
        return len(self._ends)

    def take(self, rank: int = 0) -> int:
        """Wait for a turn, and give its number. The lowest rank goes first, and in it who came first."""
        with self._lock:
            number = next(self._numbers)
            if self.taken < self._most:
                self._begin(number)
                return number
            me = (rank, number, Event())
            heapq.heappush(self._waiting, me)
        while not me[2].wait(self._seconds / 4):
            self._move_on()
        return number

    def give_back(self, number: int) -> None:
        """The work of a turn is done: whoever is next has it."""
        with self._lock:
            self._ends.pop(number, None)
        self._move_on()

    def _begin(self, number: int) -> None:
        self._ends[number] = time.monotonic() + self._seconds

    def _move_on(self) -> None:
        """Let those begin for whom there is room."""
        with self._lock:
            now = time.monotonic()
            for number in [number for number, end in self._ends.items() if end <= now]:
                del self._ends[number]
            while self._waiting and self.taken < self._most:
                _, number, begins = heapq.heappop(self._waiting)
                self._begin(number)
                begins.set()
