"""Charts of the page "Compare the methods", besides the race itself, which is a component."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

import aklo
from aklo.lab.charts import base
from aklo.lab.charts.base import axis_end, cumulative, errors_end, points, whole
from aklo.lab.charts.group_strip import strip
from aklo.lab.charts.plotly_figure import Figure, Trace, scatter
from aklo.lab.settings.text import escape_plotly


def last_task(wrong: np.ndarray, methods: Sequence[str]) -> Figure:
    """Return a chart of the cumulative errors in the last task. wrong: (m, N), of that task."""
    totals = cumulative(wrong)
    n = totals.shape[1] - 1
    seen, top = points(n), errors_end(totals)
    figure = base.new(380, x="Examples of the task seen", y="Mistakes so far", x_range=(0, n), y_range=(0, top))
    figure.add_traces([*_lines(seen, totals[:, seen], methods), *_end_labels(n, totals[:, -1], top, 270, methods)])
    figure.update_layout(margin={"r": 52}, xaxis=whole(n), yaxis=whole(top), legend={"itemwidth": 42})
    return figure


def ace_after(repeats: aklo.Repeats) -> Figure:
    """Return a chart of the mean ACE after each task, with a band of one standard deviation for several repetitions."""
    after = repeats.ace_after
    n_tasks = after.shape[2]
    mean, tasks = after.mean(axis=0), np.arange(n_tasks)
    sd = after.std(axis=0, ddof=1) if len(after) > 1 else None
    top = axis_end(max(0.05, (mean if sd is None else mean + sd).max()), limit=1)
    ends = (-0.5, 0.5) if n_tasks == 1 else (0, n_tasks - 1)
    figure = base.new(400, x="Task (counted from 0)", y="Average error up to here", x_range=ends, y_range=(0, top))
    lines = _lines(tasks, mean, repeats.methods, "%{y:.1%}" if sd is None else "%{y:.1%} ± %{customdata:.1%}")
    if n_tasks <= 10:
        for line in lines:
            line["mode"] = "lines+markers"
    if sd is not None:
        for line, s in zip(lines, sd, strict=True):
            line["customdata"] = s
        figure.add_traces(base.method_bands(tasks, mean, sd, repeats.methods))
    figure.add_traces(lines)
    figure.update_layout(xaxis=whole(n_tasks), yaxis={"tickformat": ".0%"}, legend={"itemwidth": 42})
    return figure


def heat_map(stream: aklo.TaskStream, shares: np.ndarray, methods: Sequence[str], group_names: Sequence[str]) -> Figure:
    """Return a heat map of the share of wrong predictions, method × task, with the tasks' groups above it."""
    figure = base.new(
        380, x="Task (counted from 0)", y="", x_range=(-0.5, len(stream) - 0.5), letters=max(map(len, methods)),
        value_axis=None,
    )  # fmt: skip
    names = [[escape_plotly(name) for name in stream.task_names]] * len(methods)
    figure.add_heatmap(
        z=shares, y=list(methods), customdata=names, zmin=0, zmax=1, colorscale=_scale(), xgap=1, ygap=1,
        hovertemplate="%{y}, %{customdata}: %{z:.1%} wrong<extra></extra>", showlegend=False,
        colorbar={"title": {"text": "Wrong", "side": "right"}, "tickformat": ".0%", "tickfont": {"size": 12},
                  "tickvals": [0, 0.25, 0.5, 0.75, 1], "thickness": 10, "len": 0.97, "y": 0, "yanchor": "bottom",
                  "outlinewidth": 0},
    )  # fmt: skip
    groups, axis = strip([stream], group_names, ["Group"], yaxis="y2")
    figure.add_traces(groups)
    figure.update_layout(
        hovermode="closest",
        yaxis={"domain": [0, 0.84], "autorange": "reversed", "showgrid": False},
        yaxis2={"domain": [0.88, 1], "tickfont": figure.layout["yaxis"]["tickfont"], **axis},
        xaxis={"showgrid": False, "anchor": "y", **whole(len(stream))},
    )
    return figure


def regret(found: aklo.Regret, competitor: str) -> Figure:
    """Return a chart of the regret over the stream; tasks without a competitor add nothing."""
    values = np.pad(found.over_stream(competitor), ((0, 0), (1, 0)))  # no regret before the first example
    n = values.shape[1] - 1
    seen = points(n)
    shown = values[:, seen]
    top, low = axis_end(max(shown.max(), 1)), -axis_end(-shown.min()) if shown.min() < 0 else 0.0
    figure = base.new(
        400, x="Examples seen", y="Regret so far", x_range=(0, n), y_range=(low, top), letters=len(f"{top:,.0f}") + 1
    )
    figure.add_shape(type="line", x0=0, x1=1, xref="x domain", y0=0, y1=0, line={"color": base.palette().soft})
    labels = _end_labels(n, values[:, -1], top, 290, found.methods, low)
    figure.add_traces([*_lines(seen, shown, found.methods), *labels])
    figure.update_layout(margin={"r": 60}, yaxis={"tickformat": ",d"}, legend={"itemwidth": 42})
    return figure


def _lines(x: np.ndarray, ys: np.ndarray, methods: Sequence[str], hover: str = "%{y:.0f}") -> list[Trace]:
    return [
        scatter(x=x, y=y, mode="lines", name=method, legendgroup=method, line=base.line(method), hovertemplate=hover)
        for method, y in zip(methods, ys, strict=True)
    ]


def _end_labels(
    x: float, ys: np.ndarray, top: float, pixels: int, methods: Sequence[str], low: float = 0.0
) -> list[Trace]:
    """Return the labels at the ends of the lines; labels that would overlap are moved apart."""
    return [
        scatter(
            **end, mode="text", textposition="middle right", textfont={"color": base.color(method), "size": 13},
            cliponaxis=False, legendgroup=method, showlegend=False, hoverinfo="skip", name=f"{method}, number",
        )
        for method, end in zip(methods, _label_positions(x, ys, top, pixels, low), strict=True)
    ]  # fmt: skip


def _label_positions(x: float, ys: np.ndarray, top: float, pixels: int, low: float) -> list[dict]:
    gap = 15 * (top - low) / pixels
    order = np.argsort(ys, kind="stable")
    heights = ys.astype(float)
    for below, above in pairwise(order):
        heights[above] = max(heights[above], heights[below] + gap)
    heights -= max(0.0, heights[order[-1]] - top)
    return [
        {"x": [x], "y": [round(float(height), 2)], "text": [f"{y:.0f}".replace("-", "−")]}
        for height, y in zip(heights, ys, strict=True)
    ]


def _scale() -> list[list]:
    """Return a colour scale whose lightness is monotone, so that it can be read without telling hues apart."""
    if base.is_dark():
        return [[0, "#1a2029"], [0.25, "#7a3b12"], [0.5, "#d9772b"], [0.75, "#f6c177"], [1, "#fff6df"]]
    return [[0, "#f6f7f9"], [0.25, "#fbc882"], [0.5, "#e0702a"], [0.75, "#9a2c1f"], [1, "#3f0d1d"]]
