"""Which key a control is drawn under, so that it always shows the value in force.

A Streamlit widget takes its `value` when it is mounted, and from then on shows what the visitor sets. So the rule is:
what is mounted anew is told its value, what the program did not change is not told anything. The number in a control's
key does that. It is another one, and so the control is mounted anew,

- when the visitor comes to the page, and
- when the value in force is not the one that the control shows, since something else has changed it.

A visitor who presses a key faster than the server answers is never interrupted: the control shows what it reported.

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
    """page: the one that is shown; last: the number given last; controls: name -> (its number, the value it shows)."""

    page: str = ""
    last: int = 0
    controls: dict[str, tuple[int, Any]] = field(default_factory=dict)


def enter(page: str) -> None:
    """Begin to draw a page. On another page than before every control is mounted anew."""
    state = _state()
    if page != state.page:
        state.page = page
        state.controls.clear()


def number(control: str, value: Any) -> int:
    """The number of a control that is to show a value: a new one unless the control shows that value already."""
    state = _state()
    known, shown = state.controls.get(control, (0, None))
    if known == 0 or shown != value:
        state.last += 1
        known = state.last
        state.controls[control] = (known, value)
    return known


def key(control: str, value: Any) -> str:
    """The key to draw a control under that is to show a value.

    The name stands first, so that style sheets and tests find it: `setting_task-3`.
    """
    return f"{control}-{number(control, value)}"


def reported(control: str, value: Any) -> None:
    """Remember that the visitor has set a control to a value."""
    state = _state()
    known, _ = state.controls.get(control, (0, None))
    if known:
        state.controls[control] = (known, value)


def _state() -> _State:
    return st.session_state.setdefault(STATE, _State())
