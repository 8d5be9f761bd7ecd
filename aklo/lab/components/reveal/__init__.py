"""A Streamlit component that plays the answer to a question, with the guess drawn into the picture.

The picture has one or more panels with a common time. Lines and bars grow from the left to the right; what marks the
outcome appears when the end is reached.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np

from aklo.lab.charts.palette import Slot
from aklo.lab.components.moves import Move, mount
from aklo.lab.components.registry import Component, to_bytes
from aklo.lab.session import control_keys, exports
from aklo.styles import Stroke

__all__ = ["Line", "Mark", "RevealPanel", "reveal"]

REVEAL = Component("aklo_reveal", "reveal/reveal.js", ("shared/frame.css", "shared/panels.css", "reveal/reveal.css"))


@dataclass(frozen=True)
class Line:
    """A line.

    Attributes
    ----------
    y : (n,), its values, NaN where it has none.
    stroke : how it is drawn.
    quiet : whether there is no number at its end.
    bold : whether it is drawn thicker.
    """

    name: str
    y: np.ndarray
    stroke: Stroke | Slot
    quiet: bool = False
    bold: bool = False


@dataclass(frozen=True)
class Mark:
    """A straight line across a panel, with a text.

    Attributes
    ----------
    at : the value on its axis.
    axis : "y" for a horizontal line, "x" for a vertical one.
    kind : "guess" for what the visitor has guessed, "outcome" for what happened, which is shown at the end only, and
        "limit" for any other.
    """

    at: float
    text: str
    axis: Literal["x", "y"] = "y"
    kind: Literal["guess", "outcome", "limit"] = "guess"


@dataclass(frozen=True)
class RevealPanel:
    """One panel.

    Attributes
    ----------
    title, help : over the panel, and the explanation behind its "?".
    x_name, y_name : of the axes.
    x : (n,), common to all panels.
    y_range : the ends of the value axis.
    lines, marks : what is drawn.
    bars, groups : (n,) heights of bars and the group of each, which sets its colour; or None.
    decimals, suffix : of the numbers at the ends of the lines.
    """

    title: str
    help: str
    x_name: str
    y_name: str
    x: np.ndarray
    y_range: tuple[float, float]
    lines: Sequence[Line] = ()
    marks: Sequence[Mark] = ()
    bars: np.ndarray | None = None
    groups: Sequence[int] = field(default_factory=tuple)
    decimals: int = 0
    suffix: str = ""


def reveal(
    panels: Sequence[RevealPanel],
    *,
    key: str,
    alt: str,
    unit: str,
    played: bool = False,
    up_to: int | None = None,
    on_end: Callable[[], None] | None = None,
) -> None:
    """Play a picture from its beginning, as soon as it is shown.

    Parameters
    ----------
    alt : what the whole picture shows, for screen readers.
    unit : what one step of time is, such as "task".
    played : whether it has been played before: then it stands at its end.
    up_to : show only so many steps, standing still; the rest of the data is not sent to the browser.
    on_end : called when it has been played to its end.
    """
    n = len(panels[0].x) if up_to is None else up_to
    told = {
        "panels": [_told(panel, n, marks=up_to is None) for panel in panels],
        "n": n,
        "unit": unit,
        "alt": alt,
        "played": played,
        "still": up_to is not None,
        "reports": on_end is not None,
        "heard": control_keys.last_move(key),
    }

    def take(move: Move) -> None:
        if on_end is not None and isinstance(move.value, dict) and "ended" in move.value:
            on_end()

    data = to_bytes(told)
    mount(REVEAL, take, key=key, data=data)
    exports.picture(key, css=REVEAL.style_sheet, script=REVEAL.script, data=data)


def _told(panel: RevealPanel, n: int, *, marks: bool) -> dict[str, Any]:
    """Return what the browser is told of a panel: its first n steps. marks: whether to send the marks, too."""
    return {
        "title": panel.title,
        "help": panel.help,
        "xName": panel.x_name,
        "yName": panel.y_name,
        "x": panel.x.tolist()[:n],
        "xEnds": [float(panel.x[0]), float(panel.x[-1])],
        "yEnds": list(panel.y_range),
        "decimals": panel.decimals,
        "suffix": panel.suffix,
        "lines": [
            {
                "name": line.name,
                "y": _numbers(line.y[:n]),
                "quiet": line.quiet,
                "bold": line.bold,
                "stroke": {"width": 2.0} | asdict(line.stroke),
            }
            for line in panel.lines
        ],
        "marks": [asdict(mark) for mark in panel.marks] if marks else [],
        "bars": None if panel.bars is None else _numbers(panel.bars[:n]),
        "groups": list(panel.groups)[:n],
    }


def _numbers(values: np.ndarray) -> list[float | None]:
    return [None if np.isnan(value) else round(float(value), 6) for value in values]
