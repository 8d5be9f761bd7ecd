"""An editor for alpha as a Streamlit component: a curve with points to drag.

The area below the curve is the weight of the knowledge base, the area above it that of the learner. The browser redraws
the curve while a point is dragged, and reports the schedule when the point is released.
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
POINTS = 9  # for a schedule that is not a `Custom` one
FEWEST, MOST = 3, 17  # the numbers of points that can be edited with a finger


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
    """Show a schedule over n steps as a curve with points to drag.

    Under an unknown horizon the curve cannot be edited, and shows the steps at which the weights are reset.

    Parameters
    ----------
    name : the schedule's name, for the legend.
    alt : a description of the curve, for screen readers.
    on_change : called with the spec of the schedule that a visitor has drawn.
    waiting : a sentence on a schedule that needs a known horizon, shown below the curve while it cannot be edited.
    """

    def changed() -> None:
        # Input from a browser is validated like an address.
        spec, _ = FIELDS["alpha"].read(str(st.session_state[key].get("alpha") or ""), "")
        if spec is not None:
            control_keys.component_reported(key, spec)
            on_change(spec)

    curve = schedule.values(n)
    data = {
        "points": points(schedule, n),
        "curve": np.resize(curve.round(3), max(n, 2)).tolist(),  # a single step is drawn as a horizontal line
        "n": n,
        "spec": schedule.spec,
        "revision": control_keys.number(key, schedule.spec),
        "waiting": waiting,
        "name": f"start: {name}",
        "alt": alt,
        "locked": horizon == "unknown",
        "resets": np.unique(periods(n)).tolist() if horizon == "unknown" else [],
    }
    block = to_bytes(data)
    ALPHA_EDITOR(key=key, data=block, on_alpha_change=changed)
    exports.picture(key, css=ALPHA_EDITOR.style_sheet, script=ALPHA_EDITOR.script, data=block)


def points(schedule: Schedule, n: int) -> list[float]:
    """Return the heights of the points: those of a `Custom` schedule, or values at evenly spaced steps."""
    if isinstance(schedule, Custom) and FEWEST <= len(schedule.points) <= MOST:
        heights = np.array(schedule.points)
    else:
        heights = np.interp(np.linspace(0, n - 1, POINTS), np.arange(n), schedule.values(n))
    return heights.round(3).tolist()
