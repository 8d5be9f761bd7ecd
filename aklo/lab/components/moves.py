"""What a visitor does with a component that reports while it is dragged (shared/moves.js)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from aklo.lab.session import control_keys
from aklo.lab.session.state import Drag


@dataclass(frozen=True)
class Move:
    """One move. value: what the component was moved to, not yet checked; drag: the gesture that it is part of."""

    value: Any
    drag: Drag


def sent_value(key: str, trigger: str) -> Any:
    """Return what a component has sent under a trigger, not yet checked; None where it has sent nothing.

    A visitor may move a component and leave the page in the same moment: then the session holds nothing of it.
    """
    held = st.session_state.get(key)
    return None if held is None else held.get(trigger)


def new_move(key: str, trigger: str = "move", *, control: str = "") -> Move | None:
    """Return the move that a component has just sent, or None where it is none or has come before.

    To be called in the callback of its trigger.

    Parameters
    ----------
    key : the component's.
    trigger : the name under which it sends its moves.
    control : the name under which the move is remembered; the key by default.
    """
    sent = sent_value(key, trigger)
    if not isinstance(sent, dict) or not {"id", "value", "drag", "done"} <= sent.keys():
        return None
    name = control or key
    if not control_keys.hear(name, sent["id"]):
        return None
    # Components count their drags each for themselves.
    return Move(sent["value"], Drag(f"{name} {sent['drag']}", done=sent["done"] is True))


def is_number(value: Any) -> bool:
    """Whether a value from a browser is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < float("inf")
