"""The rest of a page, asked for by the browser as soon as it has shown the picture.

Sent together, a browser would draw all of a page's charts before it shows any of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import streamlit as st


def asked(turn: int, on_ask: Callable[[], None]) -> None:
    """An element that nobody sees, which has `on_ask` called once for each new turn, when what came with it is shown.

    turn: 0 asks for nothing.
    """
    _component()(key="rest", data={"turn": turn}, on_turn_change=on_ask, height=1)


@cache
def _component() -> Callable:
    """The component, registered once in a process."""
    js = (Path(__file__).parent / "rest.js").read_text(encoding="utf-8")
    return st.components.v2.component("aklo_rest", js=js)
