"""The guesses of a room beside the outcome: a histogram of numbers, or a bar for each choice."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from aklo.lab.charts.base import axis_end, new, palette, whole
from aklo.lab.charts.plotly_figure import Figure
from aklo.lab.settings.text import escape_plotly

MOST_BARS = 25


def bins(low: float, high: float, step: float) -> tuple[np.ndarray, float]:
    """Return the middles of the bars between low and high, at most `MOST_BARS` of them, and their width.

    A bar holds the same number of possible guesses, and the guess `low` lies in the first.

    >>> bins(0, 6, 1)
    (array([0., 1., 2., 3., 4., 5., 6.]), 1.0)
    """
    values = round((high - low) / step) + 1
    together = math.ceil(values / MOST_BARS)
    width = together * step
    return low + (width - step) / 2 + width * np.arange(math.ceil(values / together)), float(width)


def numbers(
    guesses: Sequence[float], low: float, high: float, step: float, *, outcome: float | None, own: float | None,
    title: str, height: int,
) -> Figure:  # fmt: skip
    """Return the histogram. outcome, own: where to draw a line; title: of the x axis."""
    p = palette()
    middles, width = bins(low, high, step)
    bar = np.floor((np.asarray(guesses, float) - low + step / 2) / width).astype(int)
    counts = np.bincount(np.clip(bar, 0, len(middles) - 1), minlength=len(middles))
    end = axis_end(max(int(counts.max(initial=0)), 1) * 1.1)
    figure = new(
        height, x=escape_plotly(title), y="Students", x_range=(low - width, high + width), y_range=(0, end), letters=3,
    )  # fmt: skip
    first, last = middles - width / 2 + step / 2, middles + width / 2 - step / 2
    spans = [f"{a:g}" if a == b else f"{a:g} to {min(b, high):g}" for a, b in zip(first, last, strict=True)]
    figure.add_bar(
        x=middles, y=counts, width=0.92 * width, name="guesses", customdata=spans, marker={"color": p.others},
        hovertemplate="%{customdata}: %{y} of the students<extra></extra>",
    )  # fmt: skip
    for name, value, line in (
        ("what happens", outcome, {"color": p.wrong, "width": 4}),
        ("your guess", own, {"color": p.accent, "width": 3, "dash": "dash"}),
    ):
        if value is not None:
            figure.add_scatter(
                x=[value, value], y=[0, end], mode="lines", name=name, line=line, meta="guide",
                hovertemplate=f"{name}: {value:g}<extra></extra>",
            )  # fmt: skip
    figure.update_layout(hovermode="closest", yaxis=whole(end), xaxis={"showgrid": False})
    return figure


def choices(
    guesses: Sequence[float], labels: Sequence[str], *, outcome: float | None, own: float | None, height: int
) -> Figure:
    """Return a bar for each choice, the first at the top, and a line along the outcome's."""
    p = palette()
    counts = np.bincount(np.asarray(guesses, int), minlength=len(labels))
    end = axis_end(max(int(counts.max(initial=0)), 1) * 1.1)
    figure = new(
        height, x="Students", y="", x_range=(0, end), letters=min(max(map(len, labels)), 26), value_axis=None,
    )  # fmt: skip
    rows = np.arange(len(labels))
    figure.add_bar(
        x=counts, y=rows, orientation="h", width=0.7, name="guesses", marker={"color": p.others},
        hovertemplate="%{x} of the students<extra></extra>",
    )  # fmt: skip
    if outcome is not None:
        figure.add_scatter(
            x=[0, end], y=[outcome] * 2, mode="lines", name="what happens", line={"color": p.wrong, "width": 4},
            meta="guide", hoverinfo="skip",
        )  # fmt: skip
    if own is not None:
        figure.add_scatter(
            x=[max(counts[int(own)] / 2, end / 30)], y=[own], mode="markers", name="your guess", hoverinfo="skip",
            marker={"symbol": "diamond", "size": 18, "color": p.accent, "line": {"color": p.ground, "width": 2}},
        )  # fmt: skip
    ticks = {"tickmode": "array", "tickvals": rows, "ticktext": [_short(label) for label in labels]}
    figure.update_layout(
        hovermode="closest", barmode="overlay", xaxis=whole(end),
        yaxis={**ticks, "range": (len(labels) - 0.4, -0.6), "showgrid": False},
    )  # fmt: skip
    return figure


def _short(label: str) -> str:
    return escape_plotly(label if len(label) <= 26 else f"{label[:25]}…")
