"""What a visitor brings: held in that visitor's session alone, never on disk and never in a cache that others share.

It goes when the session goes: with a reload, a closed tab, or a click on Forget.
"""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import streamlit as st

import aklo
from aklo.lab.settings.schema import FIELDS, OWN, Settings
from aklo.lab.settings.text import escape_markup

Result = TypeVar("Result")
GONE = "Your own tasks do not travel in a link and do not survive a reload: bring the file again to see them."


def held() -> dict[str, Any]:
    """All that this visitor brought, by name."""
    return st.session_state.setdefault("uploads", {})


# -------------------------------------------------------------------------------------------------------- own tasks


@dataclass(frozen=True, eq=False)
class Own:
    """The tasks that a visitor brought. number: tells them from those before; the rest as in `Collection.sample`."""

    collection: aklo.Collection
    name: str
    number: int
    bias: bool = True
    shuffle: bool = True
    standardise: bool = False  # what was done to the collection already

    @property
    def group_names(self) -> tuple[str, ...]:
        return self.collection.group_names if self.collection.groups is not None else ("your tasks",)

    @property
    def longest(self) -> int:
        return min(int(self.collection.lengths.max()), int(FIELDS["n_examples"].high))

    def n_tasks(self, n_examples: int) -> int:
        """How many tasks have so many examples; the lab shows no more than its own limit."""
        return min(int((self.collection.lengths >= n_examples).sum()), int(FIELDS["n_tasks"].high))

    @property
    def most(self) -> int:
        """The length N at which tasks of N examples or more give the most examples; the pages show tasks of one
        length."""
        lengths = np.minimum(np.unique(self.collection.lengths), self.longest)
        return int(max(lengths, key=lambda n: n * self.n_tasks(int(n))))

    def stream(self, n_tasks: int, n_examples: int, *, seed: int) -> aklo.TaskStream:
        """A stream of tasks of one length, each with a group."""
        chosen = remember("of a length", (self.number, n_examples), lambda: self.collection.at_least(n_examples))
        n_tasks = min(n_tasks, len(chosen))
        found = chosen.sample(n_tasks, n_examples, bias=self.bias, shuffle=self.shuffle, seed=seed)
        names = tuple(escape_markup(name) for name in found.names or ())
        return dataclasses.replace(found, names=names, groups=found.groups or (0,) * n_tasks)


def own() -> Own | None:
    """The visitor's own tasks, where there are any."""
    return held().get("own")


def mine() -> Own:
    """The visitor's own tasks, which there must be: `fit` sees to it."""
    found = own()
    if found is None:
        raise LookupError("No tasks were brought in this session.")
    return found


def bring(collection: aklo.Collection, name: str, *, bias: bool, standardise: bool, shuffle: bool) -> Own:
    """Make a collection this visitor's own tasks; what was made from those before is forgotten."""
    number = held().get("number", 0) + 1
    ready = collection.standardised() if standardise else collection
    held().pop("results", None)
    held().update(number=number, own=Own(ready, name, number, bias, shuffle, standardise))
    return mine()


def forget() -> None:
    """Let the own tasks go, and all that was made from them."""
    for name in ("own", "results", "reading"):
        held().pop(name, None)


def fit(settings: Settings) -> Settings:
    """The settings as this visitor can have them: own tasks only where there are any, and not more than there are."""
    if settings.dataset != OWN:
        return settings
    found = own()
    if found is None:
        return settings.change(dataset=FIELDS["dataset"].choices[0])
    n_examples = min(settings.n_examples, found.longest)
    return settings.change(n_examples=n_examples, n_tasks=min(settings.n_tasks, found.n_tasks(n_examples)))


def high(name: str, settings: Settings, otherwise: float) -> float:
    """The upper end of a setting's slider, which own tasks have their own of."""
    found = own() if settings.dataset == OWN else None
    if found is None:
        return otherwise
    return {"n_tasks": found.n_tasks(settings.n_examples), "n_examples": found.longest}.get(name, otherwise)


def files(uploaded: Any) -> list[tuple[str, bytes]]:
    """What st.file_uploader returned, as pairs (name, bytes)."""
    several = uploaded if isinstance(uploaded, list) else [uploaded] if uploaded else []
    return [(file.name, file.getvalue()) for file in several]


def remember(kind: str, key: Hashable, make: Callable[[], Result], most: int = 2) -> Result:
    """A result from the visitor's own cache, which holds the last few of each kind."""
    cache: OrderedDict = held().setdefault("results", {}).setdefault(kind, OrderedDict())
    if key not in cache:
        cache[key] = make()
        while len(cache) > most:
            cache.popitem(last=False)
    cache.move_to_end(key)
    return cache[key]
