"""A Streamlit component that draws a chart with plotly.js and updates it in place.

`st.plotly_chart` removes the chart and draws it twice whenever its data changes. This component updates it with
`Plotly.react`, and gives all charts the same legend, toolbar and behaviour.
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import plotly
from plotly.offline import get_plotlyjs_version
from streamlit.components.v1 import declare_component

from aklo.lab.charts.plotly_figure import Figure
from aklo.lab.components.registry import Component, to_bytes
from aklo.lab.session import exports

# plotly.js adds its style sheet to the page, so the component must not be in a shadow root.
CHART = Component("aklo_chart", "plotly_chart/chart.js", ("plotly_chart/chart.css",), isolate_styles=False)


def show(figure: Figure, key: str, alt: str, *, clickable: bool = False) -> int | None:
    """Draw a figure, and register it for the export menu.

    Parameters
    ----------
    figure
        The chart. Its `height` is reserved while plotly.js loads.
    key
        The widget's key, and the name of the picture that a visitor saves.
    alt
        A sentence on what the chart shows, with its current numbers, for screen readers.
    clickable
        Whether a visitor can choose a bar or point: by a click, by Enter after the arrow keys, or by a second tap.

    Returns
    -------
    The x of what the visitor has just chosen, or its number in `customdata`, or None. It may come from
    outside, so the page has to check it.
    """
    told = {"alt": alt, "name": key, "library": library_address(), "clickable": clickable}
    data = to_bytes(figure.to_dict() | told)
    exports.chart(key, figure, alt, css=CHART.style_sheet, script=CHART.script, data=data)
    callback = {"on_chosen_change": _nothing} if clickable else {}
    result = CHART(key=key, data=data, height=figure.layout["height"], **callback)
    chosen = result.get("chosen") if clickable else None
    return int(chosen) if isinstance(chosen, int | float) and math.isfinite(chosen) else None


def _nothing() -> None:
    """A callback, without which Streamlit does not hand the value over."""


@cache
def library_address() -> str:
    """Make Streamlit serve plotly.js from the installed package, and return its address, relative to the lab's root.

    Streamlit's own copy, for `st.plotly_chart`, is not accessible. The version is in the address because the browser
    caches the file without asking again.
    """
    served = declare_component("plotly", path=Path(plotly.__file__).parent / "package_data")
    return f"component/{served.name}/plotly.min.js?version={get_plotlyjs_version()}"
