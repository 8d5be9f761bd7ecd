"""All tasks of a stream in one plane, and their order, as a Streamlit component: drawn in the browser, so that a slider
of the generator moves the picture in place. It is made of the player's helpers and panel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import streamlit as st

import aklo
from aklo.lab.components import player
from aklo.lab.session import exports

HERE = Path(__file__).parent
PLAYER = ("dom.js", "geometry.js", "panel.js")
CLOUD = 400  # examples of a group that are drawn


def overview(stream: aklo.TaskStream, group_names: Sequence[str], *, key: str, alt: str) -> None:
    """Show a stream in the plane. alt: what it shows, in words."""
    data = player.written(pack(stream, group_names) | {"alt": alt})
    _component()(key=key, data=data)
    exports.picture(key, css=style_sheet, script=script, data=data)


def pack(stream: aklo.TaskStream, group_names: Sequence[str]) -> dict:
    """What the browser needs: for each group its examples by label, mean, and its tasks' labelling vectors; the order
    of the groups; and the window, around all examples and the origin."""
    of_row, groups = np.repeat(stream.groups, stream.lengths), []
    for g in sorted(set(stream.groups)):
        rows = np.flatnonzero(of_row == g)
        some = rows[:: -(-len(rows) // CLOUD)]
        vectors = stream.vectors[[k for k, group in enumerate(stream.groups) if group == g]]
        groups.append(
            {
                "group": g,
                "name": group_names[g],
                "plus": _short(stream.X[some[stream.y[some] > 0]]),
                "minus": _short(stream.X[some[stream.y[some] < 0]]),
                "mean": _short(stream.X[rows].mean(axis=0)),
                "vectors": vectors.round(6).tolist(),
                "vector": vectors.mean(axis=0).round(4).tolist(),
            }
        )
    low, high = np.minimum(stream.X.min(axis=0), 0), np.maximum(stream.X.max(axis=0), 0)
    box = [*(np.floor(low) - 1), *(np.ceil(high) + 1)]
    return {"groups": groups, "order": list(stream.groups), "names": list(stream.names), "box": box}


def _short(points: np.ndarray) -> list:
    return points.round(3).tolist()


@cache
def _component() -> Callable:
    """The component, registered once in a process."""
    return st.components.v2.component("aklo_overview", css=style_sheet(), js=player.loader(script()))


def script() -> str:
    """The picture's JavaScript."""
    return player.bundle([*(player.HERE / name for name in PLAYER), HERE / "overview.js"], "aklo-overview.js")


def style_sheet() -> str:
    """The picture's CSS."""
    return player.style_sheet() + (HERE / "overview.css").read_text(encoding="utf-8")
