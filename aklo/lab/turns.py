"""Turns: so many at once, and of those who wait the most urgent first."""

from __future__ import annotations

import heapq
from itertools import count
from threading import Event, Lock


class Turns:
    """most: at once.

    >>> turns = Turns(1)
    >>> turns.take(rank=0, patience=0), turns.take(rank=0, patience=0)
    (True, False)
    >>> turns.give_back()
    >>> turns.take(rank=5, patience=0)
    True
    """

    def __init__(self, most: int) -> None:
        self.free = most
        self._waiting: list[tuple[int, int, Event]] = []
        self._came, self._lock = count(), Lock()

    def take(self, rank: int, patience: float) -> bool:
        """Whether one got a turn, within so many seconds. The lowest rank goes first, and in it who came first."""
        with self._lock:
            if self.free:
                self.free -= 1
                return True
            me = (rank, next(self._came), Event())
            heapq.heappush(self._waiting, me)
        if me[2].wait(patience):
            return True
        with self._lock:
            if me[2].is_set():  # at the last moment
                return True
            self._waiting.remove(me)
            heapq.heapify(self._waiting)
            return False

    def give_back(self) -> None:
        """Hand one's turn to whoever is next."""
        with self._lock:
            if self._waiting:
                heapq.heappop(self._waiting)[2].set()
            else:
                self.free += 1
