"""Alpha as one large curve, whose points can be dragged, as a Streamlit component.

Below the curve knowledge is trusted, above it the learner. Dragging is live in the browser; Python hears of a schedule
when a point is let go.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st

from aklo.knowledge import Horizon, periods
from aklo.lab.components.registry import Component, to_bytes
from aklo.lab.session import control_keys, exports
from aklo.lab.settings.schema import FIELDS
from aklo.schedules import Custom, Schedule

ALPHA_EDITOR = Component("aklo_alpha_editor", "alpha_editor/alpha_editor.js", ("alpha_editor/alpha_editor.css",))
POINTS = 9  # for a schedule that was not drawn by hand
FEWEST, MOST = 3, 17  # points that can be told apart with a finger


def alpha_editor(
    schedule: Schedule,
    n: int,
    *,
    horizon: Horizon,
    name: str,
    alt: str,
    key: str,
    on_change: Callable[[str], None],
    waiting: str = "",
) -> None:
    """Show a schedule over n steps as a curve to drag.

    Under an unknown horizon it cannot be dragged, and shows where the weights start anew.

    Parameters
    ----------
    name : the schedule's name, for the legend.
    alt : the curve in words.
    on_change : called with the spec of a schedule that was drawn by hand.
    waiting : a sentence on a hand-drawn curve that waits for a known horizon, shown under the curve while it is locked.
    """

    def drawn() -> None:
        # What a browser says is checked like an address.
        spec, _ = FIELDS["alpha"].read(str(st.session_state[key].get("alpha") or ""), "")
        if spec is not None:
            control_keys.component_reported(key, spec)
            on_change(spec)

    curve = schedule.values(n)
    data = {
        "points": points(schedule, n),
        "curve": np.resize(curve.round(3), max(n, 2)).tolist(),  # one step alone is a level line, not a point
        "n": n,
        "spec": schedule.spec,
        "revision": control_keys.number(key, schedule.spec),
        "waiting": waiting,
        "name": f"start: {name}",
        "alt": alt,
        "locked": horizon == "unknown",
        "resets": np.unique(periods(n)).tolist() if horizon == "unknown" else [],
    }
    told = to_bytes(data)
    ALPHA_EDITOR(key=key, data=told, on_alpha_change=drawn)
    exports.picture(key, css=ALPHA_EDITOR.style_sheet, script=ALPHA_EDITOR.script, data=told)


def points(schedule: Schedule, n: int) -> list[float]:
    """The heights to drag: a hand-drawn schedule's own, another's at evenly spread steps."""
    if isinstance(schedule, Custom) and FEWEST <= len(schedule.points) <= MOST:
        heights = np.array(schedule.points)
    else:
        heights = np.interp(np.linspace(0, n - 1, POINTS), np.arange(n), schedule.values(n))
    return heights.round(3).tolist()
