"""Long work that a visitor waits for: offered with its price, shown as it goes on, stopped by a click.

The work keeps what it has done, so neither Stop nor a move of another control loses it. Streamlit ends the work at a
move of the progress bar when the visitor has clicked on anything. Work that the system has ended counts as stopped: the
page is drawn to its end, with the controls by which it can be made smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from aklo.lab.compute import runs
from aklo.lab.server.turns import turn_given_up
from aklo.lab.server.worker import WorkerLost
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import percent

T = TypeVar("T")


@dataclass(frozen=True)
class Work:
    """A piece of long work.

    Parameters
    ----------
    name
        Of its buttons and of its entry in the session.
    wanted
        All that it depends on: a decision to start or stop is about this.
    done
        The share that is done already.
    unasked
        Whether it is short enough to begin without a click.
    price
        A sentence on what it takes.
    start, help
        The text of the button that starts it, and its help.
    doing
        The text of the progress bar.
    """

    name: str
    wanted: Hashable
    done: float
    unasked: bool
    price: str
    start: str
    help: str
    doing: str


def price(what: str, seconds: float) -> str:
    """Return the sentence for work that is not done unasked. what: what takes the time."""
    time = f"{max(seconds, 1):.0f} s" if seconds < 120 else f"{seconds / 60:.0f} minutes"
    return f"{what} takes about {time}, so it waits until you ask."


def run(work: Work, place: DeltaGenerator, compute: Callable[[Callable[[float], None]], T]) -> T | None:
    """Do the work, or offer it.

    Parameters
    ----------
    place
        An `st.empty()`, in which the offer, or the progress bar and Stop, are drawn.
    compute
        Does the work, given a function that takes the share that is done.

    Returns
    -------
    What `compute` returns, or None while the work waits to be started, again where the system has ended it.
    """
    if work.done == 1:
        return compute(lambda share: None)
    wanted, started = st.session_state.get(f"{work.name}_decision", (None, False))  # the visitor's last one
    decided = wanted == work.wanted
    if not (started if decided else work.unasked):
        _offer(work, place, stopped=decided)
        return None
    with place.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Stop", key=f"{work.name}_stop", icon=":material/stop:", on_click=_decide, args=(work, False),
            help="Stop here. What is done is kept.",
        )  # fmt: skip
        bar = st.progress(work.done, work.doing)

    def tell(share: float) -> None:
        bar.progress(share, f"{work.doing}: {percent(share, 0)}")

    try:
        with turn_given_up():
            return compute(tell)
    except WorkerLost as error:
        _decide(work, False)  # or the next move of any control would begin it again
        _offer(work, place, stopped=True, error=str(error))
        return None


def _offer(work: Work, place: DeltaGenerator, *, stopped: bool, error: str = "") -> None:
    """Draw the button that starts the work, and its price. error: why it has just ended, to be said before."""
    box = place.container()
    if error:
        box.error(error, icon=":material/memory:")
    with box.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Go on, {percent(work.done, 0)} is done" if stopped else work.start, key=f"{work.name}_start",
            type="primary", icon=":material/play_arrow:", on_click=_decide, args=(work, True), help=work.help,
        )  # fmt: skip
        st.caption(work.price)


def _decide(work: Work, start: bool) -> None:
    st.session_state[f"{work.name}_decision"] = (work.wanted, start)


def learn(settings: Settings) -> None:
    """Learn the settings' stream before the page is drawn, and say so where it takes a while."""
    if runs.is_slow(settings):
        with st.spinner("Learning, one example at a time …"), turn_given_up():
            runs.learned(settings)
