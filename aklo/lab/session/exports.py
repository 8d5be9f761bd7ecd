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
class Picture:
    """A component: functions that give its style sheet and its script, and the data that it was given."""

    css: Callable[[], str]
    script: Callable[[], str]
    data: bytes


@dataclass(frozen=True)
class Chart:
    """A Plotly figure, what it shows in words, and the component that draws it."""

    figure: BaseFigure
    alt: str
    picture: Picture


@dataclass
class Exports:
    """All that one visitor's page shows.

    Attributes
    ----------
    settings : those of what is shown.
    page : the stem of the page whose script computes the numbers.
    query : what the link has besides the settings, such as the number of a lesson.
    things : name -> chart, picture or table, in the order in which they were drawn.
    """

    settings: Settings = field(default_factory=Settings)
    page: str = ""
    query: dict[str, str] = field(default_factory=dict)
    things: dict[str, Any] = field(default_factory=dict)

    def drawn(self) -> dict[str, Any]:
        """Name -> picture or chart."""
        return {name: thing for name, thing in self.things.items() if isinstance(thing, Picture | Chart)}

    def of(self, kind: type) -> dict[str, Any]:
        """Name -> thing, those of one kind."""
        return {name: thing for name, thing in self.things.items() if isinstance(thing, kind)}


def current() -> Exports:
    """What this visitor's page shows. The object stays the same for the whole visit."""
    return st.session_state.setdefault(STATE, Exports())


def begin(page: str, settings: Settings) -> None:
    """Begin to draw a page with these settings: what was shown before is gone. page: its stem."""
    exports = current()
    exports.page, exports.settings, exports.query, exports.things = page, settings, {}, {}


def describe(page: str, settings: Settings, query: dict[str, str]) -> None:
    """Say that what is shown has other settings than those in force, and is computed as on another page."""
    exports = current()
    exports.page, exports.settings, exports.query = page, settings, query


def chart(
    name: str, figure: BaseFigure, alt: str, *, css: Callable[[], str], script: Callable[[], str], data: bytes
) -> None:
    """Remember a chart that the page shows."""
    current().things[name] = Chart(figure, alt, Picture(css, script, data))


def picture(name: str, *, css: Callable[[], str], script: Callable[[], str], data: bytes) -> None:
    """Remember a component's picture that the page shows."""
    current().things[name] = Picture(css, script, data)


def table(name: str, frame: pd.DataFrame) -> None:
    """Remember a table that the page shows."""
    current().things[name] = frame
