"""A Streamlit component that animates the cumulative errors of the methods over a whole stream.

A change of the settings updates it in place, and it goes on playing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from aklo.lab.charts.base import cumulative, errors_end, points
from aklo.lab.components.moves import Move, is_number, mount
from aklo.lab.components.registry import Component, to_bytes
from aklo.lab.components.rules import about_rules
from aklo.lab.session import control_keys, exports

RACE = Component(
    "aklo_race",
    "stream_race/stream_race.js",
    ("shared/frame.css", "shared/panels.css", "stream_race/stream_race.css"),
)


def stream_race(
    wrong: np.ndarray,
    offsets: np.ndarray,
    *,
    methods: Sequence[str],
    after: int,
    key: str,
    alt: str,
    on_stop: Callable[[int], None],
) -> None:
    """Show the cumulative errors of each method.

    Parameters
    ----------
    wrong : (m, n), 1 for an error, or the probability of one.
    offsets : (T + 1,), the index of each task's first example, and n.
    methods : the m methods.
    after : the number of tasks up to which the lines are shown, 0 for all.
    alt : a description for screen readers.
    on_stop : called with `after` when a visitor has stopped the race at another task.
    """

    def take(move: Move) -> None:
        if is_number(move.value):
            on_stop(int(min(max(move.value, 0), len(offsets) - 1)))

    told: dict[str, Any] = {"methods": list(methods), "rules": about_rules(methods), "alt": alt}
    told |= {"after": after, "heard": control_keys.last_move(key)}
    data = to_bytes(pack(wrong, offsets) | told)
    mount(RACE, take, key=key, data=data)
    exports.picture(key, css=RACE.style_sheet, script=RACE.script, data=data)


def pack(wrong: np.ndarray, offsets: np.ndarray) -> dict:
    """Return the component's data: numbers of examples, the errors of each method up to them, offsets, axis end."""
    seen, totals = points(int(offsets[-1]), *offsets), cumulative(wrong)
    return {
        "seen": seen.tolist(),
        "totals": [_short(row) for row in totals[:, seen]],
        "offsets": offsets.tolist(),
        "top": errors_end(totals),
    }


def _short(numbers: np.ndarray) -> list:
    """Return numbers for JSON; whole numbers as integers, which are shorter."""
    whole = numbers.astype(int)
    return whole.tolist() if (whole == numbers).all() else numbers.round(2).tolist()
