"""Charts, drawn by plotly.js in a Streamlit component of the lab's own, which changes them in place.

`st.plotly_chart` makes a new chart, twice over, whenever a number in it has changed. This component redraws the same
one with `Plotly.react`, and gives all charts one legend, one toolbar and one behaviour.
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

# plotly.js writes its style sheet into the page, so the component must not be isolated from that.
CHART = Component("aklo_chart", "plotly_chart/chart.js", ("plotly_chart/chart.css",), isolate_styles=False)


def show(figure: Figure, key: str, alt: str) -> None:
    """Draw a figure, and register it for the export menu.

    Parameters
    ----------
    figure
        The chart. Its `height` is kept free while plotly.js loads.
    key
        The widget's key, and the name of the picture that a visitor saves.
    alt
        What the chart shows, in a sentence that changes with it, for those who cannot see it.
    """
    exports.chart(key, figure, alt)
    data = to_bytes(figure.to_dict() | {"alt": alt, "name": key, "library": _library()})
    CHART(key=key, data=data, height=figure.layout["height"])


@cache
def _library() -> str:
    """Let Streamlit serve plotly.js from the installed package. Returns its address, relative to the lab's root.

    A chart cannot use the copy that Streamlit has for `st.plotly_chart`. The version is in the address because the
    browser keeps the file for good.
    """
    served = declare_component("plotly", path=Path(plotly.__file__).parent / "package_data")
    return f"component/{served.name}/plotly.min.js?version={get_plotlyjs_version()}"
