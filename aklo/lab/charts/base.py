"""Static charts: one look for all of them. A page's own charts stand in a file of their own beside this one."""

from __future__ import annotations

from typing import Any

import streamlit as st

from aklo.lab.charts.palette import DARK, LIGHT, STROKES, Palette
from aklo.lab.charts.plotly_figure import Figure
from aklo.lab.components import line_chart
from aklo.lab.session import exports

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
LETTER, ROOM = 7.6, 32  # pixels of a letter on an axis, and of an axis's title with the space before it


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
) -> Figure:
    """An empty figure in the lab's look. Ranges are fixed where given, so that nothing jumps on a redraw.

    letters: of the longest label on the y axis. Its room is set by that: Plotly would find it by drawing the whole
    figure, moving it, and drawing it again, which takes half as long as all the rest.
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
            "uirevision": "same",  # a redraw keeps what the visitor zoomed and hid
        }
    )


def show(figure: Figure, key: str, alt: str) -> None:
    """Draw a figure. alt: what it shows, in a sentence that changes with it, for those who cannot see it."""
    exports.chart(key, figure, alt)
    if line_chart.fits(figure):
        line_chart.lines(figure, key, alt)
        return
    config = {
        "displaylogo": False,
        "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
        "toImageButtonOptions": {"format": "svg", "filename": key},
    }
    st.plotly_chart(figure, key=key, theme=None, config=config, alt=alt)
