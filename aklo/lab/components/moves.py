"""What a visitor does with a component of the lab: the moves that `shared/moves.js` sends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from aklo.lab.components.registry import Component
from aklo.lab.session import control_keys
from aklo.lab.session.state import Drag

MOST = 200  # moves of one message that are heard, the newest


@dataclass(frozen=True)
class Move:
    """One move.

    Attributes
    ----------
    value : what the component was moved to, not yet checked.
    drag : the gesture that the move is part of.
    """

    value: Any
    drag: Drag


def mount(component: Component, take: Callable[[Move], None], *, key: str, data: bytes, **options: Any) -> None:
    """Mount a component that sends moves, and hand each new move to a function.

    Parameters
    ----------
    component
        Its data has to hold `control_keys.last_move(key)`, so that the browser knows what has arrived.
    take
        Called with each move, before the page is drawn again. It has to check the value, which may come from outside.
    key, data, options
        As Streamlit's components take them.
    """

    def moved() -> bool:
        found = _new_moves(key)
        for move in found:
            take(move)
        return bool(found)

    component(key=key, data=data, on_move_change=moved, **options)
    if moved():  # sent again after the session was lost: the new session called nothing before it drew the page
        st.rerun()


def sent_value(key: str, trigger: str) -> Any:
    """Return what a component has sent under a trigger, not yet checked; None where it has sent nothing.

    A visitor may move a component and leave the page in the same moment: then the session holds nothing of it.
    """
    held = st.session_state.get(key)
    return None if held is None else held.get(trigger)


def _new_moves(key: str) -> list[Move]:
    """Return the moves that a component has sent and that were not heard before, and remember that they were."""
    sent = sent_value(key, "move")
    if not isinstance(sent, list):
        return []
    last = control_keys.last_move(key)
    new = [one for one in sent if _is_move(one) and (last is None or one["id"] > last)][-MOST:]
    if new:
        control_keys.record_move(key, new[-1]["id"])
    return [Move(one["value"], Drag(f"{key} {one['drag']}", done=one["done"] is True)) for one in new]


def _is_move(one: Any) -> bool:
    return isinstance(one, dict) and {"id", "value", "drag", "done"} <= one.keys() and isinstance(one["id"], int)


def is_number(value: Any) -> bool:
    """Whether a value from a browser is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < float("inf")
