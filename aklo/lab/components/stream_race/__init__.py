"""The race over a whole stream, as a Streamlit component: drawn in the browser, where it can be played.

It is made of the player's helpers and panel. A changed setting changes it in place, and it goes on playing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import streamlit as st

from aklo.lab.charts.base import axis_end
from aklo.lab.components import player
from aklo.lab.session import exports

HERE = Path(__file__).parent
PLAYER = ("dom.js", "geometry.js", "panel.js")
POINTS = 300  # of a line, besides one at each end of a task: more than a screen shows


def race(
    wrong: np.ndarray, offsets: np.ndarray, *, after: int, key: str, alt: str, on_stop: Callable[[int], None]
) -> None:
    """Show how many predictions of each method were wrong so far.

    wrong: (6, n), 1 or the probability of an error; offsets: (T + 1,), where tasks begin, and n; after: the number of
    tasks up to which it is uncovered, 0 for all; alt: what it shows, in words. on_stop(after) is called when a visitor
    has played, stepped or scrubbed to another place.
    """

    def stopped() -> None:
        place = st.session_state[key].get("after")
        if isinstance(place, int | float):
            on_stop(int(min(max(place, 0), len(offsets) - 1)))

    data = player.written(pack(wrong, offsets) | {"after": after, "alt": alt})
    _component()(key=key, data=data, on_after_change=stopped)
    exports.picture(key, css=style_sheet, script=script, data=data)


def pack(wrong: np.ndarray, offsets: np.ndarray) -> dict:
    """What the browser needs: at which examples, the errors of each method up to there, the tasks' ends, the top."""
    n = int(offsets[-1])
    seen = np.unique(np.concatenate([offsets, np.linspace(0, n, POINTS).round()])).astype(int)
    totals = np.concatenate([np.zeros((len(wrong), 1)), np.cumsum(wrong, axis=1)], axis=1)
    return {
        "seen": seen.tolist(),
        "totals": [_short(row) for row in totals[:, seen]],
        "offsets": offsets.tolist(),
        "top": axis_end(max(totals[:, -1].max(), 0.05 * n, 1), limit=n),
    }


def _short(numbers: np.ndarray) -> list:
    """Whole numbers without a decimal point, which would be a third of what is sent."""
    whole = numbers.astype(int)
    return whole.tolist() if (whole == numbers).all() else numbers.round(2).tolist()


@cache
def _component() -> Callable:
    """The component, registered once in a process."""
    return st.components.v2.component("aklo_race", css=style_sheet(), js=player.loader(script()))


def script() -> str:
    """The race's JavaScript."""
    return player.bundle([*(player.HERE / name for name in PLAYER), HERE / "race.js"], "aklo-race.js")


def style_sheet() -> str:
    """The race's CSS."""
    return player.style_sheet() + (HERE / "race.css").read_text(encoding="utf-8")
