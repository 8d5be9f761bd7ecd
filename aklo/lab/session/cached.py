"""The cache of what is computed: shared by all visitors, but for what is made from a visitor's own data."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, Protocol, TypeVar

from aklo.lab.server import holdings
from aklo.lab.server.cache import Cache
from aklo.lab.session import uploads

Result = TypeVar("Result")
PRIVATE_SHARE = 8  # a visitor's own cache holds an eighth as many results as the shared one


class Spec(Protocol):
    """The first argument of a cached function: what the result is made from, and whether that is private."""

    @property
    def private(self) -> bool: ...


def cached(
    max_entries: int, *, max_bytes: int | None = None, size: Callable[[Any], int] | None = None,
    release: Callable[[Any], None] | None = None, name: str | None = None,
) -> Callable[[Callable[..., Result]], Callable[..., Result]]:  # fmt: skip
    """Cache the results of a function, by its arguments.

    The function's first argument is a frozen dataclass with a field `private`. What is private is kept in the session
    of the visitor whose data it is; everything else is kept once, for all visitors.

    Parameters
    ----------
    max_entries
        The most results that the shared cache holds.
    max_bytes, size
        The most bytes that it holds, instead of a number of entries, and the bytes of one result.
    release
        Called with a result that had to make room.
    name
        Of the cache in the session; otherwise it is that of the function.
    """
    most_private = max(max_entries // PRIVATE_SHARE, 1)

    def wrap(make: Callable[..., Result]) -> Callable[..., Result]:
        kind = name or f"{make.__module__.rpartition('.')[2]}.{make.__qualname__}"
        shared: Cache[Any] = Cache(
            max_entries if max_bytes is None else max_bytes, size=size or (lambda result: 1), release=release
        )

        @wraps(make)
        def ask(spec: Spec, *rest: Hashable) -> Result:
            if spec.private:
                return _remember(kind, (spec, *rest), lambda: make(spec, *rest), most_private)
            return shared.get((spec, *rest), lambda: make(spec, *rest))

        ask.clear = shared.clear  # type: ignore[attr-defined]
        return ask

    return wrap


def _remember(kind: str, key: Hashable, make: Callable[[], Result], most: int) -> Result:
    """Return a result from the visitor's own cache, or make and cache it.

    most: the number of results of this kind that are cached. Fewer are if the visit holds more than it may.
    """
    held = uploads.held()
    cache = held.results.setdefault(kind, OrderedDict())
    if key not in cache:
        found = cache[key] = make()
        while len(cache) > most:
            cache.popitem(last=False)
        while holdings.size_of(held) > holdings.MOST_VISIT and any(held.results.values()):
            next(filter(None, held.results.values())).popitem(last=False)
        return found
    cache.move_to_end(key)
    return cache[key]


def cached_dict(name: str, max_entries: int) -> Callable[..., dict[Any, Any]]:
    """Return a function of a spec and more that gives the dict cached under these: empty at first, for callers to fill.

    Parameters
    ----------
    name, max_entries
        As in `cached`.
    """

    return cached(max_entries, name=name)(lambda *key: {})
