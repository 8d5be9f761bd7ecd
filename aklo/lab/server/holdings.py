"""What visitors bring to the server's memory, in bytes: one visit may hold so much, and all visits together.

Counted are the files, for as long as their uploader shows them, and what was read and computed from them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import partial
from types import MethodType
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import scipy.sparse as sp
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from aklo.wording import count

MB = 2**20
MOST_FILES = 100 * MB  # of the files that one visit brings at the same time
MOST_SENT = 2 * MOST_FILES  # of the files that one visit has sent, by one uploader or several, and that are still here
MOST_VISIT = 400 * MB  # of all that one visit holds
MOST_ALL = 800 * MB  # of what all visits hold


class Holdings:
    """What one visit holds, in the attributes of a dataclass. It is counted until the visit's session is gone."""

    def __post_init__(self) -> None:
        _visits[id(self)] = self


_visits: WeakValueDictionary[int, Holdings] = WeakValueDictionary()
_removed: dict[str, list[int]] = {}  # session -> the sizes of files that were removed, until its page says so


def check_files(sizes: list[int]) -> None:
    """Raise ValueError if a visit brings files that are too large, or if the lab is full."""
    if sum(sizes) > MOST_FILES:
        raise ValueError(_too_many(sizes))
    if total() > MOST_ALL:
        raise ValueError(FULL)


def visit_size(held: Holdings | Mapping[str, Any]) -> int:
    """Return the bytes that the visitor whose page is being drawn holds, with the files."""
    return size_of(held) + sum(map(sum, _file_sizes(_session()).values()))


def check_room(has: int, size: int) -> None:
    """Raise ValueError if a visit that holds `has` bytes may not hold `size` bytes more."""
    if has + size > MOST_VISIT:
        raise ValueError(
            f"These data take {_mb(size)}, and this visit holds {_mb(has)} of the {_mb(MOST_VISIT)} that it may: "
            "forget what you brought before, or bring fewer rows or columns."
        )
    if total() + size > MOST_ALL:
        raise ValueError(FULL)


def total() -> int:
    """Return the bytes that all visits hold."""
    return sum(map(size_of, list(_visits.values()))) + sum(map(sum, _file_sizes().values()))


def drop_files() -> None:
    """Remove the files of the visitor whose page is being drawn."""
    session = _session()
    if session and runtime.exists():
        runtime.get_instance().uploaded_file_mgr.remove_session_files(session)


def drop_excess() -> bool:
    """Remove files that come faster than a page refuses them: those of a visit, or else the largest visits' of all.

    Returns whether there were any. A page sees files only when all of an uploader have come, and Streamlit copies them
    all to show them to it.
    """
    files, found = _file_sizes(), False
    left = sum(map(sum, files.values()))
    for session, sizes in sorted(files.items(), key=lambda item: -sum(item[1])):
        if sum(sizes) > MOST_SENT or left > MOST_ALL:
            runtime.get_instance().uploaded_file_mgr.remove_session_files(session)
            _removed[session] = _removed.get(session, []) + sizes
            left -= sum(sizes)
            found = True
    for session in [session for session in _removed if not runtime.get_instance().is_active_session(session)]:
        del _removed[session]
    return found


def removal() -> str:
    """Return why `drop_excess` has removed files of the visitor whose page is being drawn, once; or nothing."""
    session = _session()
    sizes = _removed.pop(session, [])
    if not sizes:
        return ""
    sizes = sizes + _file_sizes(session).get(session, [])  # what came since
    return _too_many(sizes) if sum(sizes) > MOST_FILES else f"{FULL} Your files were removed."


def _file_sizes(session: str | None = None) -> dict[str, list[int]]:
    """Return session -> the sizes of the files that Streamlit holds for it. session: only this one."""
    manager = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    if not isinstance(manager, MemoryUploadedFileManager):
        return {}
    found = {name: list(files.values()) for name, files in manager.file_storage.copy().items()}
    return {
        name: [len(file.data) for file in files] for name, files in found.items() if session is None or name == session
    }


def _session() -> str:
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def size_of(value: Any, seen: set[int] | None = None) -> int:
    """Return the bytes of all arrays, texts and files within a value, each counted once.

    >>> X = np.zeros(1000)
    >>> size_of({"a": X, "b": [X, X[:500]], "c": "text"})
    8004
    """
    seen = set() if seen is None else seen
    while isinstance(value, np.ndarray) and isinstance(value.base, np.ndarray):
        value = value.base  # a view keeps the whole array
    if id(value) in seen:
        return 0
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        return int(value.nbytes)
    if isinstance(value, str | bytes):
        return len(value)
    within: list[Any] = []
    if sp.issparse(value):
        within = [value.data, value.indices, value.indptr]
    elif isinstance(value, Mapping):
        within = list(value.values())
    elif isinstance(value, list | tuple | set):
        within = list(value)
    elif isinstance(value, partial):
        within = [value.func, *value.args, *value.keywords.values()]
    elif isinstance(value, MethodType):
        within = [value.__self__]
    elif dataclasses.is_dataclass(value) or type(value).__module__.startswith("aklo."):
        within = list(getattr(value, "__dict__", {}).values())
    return sum(size_of(one, seen) for one in within)


def _too_many(sizes: list[int]) -> str:
    return (
        f"{count(len(sizes), 'file')} of {_mb(sum(sizes))} in all, where one visit may bring {_mb(MOST_FILES)} at "
        "a time: bring fewer or smaller ones. These were removed."
    )


def _mb(size: int) -> str:
    return f"{size / MB:,.0f} MB"


FULL = (
    f"The lab holds {_mb(MOST_ALL)} of its visitors' data, the most that it takes: try again in some minutes, or run "
    "it on your own computer."
)
