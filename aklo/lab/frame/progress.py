"""Work that a visitor waits for: offered with its price, shown as it goes, stopped by a click.

The work keeps what it has done, part by part, so that neither Stop nor a move of another knob loses it. Streamlit ends
it at a move of the bar when the visitor has clicked on anything outside a fragment: never wait within one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

T = TypeVar("T")


@dataclass(frozen=True)
class Work:
    """name: of its buttons and of its place in the session; wanted: all that it depends on; known: the share that is
    done already; unasked: whether it is short enough to begin without a click; price: a sentence on what it takes;
    start: the button's word; help: the button's help; doing: the bar's word."""

    name: str
    wanted: Hashable
    known: float
    unasked: bool
    price: str
    start: str
    help: str
    doing: str


def ask(work: Work, place: DeltaGenerator, compute: Callable[[Callable[[float], None]], T]) -> T | None:
    """What `compute(progress)` gives, with a bar and Stop in its place meanwhile; None where it waits to be asked.

    place: an `st.empty()`.
    """
    if work.known == 1:
        return compute(lambda share: None)
    wanted, go_on = st.session_state.get(f"{work.name}_wanted", (None, False))  # the visitor's last word
    decided = wanted == work.wanted
    if not (go_on if decided else work.unasked):
        with place.container():
            st.info(work.price, icon=":material/hourglass_empty:")
            st.button(
                f"Go on, {work.known:.0%} is there" if decided else work.start, key=f"{work.name}_start",
                type="primary", icon=":material/grid_on:", on_click=_decide, args=(work, True), help=work.help,
            )  # fmt: skip
        return None
    with place.container():
        bar = st.progress(work.known, work.doing)
        st.button(
            "Stop", key=f"{work.name}_stop", icon=":material/stop:", help="Stop here. What is done is kept.",
            on_click=_decide, args=(work, False),
        )  # fmt: skip
        return compute(lambda share: bar.progress(share, f"{work.doing}: {share:.0%}"))


def _decide(work: Work, go_on: bool) -> None:
    st.session_state[f"{work.name}_wanted"] = (work.wanted, go_on)
    st.rerun()  # the whole page: a part alone could not be stopped
