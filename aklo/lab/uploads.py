"""What a visitor brings: held in that visitor's session alone, never on disk and never in a cache that others share.

It goes when the session goes: with a reload, a closed tab, or a click on Forget.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, TypeVar

import streamlit as st

Result = TypeVar("Result")
MOST = 8  # results of one kind that a session keeps
MARK = "own"  # the word in a key that says whose the data is


def held() -> dict[str, Any]:
    """All that this visitor brought, by name."""
    return st.session_state.setdefault("uploads", {})


def files(uploaded: Any) -> list[tuple[str, bytes]]:
    """What st.file_uploader gave, as pairs (name, bytes)."""
    several = uploaded if isinstance(uploaded, list) else [uploaded] if uploaded else []
    return [(file.name, file.getvalue()) for file in several]


def token(uploaded: Any) -> Hashable:
    """Tells one upload from another, without reading it."""
    several = uploaded if isinstance(uploaded, list) else [uploaded] if uploaded else []
    return tuple(file.file_id for file in several)


def remember(kind: str, key: Hashable, make: Callable[[], Result]) -> Result:
    """The session's own cache: the last few results of each kind."""
    kept: OrderedDict = held().setdefault("results", {}).setdefault(kind, OrderedDict())
    if key not in kept:
        kept[key] = make()
        while len(kept) > MOST:
            kept.popitem(last=False)
    kept.move_to_end(key)
    return kept[key]


def shared_unless_own(max_entries: int, show_spinner: bool | str = False) -> Callable:
    """Like st.cache_resource, but what was made from a visitor's own data stays in that visitor's session.

    The function's first argument tells: a text that has `MARK` as its dataset, as `results.spec` writes it.
    """

    def wrap(make: Callable[..., Result]) -> Callable[..., Result]:
        shared = st.cache_resource(make, max_entries=max_entries, show_spinner=show_spinner)

        @wraps(make)
        def ask(spec: str, *rest: Hashable) -> Result:
            if is_own(spec):
                return remember(make.__qualname__, (spec, *rest), lambda: make(spec, *rest))
            return shared(spec, *rest)

        return ask

    return wrap


def is_own(spec: str) -> bool:
    return spec.startswith(f'{{"dataset": "{MARK}"')
