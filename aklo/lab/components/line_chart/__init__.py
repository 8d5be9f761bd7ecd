"""Charts of lines, bands and marks, drawn by hand in the browser, as a Streamlit component.

It takes the same figures as Plotly, those that are made of these alone. Streamlit makes a new Plotly chart, twice over,
whenever a number in it has changed; this one changes in place, in a tenth of the time, and what a visitor has hidden
stays hidden.
"""

from __future__ import annotations

from aklo.lab.charts.plotly_figure import Figure
from aklo.lab.components.registry import Component, to_bytes

LINES = Component("aklo_lines", "line_chart/lines.js", ("line_chart/lines.css",))
# What is drawn: a figure with anything else is left to Plotly.
TRACE = {
    *(
        "type",
        "x",
        "y",
        "name",
        "mode",
        "line",
        "hovertemplate",
        "hoverinfo",
        "customdata",
        "legendgroup",
        "showlegend",
    ),
    *("fill", "fillcolor", "text", "textposition", "textfont", "cliponaxis", "marker"),
}
MARKS = {symbol + end for symbol in ("circle", "square", "diamond", "triangle-up") for end in ("", "-open")}
AXIS = {
    *("title", "range", "tick0", "dtick", "tickvals", "ticktext", "tickformat", "ticksuffix", "ticks", "tickfont"),
    *("showgrid", "gridcolor", "linecolor", "zeroline", "spikecolor", "spikethickness", "spikedash"),
}


def fits(figure: Figure) -> bool:
    """Whether a figure is made of lines, bands, marks and words over two plain axes, and of nothing else."""
    axes = [figure.layout["xaxis"], figure.layout["yaxis"]]
    return (
        figure.layout["hovermode"] in ("x unified", "closest")
        and all(axis["range"] is not None and axis.keys() <= AXIS for axis in axes)
        and all(trace["type"] == "scatter" and trace.keys() <= TRACE for trace in figure.data)
        and all(trace.get("marker", {}).get("symbol", "circle") in MARKS for trace in figure.data)
        and not figure.layout.keys() & {"shapes", "annotations", "barmode"}
    )


def lines(figure: Figure, key: str, alt: str) -> None:
    """Draw a figure that fits. alt: what it shows, in words."""
    told = figure.to_dict()
    told["layout"].pop("template")  # Plotly's
    LINES(key=key, data=to_bytes(told | {"alt": alt, "name": key}), height=figure.layout["height"])
