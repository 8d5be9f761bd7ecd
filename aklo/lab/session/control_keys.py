"""The key that a control is drawn under, chosen so that the control always shows the value in force.

A Streamlit widget takes its `value` when it is mounted. After that it shows what the visitor sets, whatever `value` it
is given. To make it show another value, it has to be mounted anew, and so drawn under another key. Therefore a key ends
with a number, and the control gets a new number

- when the visitor comes to the page, and
- when the value in force differs from the one that the control shows, because something else has changed it.

A visitor who presses a key faster than the server answers is not interrupted, because the control shows what it has
reported. Until the new control is mounted, the browser may still report the old one's value under the old key. That is
a move only if the value differs from the one that the old control showed.

The lab's own components keep their keys. They are sent the number, as a *revision*, along with the value. The browser
takes the value if it has not taken this revision yet and the server has heard all its moves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

STATE = "control_keys"  # in the session


@dataclass
class _State:
    """What is known of the controls that one visitor sees.

    Attributes
    ----------
    page : the page that is shown.
    last_number : the number that was given last.
    keys : control -> its key.
    shown : key -> the value that the control shows, or that it showed when another key replaced this one.
    last_moves : component -> the number of its last move that has arrived.
    answering : whether this run of the script answers a control or another component.
    """

    page: str = ""
    last_number: int = 0
    keys: dict[str, str] = field(default_factory=dict)
    shown: dict[str, Any] = field(default_factory=dict)
    last_moves: dict[str, int] = field(default_factory=dict)
    answering: bool = False


def begin_page(page: str) -> None:
    """Begin to draw a page. If it is another one than before, every control is mounted anew."""
    state = _state()
    if page != state.page:
        state.page = page
        state.keys.clear()
        state.shown.clear()


def end_page() -> None:
    """Finish drawing a page."""
    _state().answering = False


def mark_answering() -> None:
    """Record that this run of the script answers a component."""
    _state().answering = True


def is_answering() -> bool:
    """Return whether this run of the script answers a control that the visitor has moved, or another component."""
    return _state().answering


def key(control: str, value: Any) -> str:
    """Return the key of a control that is to show a value: a new one unless the control shows that value already.

    The name stands first, so that style sheets and tests find it: `setting_task-3`.
    """
    state = _state()
    known = state.keys.get(control)
    if known is None or state.shown[known] != value:
        state.last_number += 1
        known = f"{control}-{state.last_number}"
        state.keys[control], state.shown[known] = known, value
    return known


def revision(component: str, value: Any) -> int:
    """Return the number to send to a component along with a value. component: its key, which stays the same."""
    return int(key(component, value).rpartition("-")[2])


def record_value(key: str, value: Any) -> bool:
    """Record the value that the browser says a control shows. Returns whether the visitor has changed it."""
    state = _state()
    state.answering = True
    if key not in state.shown or state.shown[key] == value:
        return False
    state.shown[key] = value
    return True


def record_component_value(component: str, value: Any) -> None:
    """Record the value that the browser says a component shows. component: its key, which stays the same."""
    known = _state().keys.get(component)
    if known is not None:
        record_value(known, value)


def record_move(component: str, move: int) -> None:
    """Record the number of a component's move that has arrived."""
    _state().last_moves[component] = move


def last_move(component: str) -> int | None:
    """Return the number of the component's last move that has arrived."""
    return _state().last_moves.get(component)


def _state() -> _State:
    return st.session_state.setdefault(STATE, _State())
