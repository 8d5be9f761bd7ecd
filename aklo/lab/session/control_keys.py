"""Which key a control is drawn under, so that it always shows the value in force.

A Streamlit widget takes its `value` when it is mounted, and from then on shows what the visitor sets. So the rule is:
what is mounted anew is told its value, what the program did not change is not told anything. The number in a control's
key does that. It is another one, and so the control is mounted anew,

- when the visitor comes to the page, and
- when the value in force is not the one that the control shows, since something else has changed it.

A visitor who presses a key faster than the server answers is never interrupted: the control shows what it reported.
Until the answer has come, the browser still speaks of a control under its old key. What that one showed when it was
replaced is no move; anything else is one.

The lab's components follow the same rule. They are sent the number along with the value: the browser takes the value
when it is mounted and when the number differs from the one that it took last, and otherwise keeps its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

STATE = "control_keys"  # in the session


@dataclass
class _State:
    """page: the one that is shown; last: the number given last; keys: control -> its key; shown: key -> the value that
    the control shows under it, or showed when it was replaced; heard: component -> the number of its last move;
    answering: whether this run of the script answers a control or another component."""

    page: str = ""
    last: int = 0
    keys: dict[str, str] = field(default_factory=dict)
    shown: dict[str, Any] = field(default_factory=dict)
    heard: dict[str, int] = field(default_factory=dict)
    answering: bool = False


def enter(page: str) -> None:
    """Begin to draw a page. On another page than before every control is mounted anew."""
    state = _state()
    if page != state.page:
        state.page = page
        state.keys.clear()
        state.shown.clear()


def leave() -> None:
    """End to draw a page."""
    _state().answering = False


def answer() -> None:
    """Remember that this run of the script answers a component."""
    _state().answering = True


def is_answering() -> bool:
    """Whether this run of the script answers a control that the visitor has moved, or another component."""
    return _state().answering


def key(control: str, value: Any) -> str:
    """The key to draw a control under that is to show a value: a new one unless the control shows that value already.

    The name stands first, so that style sheets and tests find it: `setting_task-3`.
    """
    state = _state()
    known = state.keys.get(control)
    if known is None or state.shown[known] != value:
        state.last += 1
        known = f"{control}-{state.last}"
        state.keys[control], state.shown[known] = known, value
    return known


def number(component: str, value: Any) -> int:
    """The number to send to a component along with a value. component: its key, which stays the same."""
    return int(key(component, value).rpartition("-")[2])


def component_reported(component: str, value: Any) -> None:
    """Remember what the browser says that a component shows."""
    known = _state().keys.get(component)
    if known is not None:
        reported(known, value)


def hear(component: str, move: int) -> bool:
    """Remember the number of a component's move. Returns whether it is a new one: a move may be sent twice."""
    state = _state()
    if state.heard.get(component) == move:
        return False
    state.heard[component] = move
    return True


def heard(component: str) -> int | None:
    """The number of the component's last move that has arrived."""
    return _state().heard.get(component)


def reported(key: str, value: Any) -> bool:
    """Remember what the browser says that a control shows. Returns whether the visitor has set it to that."""
    state = _state()
    state.answering = True
    if key not in state.shown or state.shown[key] == value:
        return False
    state.shown[key] = value
    return True


def _state() -> _State:
    return st.session_state.setdefault(STATE, _State())
