"""What the page shows now, kept so that a visitor can take it away: charts, pictures that move, tables, settings.

It is held in the visitor's session, and replaced as the page is drawn: a file is made only when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import streamlit as st
from plotly.basedatatypes import BaseFigure

from aklo.lab.settings.schema import Settings


@dataclass(frozen=True)
class Chart:
    """A Plotly figure, and what it shows in words."""

    figure: BaseFigure
    alt: str


@dataclass(frozen=True)
class Picture:
    """A component: its style sheet and script, which are read when asked for, and what it was told."""

    css: Callable[[], str]
    script: Callable[[], str]
    data: bytes


@dataclass
class Kept:
    """All that one visitor's page shows. Of each thing: the part of the page that drew it, None outside any part."""

    settings: Settings = field(default_factory=Settings)
    part: str | None = None
    things: dict[str, tuple[str | None, Any]] = field(default_factory=dict)

    def of(self, kind: type) -> dict[str, Any]:
        """Name -> thing, those of one kind."""
        return {name: thing for name, (_, thing) in self.things.items() if isinstance(thing, kind)}


def mine() -> Kept:
    """What this visitor's page shows. The object stays the same for the whole visit."""
    return st.session_state.setdefault("kept", Kept())


def forget(part: str | None = None) -> None:
    """A part is drawn anew, or the whole page: what it showed before is gone, and what comes next is its own."""
    kept = mine()
    kept.part = part
    kept.things = {name: thing for name, thing in kept.things.items() if part is not None and thing[0] != part}


def chart(name: str, figure: BaseFigure, alt: str) -> None:
    _keep(name, Chart(figure, alt))


def picture(name: str, *, css: Callable[[], str], script: Callable[[], str], data: bytes) -> None:
    _keep(name, Picture(css, script, data))


def table(name: str, frame: pd.DataFrame, styled: Any = None) -> None:
    """Draw a table, and keep it; st.dataframe has a download of its own. styled: the same, as it is to be drawn."""
    st.table(frame if styled is None else styled)
    _keep(name, frame)


def _keep(name: str, thing: Any) -> None:
    kept = mine()
    kept.things[name] = (kept.part, thing)
