"""A Streamlit component that shows all tasks of a stream in one plane, and their order.

The browser draws it, so that a change of the generator's settings updates the picture in place. A stream of two groups
can be designed in it: the visitor moves a mean, turns a labelling vector or changes the spread, and the browser makes
the examples as the generator does, from the same random numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import aklo
from aklo.lab.components.moves import Move, is_number, mount
from aklo.lab.components.registry import Component, to_bytes
from aklo.lab.compute.design import Design
from aklo.lab.server import visitors
from aklo.lab.session import control_keys, exports
from aklo.lab.session.state import Drag

OVERVIEW = Component(
    "aklo_overview",
    "stream_overview/stream_overview.js",
    ("shared/frame.css", "shared/panels.css", "stream_overview/stream_overview.css"),
)
CLOUD = 400  # the most examples of a group that are drawn


def stream_overview(
    stream: aklo.TaskStream,
    group_names: Sequence[str],
    *,
    key: str,
    alt: str,
    design: Design | None = None,
    on_design: Callable[[dict[str, float], Drag], None] | None = None,
    only_angle: bool = False,
) -> None:
    """Show a stream with two features.

    Parameters
    ----------
    alt : a description for screen readers.
    design : the plan of the stream; None for one that cannot be designed.
    on_design : called with setting -> value when the visitor has moved something, and the drag that it is part of.
    only_angle : whether to show the plane alone, small, and to let the visitor turn the angle between the groups only.
    """

    def take(move: Move) -> None:
        if design is None or on_design is None or not isinstance(move.value, dict):
            return
        values = {
            name: float(value) for name, value in move.value.items() if name in design.values and is_number(value)
        }
        on_design(values, move.drag)

    data = pack(stream, group_names) | {"alt": alt, "onlyAngle": only_angle}
    if design is not None:
        moves = {"heard": control_keys.last_move(key), "live": visitors.are_few()}
        data["design"] = pack_design(design, group_names) | moves
    block = to_bytes(data)
    mount(OVERVIEW, take, key=key, data=block)
    exports.picture(key, css=OVERVIEW.style_sheet, script=OVERVIEW.script, data=block)


def pack(stream: aklo.TaskStream, group_names: Sequence[str]) -> dict:
    """Return the component's data.

    It holds for each group the examples by label, the mean and the labelling vectors of its tasks; the order of the
    groups; and the window, which contains all examples and the origin.
    """
    of_row, groups = np.repeat(stream.task_groups, stream.lengths), []
    for g in sorted(set(stream.task_groups)):
        rows = np.flatnonzero(of_row == g)
        some = rows[:: -(-len(rows) // CLOUD)]
        members = [k for k, group in enumerate(stream.task_groups) if group == g]
        vectors = np.zeros((0, 2)) if stream.vectors is None else stream.vectors[members]
        groups.append(
            {
                "group": g,
                "name": group_names[g],
                "plus": _short(stream.X[some[stream.y[some] > 0]]),
                "minus": _short(stream.X[some[stream.y[some] < 0]]),
                "mean": _short(stream.X[rows].mean(axis=0)),
                "vectors": vectors.round(6).tolist(),
                "vector": vectors.mean(axis=0).round(4).tolist() if len(vectors) else None,
            }
        )
    low, high = np.minimum(stream.X.min(axis=0), 0), np.maximum(stream.X.max(axis=0), 0)
    box = [*(np.floor(low) - 1), *(np.ceil(high) + 1)]
    return {"groups": groups, "order": list(stream.task_groups), "names": list(stream.task_names), "box": box}


def pack_design(design: Design, group_names: Sequence[str]) -> dict[str, Any]:
    """Return what the browser makes the stream from: the settings, and the random numbers of what is drawn."""
    noise, groups = design.noise, []
    z, of_row = noise.z.reshape(-1, 2), np.repeat(np.arange(len(noise.groups)), noise.z.shape[1])
    for g in sorted(set(noise.groups.tolist())):
        rows = np.flatnonzero(noise.groups[of_row] == g)
        some = rows[:: -(-len(rows) // CLOUD)]
        groups.append(
            {
                "group": g,
                "name": group_names[g],
                "tasks": np.flatnonzero(noise.groups == g).tolist(),
                "rows": [[int(k), *pair] for k, pair in zip(of_row[some], z[some].tolist(), strict=True)],
            }
        )
    return {
        "dataset": design.dataset,
        "values": design.values,
        "ranges": design.ranges,
        "e": noise.e[:, 0].tolist(),
        "groups": groups,
    }


def _short(points: np.ndarray) -> list:
    return points.round(3).tolist()
