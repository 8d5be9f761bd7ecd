"""The settings in force for one visitor, and their history.

Every change of a setting, whatever made it (a control, a preset, a drawn curve, a lesson, a link), goes through
`replace`, so there is one history to undo and redo.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import streamlit as st

from aklo.lab.session import uploads
from aklo.lab.settings.schema import FIELDS, Settings

SETTINGS = "settings"  # in the session
UNDO, REDO = "settings_before", "settings_after"  # in the session, too
MOST_STEPS = 100  # of the history

POSITIONS = tuple(name for name, field in FIELDS.items() if field.position)
_START = {name: getattr(Settings(), name) for name in POSITIONS}


def settings() -> Settings:
    """The settings in force."""
    return st.session_state.get(SETTINGS, Settings())


def change(**values: Any) -> None:
    """Change some settings."""
    replace(settings().change(**values))


def replace(new: Settings) -> None:
    """Put other settings in force. The present ones go into the history, unless only a position differs."""
    before, after = settings(), uploads.fit(new)
    st.session_state[SETTINGS] = after
    if _without_positions(before) != _without_positions(after):
        _put(UNDO, before)
        st.session_state[REDO] = []


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
    st.session_state[stack] = [*st.session_state.get(stack, []), one][-MOST_STEPS:]


def _without_positions(one: Settings) -> Settings:
    return dataclasses.replace(one, **_START)
