"""Helpers that all charts share: an empty figure in the lab's style, strokes, bands and axis ranges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from aklo.lab.charts.palette import DARK, LIGHT, STROKES, Palette
from aklo.lab.charts.plotly_figure import Figure, Trace, scatter
from aklo.lab.session.theme import is_dark

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
LETTER, ROOM = 7.6, 32  # widths in pixels: of a letter of a tick label, and of an axis title with its padding
POINTS = 300  # of a line over the examples, at most: more would not be visible
SYMBOLS = {1: "circle", -1: "diamond"}  # of the labels, as in the player
AXIS_ENDS = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)  # times a power of ten; few, so that axes seldom change


def palette() -> Palette:
    """Return the colours of this visitor's theme."""
    return DARK if is_dark() else LIGHT


def line(method: str, **more: Any) -> dict[str, Any]:
    """Return a method's stroke as Plotly's `line`. more: further properties of the line."""
    stroke = STROKES[method]
    return {"color": stroke.dark if is_dark() else stroke.light, "dash": stroke.dash, "width": stroke.width, **more}


def color(method: str) -> str:
    """Return a method's colour in this visitor's theme."""
    return line(method)["color"]


def see_through(colour: str, opacity: float) -> str:
    """Return the colour '#rrggbb' as an rgba() value of the given opacity."""
    r, g, b = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({r},{g},{b},{opacity:g})"


def new(
    height: int,
    *,
    x: str,
    y: str,
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
    letters: int = 4,
    legend: bool = True,
    value_axis: Literal["x", "y"] | None = "y",
) -> Figure:
    """Return an empty figure in the lab's style.

    Parameters
    ----------
    height
        In pixels.
    x, y
        Titles of the axes.
    x_range, y_range
        Fixed ranges of the axes, so that they do not move when the data changes. None lets Plotly choose.
    letters
        The length of the longest tick label of the y axis, which sets the left margin. Plotly's `automargin` would
        measure it, but draws the figure twice.
    legend
        Whether to leave room for a legend and show it.
    value_axis
        The axis whose range is fitted to the visible traces when a visitor hides some; None for neither.
    """
    p = palette()
    axis = {"gridcolor": p.grid, "linecolor": p.grid, "zeroline": False, "ticks": ""}
    axis["tickfont"] = {"color": p.soft, "size": 13}
    axis |= {"spikecolor": p.soft, "spikethickness": 1, "spikedash": "dot"}  # the vertical line at the hovered x
    return Figure(
        {
            "height": height,
            "margin": {
                "l": 10 + round(LETTER * letters) + (ROOM if y else 0),
                "r": 12,
                "t": 36 if legend else 12,
                "b": 24 + (ROOM if x else 0),
            },
            "font": {"family": FONT, "size": 14, "color": p.ink},
            "paper_bgcolor": p.ground,  # so that a saved picture is readable on any background
            "plot_bgcolor": "rgba(0,0,0,0)",
            "hovermode": "x unified",
            "hoverlabel": {
                "bgcolor": p.panel,
                "bordercolor": p.grid,
                "font": {"family": FONT, "size": 13, "color": p.ink},
            },
            "showlegend": legend,
            "legend": {
                "orientation": "h",
                "x": 0,
                "y": 1.02,
                "yanchor": "bottom",
                "font": {"size": 13},
                "itemsizing": "trace",
            },
            "xaxis": {**axis, "title": {"text": x, "font": {"size": 14, "color": p.soft}}, "range": x_range},
            "yaxis": {**axis, "title": {"text": y, "font": {"size": 14, "color": p.soft}}, "range": y_range},
            "meta": {"value_axis": value_axis},
        }
    )


def axis_end(value: float, limit: float = np.inf) -> float:
    """Return the smallest round number that is at least `value`, and at most `limit`.

    >>> axis_end(0.37), axis_end(42), axis_end(104, limit=100)
    (0.4, 50.0, 100.0)
    """
    if value <= 0:
        return float(min(1.0, limit))
    power = 10.0 ** np.floor(np.log10(value))
    end = next(m * power for m in AXIS_ENDS if m * power >= value * (1 - 1e-9))
    return float(min(round(end, 12), limit))


def cumulative(wrong: np.ndarray) -> np.ndarray:
    """Return the mistakes after 0 to n examples, (m, n + 1). wrong: (m, n)."""
    return np.pad(np.cumsum(wrong, axis=1), ((0, 0), (1, 0)))


def points(n: int, *also: int) -> np.ndarray:
    """Return the numbers of examples, of 0 to n, at which a line is drawn. also: further ones."""
    return np.unique([*also, *np.linspace(0, n, POINTS).round()]).astype(int)


def errors_end(totals: np.ndarray) -> float:
    """Return the end of the axis for cumulative mistakes, (m, n + 1); it is high enough for one in twenty examples."""
    n = totals.shape[1] - 1
    return axis_end(max(totals[:, -1].max(), 0.05 * n, 1), limit=n)


def band(x: np.ndarray, low: np.ndarray, high: np.ndarray, colour: str, name: str, opacity: float = 0.13) -> Trace:
    """Return the area between two curves. It is hidden together with the trace of the legend group `name`."""
    return scatter(
        x=np.concatenate([x, x[::-1]]), y=np.concatenate([high, low[::-1]]), fill="toself", mode="lines",
        line={"width": 0}, fillcolor=see_through(colour, opacity), legendgroup=name, showlegend=False,
        hoverinfo="skip", name=f"{name}, band",
    )  # fmt: skip


def method_bands(x: np.ndarray, mean: np.ndarray, sd: np.ndarray, methods: Sequence[str]) -> list[Trace]:
    """Return a band of one standard deviation around each method's mean. mean, sd: (len(methods), len(x))."""
    return [band(x, m - s, m + s, color(name), name) for name, m, s in zip(methods, mean, sd, strict=True)]


def mode(n: int) -> str:
    """Return Plotly's `mode` for a line through n points: a single point is visible only as a marker."""
    return "lines" if n > 1 else "markers"


def steps_range(n: int) -> tuple[float, float]:
    """Return the range of an axis for the steps 1..n, with padding on both sides."""
    return (1 - 0.012 * n, 1.012 * n) if n > 1 else (0, 2)


def whole(end: float) -> dict[str, Any]:
    """Return the tick settings of an axis of integers from 0 to `end`: on a short one Plotly would label halves."""
    return {"tick0": 0, "dtick": 1} if end <= 10 else {}
