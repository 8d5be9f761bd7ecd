"""What all charts share: the figure factory, strokes, bands and round axis ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import streamlit as st

from aklo.lab.charts.palette import DARK, LIGHT, STROKES, Palette
from aklo.lab.charts.plotly_figure import Figure, Trace, scatter

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
LETTER, ROOM = 7.6, 32  # pixels of a letter on an axis, and of an axis's title with the space before it
AXIS_ENDS = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)  # times a power of ten; few, so that axes seldom move


def is_dark() -> bool:
    """Whether this visitor sees the dark theme."""
    return st.context.theme.type == "dark"


def palette() -> Palette:
    return DARK if is_dark() else LIGHT


def line(method: str, **more: Any) -> dict[str, Any]:
    """A method's stroke as Plotly's `line`."""
    stroke = STROKES[method]
    return {"color": stroke.dark if is_dark() else stroke.light, "dash": stroke.dash, "width": stroke.width, **more}


def color(method: str) -> str:
    return line(method)["color"]


def see_through(colour: str, opacity: float) -> str:
    """'#rrggbb' as an rgba() of this opacity, for bands and fills."""
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
    """An empty figure in the lab's look.

    Parameters
    ----------
    height
        In pixels.
    x, y
        Titles of the axes.
    x_range, y_range
        Fixed where given, so that nothing jumps on a redraw.
    letters
        Of the longest label on the y axis, which sets its room. Plotly would find it by drawing the whole figure,
        moving it, and drawing it again, which takes half as long as all the rest.
    legend
        Whether there is one.
    value_axis
        The axis that follows the traces that are shown when a visitor hides some; None for neither.
    """
    p = palette()
    axis = {"gridcolor": p.grid, "linecolor": p.grid, "zeroline": False, "ticks": ""}
    axis["tickfont"] = {"color": p.soft, "size": 13}
    axis |= {"spikecolor": p.soft, "spikethickness": 1, "spikedash": "dot"}  # the line under a unified hover
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
            "paper_bgcolor": p.ground,  # so that a picture of it can be read on any paper
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
    """The least round number that is not below `value`, at most `limit`.

    >>> axis_end(0.37), axis_end(42), axis_end(104, limit=100)
    (0.4, 50.0, 100.0)
    """
    if value <= 0:
        return float(min(1.0, limit))
    power = 10.0 ** np.floor(np.log10(value))
    end = next(m * power for m in AXIS_ENDS if m * power >= value * (1 - 1e-9))
    return float(min(round(end, 12), limit))


def band(x: np.ndarray, low: np.ndarray, high: np.ndarray, colour: str, name: str, opacity: float = 0.13) -> Trace:
    """The area between two curves, hidden and shown together with the trace of the legend group `name`."""
    return scatter(
        x=np.concatenate([x, x[::-1]]), y=np.concatenate([high, low[::-1]]), fill="toself", mode="lines",
        line={"width": 0}, fillcolor=see_through(colour, opacity), legendgroup=name, showlegend=False,
        hoverinfo="skip", name=f"{name}, band",
    )  # fmt: skip


def method_bands(x: np.ndarray, mean: np.ndarray, sd: np.ndarray, methods: Sequence[str]) -> list[Trace]:
    """A band of one standard deviation around each method's mean. mean, sd: (len(methods), len(x))."""
    return [band(x, m - s, m + s, color(name), name) for name, m, s in zip(methods, mean, sd, strict=True)]


def mode(n: int) -> str:
    """The mode of a line through n points: one point alone needs a marker to be seen."""
    return "lines" if n > 1 else "markers"


def steps_range(n: int) -> tuple[float, float]:
    """The range of an axis of the steps 1..n, with a little room on both sides."""
    return (1 - 0.012 * n, 1.012 * n) if n > 1 else (0, 2)


def whole(end: float) -> dict[str, Any]:
    """An axis that counts things: on a short one Plotly would write halves."""
    return {"tick0": 0, "dtick": 1} if end <= 10 else {}
