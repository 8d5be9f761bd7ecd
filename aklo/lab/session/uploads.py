"""A visitor's uploads and the results on them. They are stored in the visitor's session only.

What was read is neither written to disk nor put into a shared cache, and is deleted by a click on Forget or with the
session, soon after a reload or after the tab is closed (`server/visit_end.py`).
"""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import streamlit as st

import aklo
from aklo.lab.server import holdings, reader
from aklo.lab.server.holdings import Holdings
from aklo.lab.settings.field import OWN
from aklo.lab.settings.schema import FIELDS, Settings
from aklo.paper.reproduction import Study

Result = TypeVar("Result")
STATE = "uploads"  # in the session
GONE = "Your own tasks do not travel in a link and do not survive a reload: bring the file again to see them."


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


@dataclass(eq=False)
class Uploads(Holdings):
    """What a visitor has brought, and what was made from it.

    Attributes
    ----------
    own : the visitor's own tasks.
    number : of how often there were own tasks.
    results : kind -> the cached results on own tasks, and others that are private (session/cached.py).
    made : what `make_once` has made, by name: the files and options, and the result or what is wrong with them.
    paper : the paper's datasets that were brought.
    paper_results : dataset -> the results on it, by the jobs' keys.
    refusal : why something was not done last, until other files come or are used.
    removals : how often files were removed, each time with new uploaders.
    """

    own: Own | None = None
    number: int = 0
    results: dict[str, OrderedDict[Hashable, Any]] = field(default_factory=dict)
    made: dict[str, tuple[Hashable, Any]] = field(default_factory=dict)
    paper: dict[str, Study] = field(default_factory=dict)
    paper_results: dict[str, dict[tuple, Any]] = field(default_factory=dict)
    refusal: str | None = None
    removals: int = 0


def held() -> Uploads:
    """Return what this visitor has brought. The object stays the same for the whole visit."""
    if STATE not in st.session_state:
        st.session_state[STATE] = Uploads()
    return st.session_state[STATE]


def own() -> Own | None:
    """Return the visitor's own tasks, or None."""
    return held().own


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
        staying = {name: value for name, value in vars(held()).items() if name not in ("own", "results")}
        holdings.check_room(holdings.visit_size(staying), holdings.size_of(collection.X))
    here = held()
    here.own, here.refusal = None, None  # first, since its room is needed
    here.results.clear()
    here.number += 1
    ready = collection.standardised() if standardise else collection
    here.own = Own(ready, here.number, bias, shuffle, standardise, reading)
    return here.own


def forget() -> None:
    """Delete the visitor's own tasks, all results on them, and the files in the uploaders."""
    drop_files()
    here = held()
    here.own, here.refusal = None, None
    here.results.clear()
    here.made.clear()


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


# ------------------------------------------------------------------------------------------------------------ files


class Removed(ValueError):
    """The files were removed, since they are more than a visit may bring. The next page draws empty uploaders."""


def uploader_key(name: str) -> str:
    """Return the key of an uploader, which is another one after its files were removed."""
    return f"{name}_{held().removals}"


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
    held().refusal = None
    return [(file.name, file.getvalue()) for file in several]


def drop_files() -> None:
    """Remove the visitor's files. The next page draws empty uploaders."""
    holdings.drop_files()
    held().removals += 1


def notice_removal() -> None:
    """Say so on this page if the server had to remove this visitor's files, and draw empty uploaders."""
    if why := holdings.removal():
        drop_files()
        refuse(why)


def refuse(why: str) -> None:
    """Say on the next page why something was not done."""
    held().refusal = why


def refusal() -> str | None:
    """Return why something was not done last, until other files come or are used."""
    return held().refusal


def read(call: str, given: list[tuple[str, bytes]], *, meanwhile: Callable[[float], None] | None = None,
         **options: Any) -> Any:  # fmt: skip
    """Read files as `reader.read` does, if this visit has room for what is in them."""
    room = partial(holdings.check_room, holdings.visit_size(held()))
    return reader.read(call, given, room=room, meanwhile=meanwhile, **options)


def read_once(
    name: str, call: str, uploaded: Any, *, meanwhile: Callable[[float], None] | None = None, **options: Any
) -> Any:
    """Return `read` of what an uploader holds, as `make_once` does."""
    return make_once(name, uploaded, lambda given: read(call, given, meanwhile=meanwhile, **options), **options)


def make_once(name: str, uploaded: Any, make: Callable[[list[tuple[str, bytes]]], Result], **options: Any) -> Result:
    """Return what is made of an uploader's files, once for these files and options.

    Parameters
    ----------
    name
        Under which the result is kept, until another is made under it.
    uploaded
        The result of `st.file_uploader`.
    make
        A function of `files(uploaded)`. Its ValueError says what is wrong with them, and is raised again each time.
    options
        What the result depends on besides the files.
    """
    several = uploaded if isinstance(uploaded, list) else [uploaded]
    key = (tuple(file.file_id for file in several), tuple(options.items()))
    made = held().made
    if made.get(name, (None,))[0] != key:
        given = files(several)
        made.pop(name, None)  # first, since its room is needed
        try:
            found: Any = make(given)
        except ValueError as error:
            found = ValueError(str(error))  # without its traceback, which would hold the files
        made[name] = (key, found)
    found = made[name][1]
    if isinstance(found, ValueError):
        raise ValueError(str(found))
    return found
