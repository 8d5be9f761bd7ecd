"""How the methods are drawn, in the lab's charts and in reports: one colour and one dash for each, and axis ends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aklo.methods import METHODS


@dataclass(frozen=True)
class Stroke:
    """The line style of a method.

    Parameters
    ----------
    light, dark
        Colours on a light and on a dark background, each with a contrast of at least 3 : 1.
    dash
        Plotly's name of the dash pattern.
    pattern
        The same dash pattern for SVG and canvas: lengths of dashes and gaps in pixels.
    width
        Line width in pixels.
    """

    light: str
    dark: str
    dash: str
    pattern: tuple[int, ...]
    width: float


# Grey for the learner alone, warm colours for the uniform methods, cool colours for AKLO.
STROKES: dict[str, Stroke] = dict(
    zip(
        METHODS,
        (
            Stroke("#6b7280", "#a8b0bd", "dot", (2, 3), 2.0),
            Stroke("#a8326e", "#f08cc0", "dashdot", (8, 3, 2, 3), 2.0),
            Stroke("#a16207", "#f2c14e", "dash", (6, 4), 2.0),
            Stroke("#c2410c", "#ff9457", "longdash", (12, 4), 2.0),
            Stroke("#0f766e", "#3fd0b6", "longdashdot", (12, 3, 2, 3), 2.0),
            Stroke("#1d4ed8", "#7aa7ff", "solid", (), 3.0),
        ),
        strict=True,
    )
)


def axis_end(value: float) -> float:
    """Round a positive value up to 1, 2, 4, 5, 6, 8 or 10 times a power of ten.

    >>> axis_end(0.37), axis_end(41.0)
    (0.4, 50.0)
    """
    power = 10.0 ** np.floor(np.log10(value))
    return float(next(step * power for step in (1, 2, 4, 5, 6, 8, 10) if step * power >= value * (1 - 1e-9)))
