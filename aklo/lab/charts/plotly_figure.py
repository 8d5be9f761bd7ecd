"""A Plotly figure without validation.

Plotly's own `Figure` validates and copies every property, which took about half of the time that a changed setting
costs on a page with four charts. This class has only the methods that the lab uses and validates nothing; the tests
validate the figures of all pages with Plotly's own class.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from plotly.basedatatypes import BaseFigure

# The part of Plotly's default template that the lab uses.
_HATCH = {"fillmode": "overlay", "size": 10, "solidity": 0.2}
TEMPLATE = {
    "layout": {
        "autotypenumbers": "strict",
        "hoverlabel": {"align": "left"},
        "xaxis": {"title": {"standoff": 15}},
        "yaxis": {"title": {"standoff": 15}},
    },
    "data": {
        "bar": [{"type": "bar", "marker": {"line": {"color": "#E5ECF6", "width": 0.5}, "pattern": _HATCH}}],
        "heatmap": [{"type": "heatmap", "colorbar": {"outlinewidth": 0, "ticks": ""}}],
        "scatter": [{"type": "scatter", "fillpattern": _HATCH}],
    },
}


Trace = dict[str, Any]


def scatter(**trace: Any) -> Trace:
    """Return a scatter trace."""
    return {"type": "scatter", **trace}


def heatmap(**trace: Any) -> Trace:
    """Return a heat map trace."""
    return {"type": "heatmap", **trace}


class Figure(BaseFigure):
    """A figure made of plain dicts.

    Properties are those of Plotly's figure reference. Magic underscores (`line_color=`) are not supported: write
    `line={"color": ...}`.

    Attributes
    ----------
    data : the traces.
    layout : the layout.

    >>> figure = Figure({"height": 300})
    >>> figure.add_scatter(x=[1, 2], y=np.array([0.5, 1.0]), name="a")
    >>> figure.update_layout(xaxis={"range": (0, 3)})
    >>> figure.to_dict()["data"][0]["y"]
    {'dtype': 'f8', 'bdata': 'AAAAAAAA4D8AAAAAAADwPw=='}
    """

    data: Any = None  # replace the properties of the base class, which validate
    layout: Any = None

    def __init__(self, layout: dict[str, Any]) -> None:
        self.data = []
        self.layout = {"template": TEMPLATE, **layout}

    def add_traces(self, traces: Sequence[Trace]) -> None:
        self.data += traces

    def add_scatter(self, **trace: Any) -> None:
        self.data.append(scatter(**trace))

    def add_heatmap(self, **trace: Any) -> None:
        self.data.append(heatmap(**trace))

    def add_bar(self, **trace: Any) -> None:
        self.data.append({"type": "bar", **trace})

    def add_shape(self, **shape: Any) -> None:
        self.layout.setdefault("shapes", []).append(shape)

    def add_vline(self, x: float, **shape: Any) -> None:
        """Add a vertical line over the full height."""
        self.add_shape(type="line", x0=x, x1=x, xref="x", y0=0, y1=1, yref="y domain", **shape)

    def update_layout(self, **layout: Any) -> None:
        _merge(self.layout, layout)

    def update_xaxes(self, **axis: Any) -> None:
        self.update_layout(xaxis=axis)

    def update_yaxes(self, **axis: Any) -> None:
        self.update_layout(yaxis=axis)

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as JSON-compatible dicts and lists."""
        return {"data": _plain(self.data), "layout": _plain(self.layout)}


def _merge(into: dict[str, Any], more: dict[str, Any]) -> None:
    """Update nested dicts in place."""
    for name, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(name), dict):
            into[name] = dict(into[name])  # a copy: it may be shared with another axis
            _merge(into[name], value)
        else:
            into[name] = value


def _plain(value: Any) -> Any:
    """Return a JSON-compatible copy: without entries that are None, numeric arrays in plotly.js's binary form."""
    if isinstance(value, dict):
        return {name: _plain(below) for name, below in value.items() if below is not None}
    if isinstance(value, list | tuple):
        return [_plain(below) for below in value]
    if isinstance(value, pd.Series | pd.Index):
        value = value.to_numpy()
    if isinstance(value, np.ndarray):
        return _bytes(value) if value.dtype.kind in "iuf" and value.size else _plain(value.tolist())
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and math.isnan(value) else value  # JSON has no NaN


def _bytes(array: np.ndarray) -> dict[str, str]:
    """Return an array in the binary form that plotly.js reads: type, base64-encoded bytes, and shape."""
    if array.dtype.kind in "iu":  # plotly.js reads no 64-bit integers
        array = array.astype(np.result_type(np.min_scalar_type(array.min()), np.min_scalar_type(array.max())))
    if array.dtype.itemsize > 4:
        array = array.astype("f8")
    written = {"dtype": array.dtype.str[1:], "bdata": base64.b64encode(array.tobytes()).decode()}
    return written | ({"shape": ", ".join(map(str, array.shape))} if array.ndim > 1 else {})
