"""A cache for all visitors that is bounded in size: a large result takes the room of many small ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Cache(Generic[T]):
    """The results that were asked for last, as many as fit; the very last one always stays.

    What several visitors ask for at the same time is computed once.

    Parameters
    ----------
    max_size
        The largest sum of the sizes of all results.
    size
        The size of a result, such as its bytes.
    release
        Called with a result that had to make room.

    >>> cache = Cache(max_size=10, size=len)
    >>> [cache.get(key, lambda: key * 4) for key in "aab"], len(cache)
    (['aaaa', 'aaaa', 'bbbb'], 2)
    >>> cache.get("c", lambda: "cccc"), len(cache)
    ('cccc', 2)
    """

    def __init__(self, max_size: int, size: Callable[[T], int], release: Callable[[T], None] | None = None) -> None:
        self._max_size, self._size, self._release = max_size, size, release
        self._results: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._total = 0
        self._computing: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The result for this key, computed by `make` if it is not here."""
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
                return self._results[key][0]
            computing = self._computing.setdefault(key, Lock())
        with computing:
            with self._lock:
                if key in self._results:  # another visitor was quicker
                    return self._results[key][0]
            try:
                result = make()
                self._put(key, result)
            finally:  # not before it is put: who asks in between would compute it once more
                with self._lock:
                    self._computing.pop(key, None)
            return result

    def _put(self, key: Hashable, result: T) -> None:
        dropped, size = [], self._size(result)
        with self._lock:
            _, replaced = self._results.pop(key, (None, 0))
            self._results[key] = (result, size)
            self._total += size - replaced
            while len(self._results) > 1 and self._total > self._max_size:
                _, (old, old_size) = self._results.popitem(last=False)
                self._total -= old_size
                dropped.append(old)
        if self._release is not None:
            for old in dropped:
                self._release(old)

    def __len__(self) -> int:
        return len(self._results)

    def clear(self) -> None:
        with self._lock:
            self._results.clear()
            self._total = 0
