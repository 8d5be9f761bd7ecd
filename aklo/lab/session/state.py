"""The settings in force for one visitor, and their history.

Every change of a setting, whatever made it (a control, a preset, a drawn curve, a lesson, a link), goes through
`replace`, so there is one history to undo and redo.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import streamlit as st

from aklo.lab.session import uploads
from aklo.lab.settings.schema import FIELDS, Settings

SETTINGS = "settings"  # in the session
UNDO, REDO = "settings_before", "settings_after"  # in the session, too
DRAG = "settings_drag"  # in the session: the drag that the last change was part of
MOST_CHANGES = 100  # in the history

POSITIONS = tuple(name for name, field in FIELDS.items() if field.position)
_START = {name: getattr(Settings(), name) for name in POSITIONS}


@dataclass(frozen=True)
class Drag:
    """The gesture that changes are part of. name: its own; done: whether the visitor has let go."""

    name: str
    done: bool


def settings() -> Settings:
    """The settings in force."""
    return st.session_state.get(SETTINGS, Settings())


def change(drag: Drag | None = None, **values: Any) -> None:
    """Change some settings."""
    replace(settings().change(**values), drag)


def replace(new: Settings, drag: Drag | None = None) -> None:
    """Put other settings in force. The present ones go into the history, unless only a position differs.

    drag: the gesture that the change is part of. All changes of one drag are one step of the history.
    """
    before, after = settings(), uploads.fit(new)
    last: Drag | None = st.session_state.get(DRAG)
    goes_on = drag is not None and last is not None and drag.name == last.name and not last.done
    changed = _without_positions(before) != _without_positions(after)
    st.session_state[SETTINGS] = after
    st.session_state[DRAG] = drag if changed or goes_on else None  # a drag begins with the first change
    if changed and not goes_on:
        _put(UNDO, before)
        st.session_state[REDO] = []
    ended = goes_on and not is_dragging()
    if ended and can_undo() and _without_positions(st.session_state[UNDO][-1]) == _without_positions(after):
        st.session_state[UNDO].pop()  # it was brought back to where it began


def is_dragging() -> bool:
    """Whether the visitor holds a control that is being dragged. The address is written when it is released."""
    drag: Drag | None = st.session_state.get(DRAG)
    return drag is not None and not drag.done


def can_undo() -> bool:
    return bool(st.session_state.get(UNDO))


def can_redo() -> bool:
    return bool(st.session_state.get(REDO))


def undo() -> None:
    """Take the last change back."""
    _step(UNDO, REDO)


def redo() -> None:
    """Make the change again that was taken back last."""
    _step(REDO, UNDO)


def _step(here: str, there: str) -> None:
    if not st.session_state.get(here):
        return
    present, found = settings(), uploads.fit(st.session_state[here].pop())
    _put(there, present)
    if (found.dataset, found.task) == (present.dataset, present.task):  # then nobody need start from the beginning
        found = found.change(**{name: getattr(present, name) for name in POSITIONS})
    st.session_state[SETTINGS] = found


def _put(stack: str, one: Settings) -> None:
    st.session_state[stack] = [*st.session_state.get(stack, []), one][-MOST_CHANGES:]


def _without_positions(one: Settings) -> Settings:
    return dataclasses.replace(one, **_START)
