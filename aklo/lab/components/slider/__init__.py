"""A slider as a Streamlit component. Unlike Streamlit's own, it reports while it is dragged.

Its value is a number, or one of some words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from aklo.lab.components.moves import is_number, new_move
from aklo.lab.components.registry import Component, to_bytes
from aklo.lab.server import visitors
from aklo.lab.session import control_keys
from aklo.lab.session.state import Drag

SLIDER = Component("aklo_slider", "slider/slider.js", ("slider/slider.css",))


def slider(
    label: str,
    value: float,
    *,
    key: str,
    low: float,
    high: float,
    step: float = 1,
    decimals: int = 0,
    words: Sequence[str] | None = None,
    help: str,
    on_move: Callable[[float, Drag], None],
) -> None:
    """Show a slider that stands at a value.

    Parameters
    ----------
    key : of the component, which stays the same.
    low, high, step : the range, and the distance of two values.
    decimals : of the number that is shown.
    words : the names of the values 0, 1, 2, …, shown instead of numbers.
    on_move : called with the value that the visitor has set it to, and the drag that the move is part of.
    """

    def moved() -> bool:
        move = new_move(key)
        if move is None or not is_number(move.value):
            return False
        inside = min(max(move.value, low), high)
        found = round(inside) if step == int(step) and decimals == 0 else float(inside)
        control_keys.component_reported(key, found)
        on_move(found, move.drag)
        return True

    data = {
        "label": label,
        "help": help,
        "low": low,
        "high": high,
        "step": step,
        "decimals": decimals,
        "words": list(words) if words is not None else None,
        "value": value,
        "revision": control_keys.number(key, value),
        "heard": control_keys.heard(key),
        "live": visitors.are_few(),
    }
    SLIDER(key=key, data=to_bytes(data), on_move_change=moved)
    if moved():  # a move that was lost with the connection: a new session has not heard of it by the callback
        st.rerun()
