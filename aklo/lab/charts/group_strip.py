"""The groups of a stream's tasks as a strip of coloured cells, for figures with tasks on the x axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import aklo
from aklo.lab.charts import base
from aklo.lab.charts.plotly_figure import Trace, heatmap, scatter
from aklo.lab.settings.text import escape_plotly


def group_color(group: int) -> str:
    """Return a group's colour in this visitor's theme."""
    colours = base.palette().groups
    return colours[group % len(colours)]


def strip(
    streams: Sequence[aklo.TaskStream], group_names: Sequence[str], rows: Sequence[str], **axes: Any
) -> tuple[list[Trace], dict[str, Any]]:
    """Return the traces of a strip, with its legend entries, and the settings of its y axis.

    There is a row for each stream and a column for each task. Two groups are drawn in two lanes, so that they differ
    in position as well as in colour; the names of more than two are written into the cells.

    Parameters
    ----------
    streams
        Streams with the same number of tasks.
    group_names
        The name of each group.
    rows
        The label of each row.
    axes
        The axes of the traces, such as yaxis="y2".
    """
    many, n_tasks = len(group_names), len(streams[0])
    lanes = many if many <= 2 else 1
    pitch = lanes + (len(streams) > 1 and lanes > 1)  # an empty lane between two streams
    z = np.full((pitch * len(streams), n_tasks), np.nan)
    names = np.full(z.shape, "", dtype=object)
    labels = names.copy()
    for r, stream in enumerate(streams):
        for k, group in enumerate(stream.task_groups):
            lane = pitch * r + (group if lanes > 1 else 0)
            z[lane, k], names[lane, k] = group, escape_plotly(stream[k].name)
            labels[lane, k] = escape_plotly(group_names[group].split()[-1])
    colours = [group_color(g) for g in range(many)]
    drawn = heatmap(
        z=z, zmin=-0.5, zmax=many - 0.5, customdata=names, showscale=False, xgap=1, ygap=1, hoverongaps=False,
        colorscale=[[(g + side) / many, colours[g]] for g in range(many) for side in (0, 1)],
        hovertemplate="%{customdata}<extra></extra>", text=labels if lanes == 1 and n_tasks <= 30 else None,
        texttemplate="%{text}", textfont={"color": base.palette().ground}, **axes,
    )  # fmt: skip
    middles = [pitch * r + (lanes - 1) / 2 for r in range(len(streams))]
    axis = {"range": [len(z) - (pitch - lanes) - 0.5, -0.5], "tickvals": middles, "ticktext": list(rows)}
    seen = sorted({g for stream in streams for g in stream.task_groups})
    return [drawn, *legend(seen, group_names, **axes)], {**axis, "showgrid": False, "zeroline": False, "ticks": ""}


def legend(groups: Sequence[int], group_names: Sequence[str], **axes: Any) -> list[Trace]:
    """Return traces that add a square to the legend for each group."""
    return [
        scatter(
            x=[None], y=[None], mode="markers", name=escape_plotly(group_names[g]), hoverinfo="skip", meta="key",
            marker={"symbol": "square", "size": 12, "color": group_color(g)}, **axes,
        )
        for g in groups
    ]  # fmt: skip
