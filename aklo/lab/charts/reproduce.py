"""Charts, table colours and the legend of the page "Reproduce the paper"."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from pandas.io.formats.style import Styler

import aklo
from aklo.lab.charts import base
from aklo.lab.charts.base import axis_end, whole
from aklo.lab.charts.plotly_figure import Figure
from aklo.lambda_choice import LambdaChoice
from aklo.paper.reproduction import NEAR

HEIGHT = 300
AMBER = "#eab308"  # lighter than the palette's `right` and `wrong`, so that it differs from both without hue


def shade(sds: float) -> str:
    """Return the CSS of a table cell by its distance from the paper's value, in standard deviations."""
    p = base.palette()
    if np.isnan(sds):
        return ""
    colour = p.right if abs(sds) <= NEAR else AMBER if abs(sds) <= 2 * NEAR else p.wrong
    return f"background-color: {base.see_through(colour, 0.2)}"


def styled(cells: pd.DataFrame, sds: pd.DataFrame) -> Styler:
    """Return a table of texts, coloured by a table of distances of the same shape."""
    return cells.style.apply(lambda _: sds.map(shade), axis=None)


def ace(repeats: aklo.Repeats) -> Figure:
    """Return a chart of the ACE after each task, in percent, with bands of one standard deviation."""
    after = 100 * repeats.ace_after
    n = after.shape[2]
    figure = _panel(np.arange(1, n + 1), after, x="Tasks seen", y="Average error, %")
    figure.update_layout(xaxis={"range": (1, max(n, 2)), **whole(n)})
    return figure


def last_task(errors: np.ndarray) -> Figure:
    """Return a chart of the cumulative errors within a task. errors: (R, 6, N)."""
    n = errors.shape[2]
    figure = _panel(np.arange(1, n + 1), errors, x="Examples of the last task", y="Errors so far")
    figure.update_layout(xaxis={"range": (1, max(n, 2)), **whole(n)})
    return figure


def _panel(at: np.ndarray, values: np.ndarray, x: str, y: str) -> Figure:
    """Return a chart of the means of `values`, (R, 6, n), with bands of one standard deviation."""
    mean, sd = values.mean(axis=0), values.std(axis=0, ddof=1)
    figure = base.new(HEIGHT, y_range=(0, axis_end((mean + sd).max())), legend=False, x=x, y=y)
    figure.add_traces(base.method_bands(at, mean, sd, aklo.METHODS))
    for method, m, s in zip(aklo.METHODS, mean, sd, strict=True):
        figure.add_scatter(
            x=at, y=m, mode="lines", line=base.line(method), name=method, customdata=s,
            hovertemplate="%{y:.1f} ± %{customdata:.1f}",
        )  # fmt: skip
    return figure


def lambda_curves(choices: Mapping[str, LambdaChoice]) -> Figure:
    """Return a chart of ITOL's error against lambda, one line for each dataset, with a larger mark at the least."""
    p = base.palette()
    figure = base.new(340, x="Lambda", y="ITOL's average error, %", y_range=(0, 55))
    dashes = ("solid", "dash", "dot", "longdash", "dashdot")
    for i, (dataset, choice) in enumerate(choices.items()):
        colour = p.groups[i % len(p.groups)]
        errors = 100 * choice.errors
        ring = {"size": [15 if lam == choice.lam else 6 for lam in errors.index], "color": colour}
        figure.add_scatter(
            x=[f"{lam:g}" for lam in errors.index], y=errors.to_numpy(), name=dataset, mode="lines+markers",
            line={"color": colour, "dash": dashes[i % len(dashes)], "width": 2}, marker=ring,
            hovertemplate="%{y:.1f}",
        )  # fmt: skip
    figure.update_layout(xaxis={"type": "category"})
    return figure


def legend() -> str:
    """Return one legend for all panels as HTML: the strokes and names of the six methods."""
    parts = []
    for method in aklo.METHODS:
        look, at, stops = base.line(method), 0, []
        for i, length in enumerate(base.STROKES[method].pattern or (1,)):
            stops.append(f"{'transparent' if i % 2 else look['color']} {at}px {at + length}px")
            at += length
        drawn = f"width:36px;height:{look['width']}px;background:repeating-linear-gradient(90deg,{','.join(stops)})"
        parts.append(
            '<span style="display:inline-flex;align-items:center;gap:.5rem;margin-right:1.4rem;white-space:nowrap">'
            f'<span style="{drawn}"></span>{method}</span>'
        )
    return f"<div>{''.join(parts)}</div>"
