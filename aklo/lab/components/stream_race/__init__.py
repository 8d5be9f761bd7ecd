"""The race over a whole stream, as a Streamlit component: drawn in the browser, where it can be played.

A changed setting changes it in place, and it goes on playing.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st

from aklo.lab.charts.base import axis_end
from aklo.lab.components.registry import Component, to_bytes
from aklo.lab.session import control_keys, exports

RACE = Component(
    "aklo_race",
    "stream_race/stream_race.js",
    ("shared/frame.css", "shared/panels.css", "stream_race/stream_race.css"),
)
POINTS = 300  # of a line, besides one at each end of a task: more than a screen shows


def stream_race(
    wrong: np.ndarray,
    offsets: np.ndarray,
    *,
    after: int,
    key: str,
    alt: str,
    on_stop: Callable[[int], None],
) -> None:
    """Show how many predictions of each method were wrong so far.

    Parameters
    ----------
    wrong : (6, n), 1 or the probability of an error.
    offsets : (T + 1,), where tasks begin, and n.
    after : the number of tasks up to which the lines are shown, 0 for all.
    alt : what it shows, in words.
    on_stop : called with `after` when a visitor has played, stepped or scrubbed to another place.
    """

    def stopped() -> None:
        place = st.session_state[key].get("after")
        if isinstance(place, int | float):
            found = int(min(max(place, 0), len(offsets) - 1))
            control_keys.component_reported(key, found)
            on_stop(found)

    data = to_bytes(pack(wrong, offsets) | {"after": after, "revision": control_keys.number(key, after), "alt": alt})
    RACE(key=key, data=data, on_after_change=stopped)
    exports.picture(key, css=RACE.style_sheet, script=RACE.script, data=data)


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
