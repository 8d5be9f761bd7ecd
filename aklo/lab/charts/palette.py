"""The colours of the light and the dark theme, used by all pages, charts and components.

Each method has one colour and one dash, and each label one colour and one shape, so that nothing depends on colour
alone. The contrast of each colour with its background is at least 3 : 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from aklo.styles import STROKES

__all__ = ["DARK", "LIGHT", "SLOTS", "STROKES", "Palette", "Slot"]


@dataclass(frozen=True)
class Slot:
    """The line of a schedule that is kept for comparison: its colours, and its dash pattern in pixels."""

    light: str
    dark: str
    pattern: tuple[int, ...]


# Letter of a kept schedule -> its line. No method has one of these colours.
SLOTS = {
    "A": Slot("#7e22ce", "#cf9dff", ()),
    "B": Slot("#4d7c0f", "#a3d14f", (7, 5)),
    "C": Slot("#be123c", "#ff8fa3", (2, 3)),
    "D": Slot("#0e7490", "#4cc9e8", (8, 3, 2, 3)),
}


@dataclass(frozen=True)
class Palette:
    """The colours of one theme. groups: of the groups of tasks, repeated where there are more groups than colours."""

    ground: str
    panel: str
    ink: str
    soft: str
    grid: str
    accent: str
    plus: str
    minus: str
    right: str
    wrong: str
    learner: str
    others: str
    groups: tuple[str, ...]


LIGHT = Palette(
    ground="#ffffff",
    panel="#f6f7f9",
    ink="#1c2430",
    soft="#5b6675",
    grid="#e3e6eb",
    accent="#1d4ed8",
    plus="#4f46e5",
    minus="#b45309",
    right="#15803d",
    wrong="#c81e3a",
    learner="#1c2430",
    others="#838d9c",
    groups=(
        "#0e7490",
        "#be185d",
        "#4d7c0f",
        "#7e22ce",
        "#b45309",
        "#0f766e",
        "#9f1239",
        "#1e40af",
        "#854d0e",
        "#374151",
    ),
)
DARK = Palette(
    ground="#12161d",
    panel="#1a2029",
    ink="#e8ecf2",
    soft="#a3adbb",
    grid="#2c3440",
    accent="#7aa7ff",
    plus="#9d97ff",
    minus="#f5a653",
    right="#4ade80",
    wrong="#ff6b81",
    learner="#f4f6fa",
    others="#76818f",
    groups=(
        "#38bdd8",
        "#f472b6",
        "#a3d14f",
        "#c792f5",
        "#f5a653",
        "#3fd0b6",
        "#fb7185",
        "#8aa9ff",
        "#e0b050",
        "#c3cad4",
    ),
)
