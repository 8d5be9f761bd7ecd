"""A cache for all visitors that is bounded in bytes: large streams take the room of many small ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Shelf(Generic[T]):
    """The results that were asked for last, as many as fit; the very last one always stays.

    most: bytes; size: of a result; let_go: told of a result that had to make room. What several visitors ask for at
    once is made once.

    >>> shelf = Shelf(most=10, size=len)
    >>> [shelf.ask(key, lambda: key * 4) for key in "aab"], len(shelf)
    (['aaaa', 'aaaa', 'bbbb'], 2)
    >>> shelf.ask("c", lambda: "cccc"), len(shelf)
    ('cccc', 2)
    """

    def __init__(self, most: int, size: Callable[[T], int], let_go: Callable[[T], None] = lambda result: None) -> None:
        self._most, self._size, self._let_go = most, size, let_go
        self._held: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._bytes = 0  # of all that is held
        self._making: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def ask(self, key: Hashable, make: Callable[[], T]) -> T:
        """The result of this key, made where it is not there."""
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key][0]
            making = self._making.setdefault(key, Lock())
        with making:
            with self._lock:
                if key in self._held:  # another visitor was quicker
                    return self._held[key][0]
            try:
                result = make()
            finally:
                with self._lock:
                    self._making.pop(key, None)
            self._put(key, result)
            return result

    def _put(self, key: Hashable, result: T) -> None:
        gone, size = [], self._size(result)
        with self._lock:
            self._held[key] = (result, size)
            self._bytes += size
            while len(self._held) > 1 and self._bytes > self._most:
                _, (old, size) = self._held.popitem(last=False)
                self._bytes -= size
                gone.append(old)
        for old in gone:
            self._let_go(old)

    def __len__(self) -> int:
        return len(self._held)

    def clear(self) -> None:
        with self._lock:
            self._held.clear()
            self._bytes = 0
