"""A Streamlit component that shows all tasks of a stream in one plane, and their order.

The browser draws it, so that a change of the generator's settings updates the picture in place.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import aklo
from aklo.lab.components.registry import Component, to_bytes
from aklo.lab.session import exports

OVERVIEW = Component(
    "aklo_overview",
    "stream_overview/stream_overview.js",
    ("shared/frame.css", "shared/panels.css", "stream_overview/stream_overview.css"),
)
CLOUD = 400  # the most examples of a group that are drawn


def stream_overview(stream: aklo.TaskStream, group_names: Sequence[str], *, key: str, alt: str) -> None:
    """Show a stream with two features. alt: a description for screen readers."""
    data = to_bytes(pack(stream, group_names) | {"alt": alt})
    OVERVIEW(key=key, data=data)
    exports.picture(key, css=OVERVIEW.style_sheet, script=OVERVIEW.script, data=data)


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


def _short(points: np.ndarray) -> list:
    return points.round(3).tolist()
