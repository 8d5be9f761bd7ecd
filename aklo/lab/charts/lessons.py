"""Charts that the lessons show before their questions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import aklo
from aklo.lab.charts import base
from aklo.lab.charts.plotly_figure import Figure

HEIGHT = 300


def examples(tasks: Sequence[aklo.Task], titles: Sequence[str], first: int, *, numbered: bool) -> Figure:
    """Return a chart of the first examples of some tasks in the plane, side by side in one pair of axes.

    Parameters
    ----------
    tasks, titles
        The tasks and what is written over them.
    first
        How many examples of each are shown.
    numbered
        Whether each example has its number beside it.
    """
    p, width = base.palette(), 7.0
    last = width * (len(tasks) - 1)
    figure = base.new(
        HEIGHT, x="x₁" if len(tasks) == 1 else "", y="x₂", x_range=(-3.4, last + 3.4), y_range=(-3.4, 3.9), letters=2,
        value_axis=None,
    )  # fmt: skip
    X = np.concatenate([task.X[:first] + np.array([width * k, 0]) for k, task in enumerate(tasks)])
    y = np.concatenate([task.y[:first] for task in tasks])
    number = np.concatenate([np.arange(1, first + 1) for _ in tasks])
    for label, colour, word in ((1, p.plus, "+1"), (-1, p.minus, "−1")):
        at = y == label
        figure.add_scatter(
            x=X[at, 0], y=X[at, 1], mode="markers+text" if numbered else "markers", name=f"label {word}",
            text=[f"{n}" for n in number[at]] if numbered else None, textposition="top right", hoverinfo="skip",
            textfont={"size": 14, "color": p.ink},
            marker={"symbol": base.SYMBOLS[label], "size": 12 if numbered else 7, "color": colour},
        )  # fmt: skip
    if len(tasks) > 1:
        figure.add_scatter(
            x=[width * k for k in range(len(tasks))], y=[3.55] * len(tasks), mode="text", text=list(titles),
            textfont={"size": 14, "color": p.ink}, hoverinfo="skip", showlegend=False,
        )  # fmt: skip
    axis = {"fixedrange": True, "showgrid": len(tasks) == 1, "showticklabels": len(tasks) == 1}
    figure.update_layout(hovermode=False, dragmode=False, xaxis=axis, yaxis={"fixedrange": True})
    return figure


def error_by_alpha(alphas: Sequence[float], worlds: dict[str, np.ndarray]) -> Figure:
    """Return a chart of AKLO Sum's error against a constant alpha. worlds: name -> (len(alphas),) shares."""
    top = base.axis_end(100 * max(errors.max() for errors in worlds.values()), limit=100)
    figure = base.new(HEIGHT, x="α, the same at every step", y="% wrong", x_range=(-0.03, 1.03), y_range=(0, top))
    symbols = ("circle", "square")
    for (name, errors), dash, symbol in zip(worlds.items(), ("solid", "dash"), symbols, strict=True):
        figure.add_scatter(
            x=list(alphas), y=100 * errors, mode="lines+markers", name=name, hovertemplate="%{y:.1f} %",
            line={**base.line("AKLO Sum"), "dash": dash}, marker={"symbol": symbol, "size": 8},
        )  # fmt: skip
    return figure
