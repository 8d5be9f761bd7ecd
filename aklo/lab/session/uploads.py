"""A visitor's uploads and the results on them. They are stored in the visitor's session only.

What was read is neither written to disk nor put into a shared cache, and is deleted by a click on Forget or with the
session, soon after a reload or after the tab is closed (`server/visitors.py`).
"""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import streamlit as st

import aklo
from aklo.lab.server import holdings, reader
from aklo.lab.server.holdings import Holdings
from aklo.lab.settings.field import OWN
from aklo.lab.settings.schema import FIELDS, Settings

Result = TypeVar("Result")
GONE = "Your own tasks do not travel in a link and do not survive a reload: bring the file again to see them."


def held() -> dict[str, Any]:
    """Return the dict in the session that holds this visitor's uploads and results."""
    if "uploads" not in st.session_state:
        st.session_state["uploads"] = Holdings()
    return st.session_state["uploads"]


# -------------------------------------------------------------------------------------------------------- own tasks


@dataclass(frozen=True, eq=False)
class Own:
    """A visitor's own tasks.

    Attributes
    ----------
    collection : the tasks.
    number : counts the uploads, so that cached results of an earlier one are not used.
    bias, shuffle : as in `Collection.sample`.
    standardise : whether the collection was standardised.
    reading : keywords of the reader and their values, for the exported script.
    """

    collection: aklo.Collection
    number: int
    bias: bool = True
    shuffle: bool = True
    standardise: bool = False
    reading: tuple[tuple[str, Any], ...] = ()

    @property
    def group_names(self) -> tuple[str, ...]:
        """The names of the groups."""
        return self.collection.group_names if self.collection.groups is not None else ("your tasks",)

    @property
    def longest(self) -> int:
        """The largest number of examples in a task that the lab can show."""
        return min(int(self.collection.lengths.max()), int(FIELDS["n_examples"].high))

    @property
    def n_tasks(self) -> int:
        """The largest number of tasks that the lab can show."""
        return min(len(self.collection), int(FIELDS["n_tasks"].high))

    def stream(self, n_tasks: int, n_examples: int, *, seed: int) -> aklo.TaskStream:
        """Return a stream of at most n_tasks tasks, each with n_examples examples, or all if it has fewer."""
        n_tasks = min(n_tasks, len(self.collection))
        found = self.collection.sample(n_tasks, n_examples, bias=self.bias, shuffle=self.shuffle, seed=seed)
        return dataclasses.replace(found, groups=found.groups or (0,) * n_tasks)


def own() -> Own | None:
    """Return the visitor's own tasks, or None."""
    return held().get("own")


def mine() -> Own:
    """Return the visitor's own tasks; LookupError if there are none, which `fit` prevents."""
    found = own()
    if found is None:
        raise LookupError("No tasks were brought in this session.")
    return found


def bring(
    collection: aklo.Collection,
    *,
    bias: bool,
    standardise: bool,
    shuffle: bool,
    reading: tuple[tuple[str, Any], ...] = (),
) -> Own:
    """Store a collection as this visitor's own tasks, and delete earlier ones and the results on them.

    Raises ValueError if they are to be standardised, and the visit has no room for that.
    """
    if standardise:
        staying = {name: value for name, value in held().items() if name not in ("own", "results")}
        holdings.check_room(holdings.visit_size(staying), holdings.size_of(collection.X))
    number = held().get("number", 0) + 1
    for earlier in ("own", "results", "refusal"):
        held().pop(earlier, None)
    ready = collection.standardised() if standardise else collection
    held().update(number=number, own=Own(ready, number, bias, shuffle, standardise, reading))
    return mine()


def forget() -> None:
    """Delete the visitor's own tasks, all results on them, and the files in the uploaders."""
    drop_files()
    for name in ("own", "results", "reading", "columns", "labels", "refusal"):
        held().pop(name, None)


def fit(settings: Settings) -> Settings:
    """Return the settings restricted to the visitor's own tasks; another dataset if there are none."""
    if settings.dataset != OWN:
        return settings
    found = own()
    if found is None:
        return settings.change(dataset=FIELDS["dataset"].choices[0])
    return settings.change(
        n_examples=min(settings.n_examples, found.longest), n_tasks=min(settings.n_tasks, found.n_tasks)
    )


def high(name: str, settings: Settings, otherwise: float) -> float:
    """Return the upper end of a setting's slider: that of the visitor's own tasks, or `otherwise`."""
    found = own() if settings.dataset == OWN else None
    if found is None:
        return otherwise
    return {"n_tasks": found.n_tasks, "n_examples": found.longest}.get(name, otherwise)


def remember(kind: str, key: Hashable, make: Callable[[], Result], most: int = 2) -> Result:
    """Return a result from the visitor's own cache, or make and cache it.

    most: the number of results of this kind that are cached. Fewer are if the visit holds more than it may.
    """
    results: dict[str, OrderedDict] = held().setdefault("results", {})
    cache = results.setdefault(kind, OrderedDict())
    if key not in cache:
        found = cache[key] = make()
        while len(cache) > most:
            cache.popitem(last=False)
        while holdings.size_of(held()) > holdings.MOST_VISIT and any(results.values()):
            next(filter(None, results.values())).popitem(last=False)
        return found
    cache.move_to_end(key)
    return cache[key]


# ------------------------------------------------------------------------------------------------------------ files


class Removed(ValueError):
    """The files were removed, since they are more than a visit may bring. The next page draws empty uploaders."""


def uploader_key(name: str) -> str:
    """Return the key of an uploader, which is another one after its files were removed."""
    return f"{name}_{held().get('removals', 0)}"


def files(uploaded: Any) -> list[tuple[str, bytes]]:
    """Return the result of `st.file_uploader` as pairs (name, bytes).

    Raises Removed if they are more than a visit may bring.
    """
    several = uploaded if isinstance(uploaded, list) else [uploaded] if uploaded else []
    try:
        holdings.check_files([file.size for file in several])
    except ValueError as error:
        drop_files()
        refuse(str(error))
        raise Removed(str(error)) from None
    held().pop("refusal", None)
    return [(file.name, file.getvalue()) for file in several]


def drop_files() -> None:
    """Remove the visitor's files. The next page draws empty uploaders."""
    holdings.drop_files()
    held()["removals"] = held().get("removals", 0) + 1


def notice_removal() -> None:
    """Say so on this page if the server had to remove this visitor's files, and draw empty uploaders."""
    if why := holdings.removal():
        drop_files()
        refuse(why)


def refuse(why: str) -> None:
    """Say on the next page why something was not done."""
    held()["refusal"] = why


def refusal() -> str | None:
    """Return why something was not done last, until other files come or are used."""
    return held().get("refusal")


def read(call: str, given: list[tuple[str, bytes]], *, meanwhile: Callable[[float], None] | None = None,
         **options: Any) -> Any:  # fmt: skip
    """Read files as `reader.read` does, if this visit has room for what is in them."""
    room = partial(holdings.check_room, holdings.visit_size(held()))
    return reader.read(call, given, room=room, meanwhile=meanwhile, **options)


def read_once(
    name: str, call: str, uploaded: Any, *, meanwhile: Callable[[float], None] | None = None, **options: Any
) -> Any:
    """Read what an uploader holds, once for these files and options. ValueError says what is wrong with them.

    name: under which the result is kept, until others are read under it.
    """
    several = uploaded if isinstance(uploaded, list) else [uploaded]
    key = (tuple(file.file_id for file in several), tuple(options.items()))
    if held().get(name, (None,))[0] != key:
        given = files(several)
        held().pop(name, None)  # first, since its room is needed
        try:
            found: Any = read(call, given, meanwhile=meanwhile, **options)
        except ValueError as error:
            found = str(error)
        held()[name] = (key, found)
    found = held()[name][1]
    if isinstance(found, str):
        raise ValueError(found)
    return found
