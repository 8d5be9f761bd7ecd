"""A Streamlit component that draws a chart with plotly.js and updates it in place.

`st.plotly_chart` removes the chart and draws it twice whenever its data changes. This component updates it with
`Plotly.react`, and gives all charts the same legend, toolbar and behaviour.
"""

from __future__ import annotations

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


def show(figure: Figure, key: str, alt: str) -> None:
    """Draw a figure, and register it for the export menu.

    Parameters
    ----------
    figure
        The chart. Its `height` is reserved while plotly.js loads.
    key
        The widget's key, and the name of the picture that a visitor saves.
    alt
        A sentence on what the chart shows, with its current numbers, for screen readers.
    """
    exports.chart(key, figure, alt)
    data = to_bytes(figure.to_dict() | {"alt": alt, "name": key, "library": _library()})
    CHART(key=key, data=data, height=figure.layout["height"])


@cache
def _library() -> str:
    """Make Streamlit serve plotly.js from the installed package, and return its address, relative to the lab's root.

    Streamlit's own copy, for `st.plotly_chart`, is not accessible. The version is in the address because the browser
    caches the file without asking again.
    """
    served = declare_component("plotly", path=Path(plotly.__file__).parent / "package_data")
    return f"component/{served.name}/plotly.min.js?version={get_plotlyjs_version()}"
