"""How the methods are drawn, in the lab's charts and in reports: one colour and one dash for each, and axis ends.

`aklo.rules` adds the stroke of every rule that is registered; the paper's six are always the first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Stroke:
    """The line style of a method.

    Parameters
    ----------
    light, dark
        Colours on a light and on a dark background, each with a contrast of at least 3 : 1.
    dash
        Plotly's name of the dash pattern, or its lengths such as "16px,3px".
    pattern
        The same dash pattern for SVG and canvas: lengths of dashes and gaps in pixels.
    width
        Line width in pixels.
    """

    light: str
    dark: str
    dash: str
    pattern: tuple[int, ...]
    width: float = 2.0


def dashed(light: str, dark: str, *pattern: int, width: float = 2.0) -> Stroke:
    """Return a stroke with dashes and gaps of the given lengths in pixels.

    >>> dashed("#15803d", "#5fd38a", 16, 3).dash
    '16px,3px'
    """
    return Stroke(light, dark, ",".join(f"{length}px" for length in pattern), pattern, width)


# Grey for the learner alone, warm colours for the uniform methods, cool colours for AKLO.
STROKES: dict[str, Stroke] = {
    "ITOL": Stroke("#6b7280", "#a8b0bd", "dot", (2, 3)),
    "TOL": Stroke("#86155e", "#f08cc0", "dashdot", (8, 3, 2, 3)),
    "Unif Sample": Stroke("#574300", "#f2c14e", "dash", (6, 4)),
    "Unif Sum": Stroke("#c8460a", "#ff9457", "longdash", (12, 4)),
    "AKLO Sample": Stroke("#0f766e", "#3fd0b6", "longdashdot", (12, 3, 2, 3)),
    "AKLO Sum": Stroke("#1d4ed8", "#7aa7ff", "solid", (), 3.0),
}

# For rules that have no stroke of their own, in the order in which they are registered; then from the first again.
SPARE = (
    dashed("#be123c", "#fb7185", 9, 2, 1, 2),
    dashed("#4d7c0f", "#a3d94f", 5, 2, 5, 6),
    dashed("#0369a1", "#55b8f0", 18, 4, 2, 4, 2, 4),
    dashed("#86198f", "#e58af0", 3, 2, 9, 2),
)


def axis_end(value: float) -> float:
    """Round a positive value up to 1, 2, 4, 5, 6, 8 or 10 times a power of ten.

    >>> axis_end(0.37), axis_end(41.0)
    (0.4, 50.0)
    """
    power = 10.0 ** np.floor(np.log10(value))
    return float(next(step * power for step in (1, 2, 4, 5, 6, 8, 10) if step * power >= value * (1 - 1e-9)))
