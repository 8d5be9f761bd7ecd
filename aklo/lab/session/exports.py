"""What the page shows now and can be downloaded: charts, moving pictures, tables and settings.

It belongs to one visitor and is replaced whenever the page is drawn. A file is made only when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import streamlit as st
from plotly.basedatatypes import BaseFigure

from aklo.lab.settings.schema import Settings

STATE = "exports"  # in the session


@dataclass(frozen=True)
class Chart:
    """A Plotly figure, and what it shows in words."""

    figure: BaseFigure
    alt: str


@dataclass(frozen=True)
class Picture:
    """A component: functions that give its style sheet and its script, and the data that it was given."""

    css: Callable[[], str]
    script: Callable[[], str]
    data: bytes


@dataclass
class Exports:
    """All that one visitor's page shows: the settings in force, and name -> thing in the order of the page."""

    settings: Settings = field(default_factory=Settings)
    things: dict[str, Any] = field(default_factory=dict)

    def of(self, kind: type) -> dict[str, Any]:
        """Name -> thing, those of one kind."""
        return {name: thing for name, thing in self.things.items() if isinstance(thing, kind)}


def current() -> Exports:
    """What this visitor's page shows. The object stays the same for the whole visit."""
    return st.session_state.setdefault(STATE, Exports())


def begin(settings: Settings) -> None:
    """Begin to draw a page with these settings: what was shown before is gone."""
    exports = current()
    exports.settings, exports.things = settings, {}


def chart(name: str, figure: BaseFigure, alt: str) -> None:
    """Remember a chart that the page shows."""
    current().things[name] = Chart(figure, alt)


def picture(name: str, *, css: Callable[[], str], script: Callable[[], str], data: bytes) -> None:
    """Remember a component's picture that the page shows."""
    current().things[name] = Picture(css, script, data)


def table(name: str, frame: pd.DataFrame) -> None:
    """Remember a table that the page shows."""
    current().things[name] = frame
