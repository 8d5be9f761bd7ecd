"""A visitor's uploads and the results on them. They are stored in the visitor's session only.

They are neither written to disk nor put into a shared cache, and are deleted with the session (after a reload or when
the tab is closed) or by a click on Forget.
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
    """Return the dict in the session that holds this visitor's uploads and results."""
    return st.session_state.setdefault("uploads", {})


# -------------------------------------------------------------------------------------------------------- own tasks


@dataclass(frozen=True, eq=False)
class Own:
    """A visitor's own tasks.

    Attributes
    ----------
    collection : the tasks.
    name : of the file.
    number : counts the uploads, so that cached results of an earlier one are not used.
    bias, shuffle : as in `Collection.sample`.
    standardise : whether the collection was standardised.
    """

    collection: aklo.Collection
    name: str
    number: int
    bias: bool = True
    shuffle: bool = True
    standardise: bool = False

    @property
    def group_names(self) -> tuple[str, ...]:
        """The names of the groups."""
        return self.collection.group_names if self.collection.groups is not None else ("your tasks",)

    @property
    def longest(self) -> int:
        """The largest number of examples in a task that the lab can show."""
        return min(int(self.collection.lengths.max()), int(FIELDS["n_examples"].high))

    def n_tasks(self, n_examples: int) -> int:
        """Return the number of tasks with at least n_examples examples, up to the lab's limit."""
        return min(int((self.collection.lengths >= n_examples).sum()), int(FIELDS["n_tasks"].high))

    @property
    def most(self) -> int:
        """The common length N of tasks for which the stream has the most examples."""
        lengths = np.minimum(np.unique(self.collection.lengths), self.longest)
        return int(max(lengths, key=lambda n: n * self.n_tasks(int(n))))

    def stream(self, n_tasks: int, n_examples: int, *, seed: int) -> aklo.TaskStream:
        """Return a stream of at most n_tasks tasks with n_examples examples each."""
        chosen = remember("of a length", (self.number, n_examples), lambda: self.collection.at_least(n_examples))
        n_tasks = min(n_tasks, len(chosen))
        found = chosen.sample(n_tasks, n_examples, bias=self.bias, shuffle=self.shuffle, seed=seed)
        names = tuple(escape_markup(name) for name in found.names or ())
        return dataclasses.replace(found, names=names, groups=found.groups or (0,) * n_tasks)


def own() -> Own | None:
    """Return the visitor's own tasks, or None."""
    return held().get("own")


def mine() -> Own:
    """Return the visitor's own tasks; LookupError if there are none, which `fit` prevents."""
    found = own()
    if found is None:
        raise LookupError("No tasks were brought in this session.")
    return found


def bring(collection: aklo.Collection, name: str, *, bias: bool, standardise: bool, shuffle: bool) -> Own:
    """Store a collection as this visitor's own tasks, and delete the results on earlier ones."""
    number = held().get("number", 0) + 1
    ready = collection.standardised() if standardise else collection
    held().pop("results", None)
    held().update(number=number, own=Own(ready, name, number, bias, shuffle, standardise))
    return mine()


def forget() -> None:
    """Delete the visitor's own tasks and all results on them."""
    for name in ("own", "results", "reading"):
        held().pop(name, None)


def fit(settings: Settings) -> Settings:
    """Return the settings restricted to the visitor's own tasks; another dataset if there are none."""
    if settings.dataset != OWN:
        return settings
    found = own()
    if found is None:
        return settings.change(dataset=FIELDS["dataset"].choices[0])
    n_examples = min(settings.n_examples, found.longest)
    return settings.change(n_examples=n_examples, n_tasks=min(settings.n_tasks, found.n_tasks(n_examples)))


def high(name: str, settings: Settings, otherwise: float) -> float:
    """Return the upper end of a setting's slider: that of the visitor's own tasks, or `otherwise`."""
    found = own() if settings.dataset == OWN else None
    if found is None:
        return otherwise
    return {"n_tasks": found.n_tasks(settings.n_examples), "n_examples": found.longest}.get(name, otherwise)


def files(uploaded: Any) -> list[tuple[str, bytes]]:
    """Return the result of `st.file_uploader` as pairs (name, bytes)."""
    several = uploaded if isinstance(uploaded, list) else [uploaded] if uploaded else []
    return [(file.name, file.getvalue()) for file in several]


def remember(kind: str, key: Hashable, make: Callable[[], Result], most: int = 2) -> Result:
    """Return a result from the visitor's own cache, or make and cache it.

    most: the number of results of this kind that are cached.
    """
    cache: OrderedDict = held().setdefault("results", {}).setdefault(kind, OrderedDict())
    if key not in cache:
        cache[key] = make()
        while len(cache) > most:
            cache.popitem(last=False)
    cache.move_to_end(key)
    return cache[key]
