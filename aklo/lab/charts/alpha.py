"""Charts of schedules: several side by side, and the map of a family of schedules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from aklo.lab.charts.base import axis_end, color, is_dark, line, mode, new, palette, steps_range
from aklo.lab.charts.palette import SLOTS
from aklo.lab.charts.plotly_figure import Figure
from aklo.methods import KNOWING, METHODS

if TYPE_CHECKING:
    from aklo.lab.compute.alpha_map import AlphaMap
    from aklo.lab.compute.schedule_comparison import Entry

MARKS = dict(zip(METHODS, ("line-ew", "x", "triangle-up-open", "square-open", "diamond", "circle"), strict=True))
HALF = 300  # pixels: the height of a chart in one of two columns


def stroke(entry: Entry) -> dict:
    """Return an entry's stroke as Plotly's `line`. The current schedule has the thicker one."""
    if entry.mark in SLOTS:
        one = SLOTS[entry.mark]
        colour = one.dark if is_dark() else one.light
        dash = ",".join(f"{length}px" for length in one.pattern) or "solid"
    else:
        colour, dash = palette().ink, "solid"
    return {"color": colour, "dash": dash, "width": 3.5 if entry.current else 2}


def curves(entries: Sequence[Entry], n: int) -> Figure:
    """Return a chart of alpha_t, one line for each schedule."""
    figure = new(HALF, x="Step t", y="Alpha", x_range=steps_range(n), y_range=(-0.03, 1.05))
    for entry in entries:
        figure.add_scatter(
            x=np.arange(1, n + 1), y=entry.alpha, name=entry.mark, mode=mode(n), line=stroke(entry),
            hovertemplate="%{y:.3f}",
        )  # fmt: skip
    return figure


def ace(entries: Sequence[Entry]) -> Figure:
    """Return a chart of the ACE, one row for each schedule; ITOL and TOL, which use no alpha, are vertical lines."""
    rows = [entry.mark for entry in entries]
    shares = 100 * np.array([list(entry.ace.values()) for entry in entries])
    top = axis_end(1.03 * shares.max(), limit=103)
    figure = new(HALF, x="ACE, % wrong over the whole stream", y="", x_range=(0, top), value_axis="x")
    heights = np.arange(len(rows))
    figure.update_yaxes(
        tickvals=heights, ticktext=rows, range=(len(rows) - 0.5, -0.5), tickfont={"size": 15, "color": palette().ink},
        showgrid=True,
    )  # fmt: skip
    for m, method in enumerate(METHODS):
        if method in KNOWING:
            edge = {"color": color(method), "width": 2}
            figure.add_scatter(
                x=shares[:, m], y=heights, name=method, mode="markers", hovertemplate="%{x:.1f} %",
                marker={"color": color(method), "symbol": MARKS[method], "size": 12, "line": edge},
            )  # fmt: skip
        else:
            figure.add_scatter(
                x=[shares[0, m]] * 2, y=[-0.5, len(rows) - 0.5], name=method, mode="lines", line=line(method),
                hovertemplate="%{x:.1f} %",
            )  # fmt: skip
    figure.update_layout(hovermode="closest")
    return figure


def heat(alpha_map: AlphaMap, here: tuple[float, float] | None, method: str, height: int) -> Figure:
    """Return a heat map of the ACE over a family of schedules.

    Parameters
    ----------
    alpha_map
        The ACE of each cell.
    here
        The current schedule as (share, end), or None if it is not in the family.
    method
        The name of the method, for the hover text.
    height
        In pixels.
    """
    p = palette()
    ends, shares = (np.arange(n) / (n - 1) for n in alpha_map.ace.shape)
    shares, percent = 100 * shares, 100 * alpha_map.ace
    figure = new(
        height, x="Time to fall, % of the task", y="End value of alpha", x_range=(-5, 105),
        y_range=(-0.05, 1.05), value_axis=None,
    )  # fmt: skip
    figure.add_heatmap(
        x=shares, y=ends, z=percent, customdata=np.arange(percent.size).reshape(percent.shape),  # the cell's number
        colorscale="Cividis", reversescale=True, xgap=1, ygap=1, showlegend=False,
        hovertemplate=f"falls to %{{y}} within %{{x}} %<br>{method}: %{{z:.1f}} %<extra></extra>",
        colorbar={
            "title": {"text": "ACE, %"}, "thickness": 12, "outlinewidth": 0, "tickfont": {"size": 13, "color": p.soft},
        },
    )  # fmt: skip
    rows, columns = np.nonzero(alpha_map.ace > alpha_map.itol)
    figure.add_scatter(
        x=shares[columns], y=ends[rows], name="worse than ITOL", mode="markers", hoverinfo="skip",
        marker={"symbol": "x-thin", "size": 8, "color": "#ffffff", "line": {"width": 1.5, "color": "#ff5d73"}},
    )  # fmt: skip
    i, j = alpha_map.best
    figure.add_scatter(
        x=[shares[j]], y=[ends[i]], name="best", mode="markers", hoverinfo="skip",
        marker={"symbol": "star", "size": 20, "color": "#ffffff", "line": {"width": 2, "color": "#101418"}},
    )  # fmt: skip
    figure.add_scatter(
        x=[] if here is None else [100 * here[0]], y=[] if here is None else [here[1]], name="current", mode="markers",
        hoverinfo="skip", cliponaxis=False,
        marker={"symbol": "circle", "size": 14, "color": "#ffffff", "line": {"width": 3, "color": "#101418"}},
    )  # fmt: skip
    figure.update_layout(hovermode="closest")
    return figure
