"""The controls of settings: sliders, lists, segments, pills, switches and whole numbers.

All controls that stand together are one Streamlit component, since every element of a page takes time at every run, on
the server and in the browser. Unlike Streamlit's own, sliders report while they are dragged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from aklo.lab.components.moves import Move, is_number, mount
from aklo.lab.components.registry import Component, to_bytes
from aklo.lab.server import visitors
from aklo.lab.session import control_keys
from aklo.lab.session.state import Drag

CONTROLS = Component("aklo_controls", "controls/controls.js", ("controls/controls.css",))


@dataclass(frozen=True, kw_only=True)
class Control:
    """A control that shows a value.

    Attributes
    ----------
    name : its own on the page; it stays the same.
    label, help : what it is called, and what it is for.
    value : the one in force.
    on_move : called with the value that the visitor has set, and the gesture that the move is part of.
    note : a sentence below it.
    """

    kind: ClassVar[str]
    name: str
    label: str
    help: str
    value: Any
    on_move: Callable[[Any, Drag], None]
    note: str = ""

    def read(self, sent: Any) -> Any:
        """Return the value that a browser has sent, or None if it is none of the control's."""
        raise NotImplementedError

    def about(self) -> dict[str, Any]:
        """Return what the browser has to know of this kind of control."""
        return {}

    def told(self) -> dict[str, Any]:
        """Return what the browser is told."""
        return {
            "kind": self.kind,
            "name": self.name,
            "label": self.label,
            "help": self.help,
            "note": self.note,
            "value": self.value,
            "revision": control_keys.revision(self.name, self.value),
            **self.about(),
        }


@dataclass(frozen=True, kw_only=True)
class Slider(Control):
    """A slider. low, high, step: its range, and the distance of two values; decimals: of the number that is shown;
    words: the names of the values 0, 1, 2, …, shown instead of numbers."""

    kind = "slider"
    low: float
    high: float
    step: float = 1
    decimals: int = 0
    words: Sequence[str] | None = None

    def read(self, sent: Any) -> float | None:
        if not is_number(sent):
            return None
        inside = min(max(sent, self.low), self.high)
        return round(inside) if self.step == int(self.step) and self.decimals == 0 else float(inside)

    def about(self) -> dict[str, Any]:
        words = list(self.words) if self.words is not None else None
        return {"low": self.low, "high": self.high, "step": self.step, "decimals": self.decimals, "words": words}


@dataclass(frozen=True, kw_only=True)
class Choice(Control):
    """A list of options. Its value is the number of the one in force, or None where none is.

    placeholder: shown where none is.
    """

    kind = "list"
    options: Sequence[str]
    placeholder: str = ""

    def read(self, sent: Any) -> int | None:
        return sent if _is_index(sent, self.options) else None

    def about(self) -> dict[str, Any]:
        return {"options": list(self.options), "placeholder": self.placeholder}


@dataclass(frozen=True, kw_only=True)
class Segments(Choice):
    """Options side by side. unlabelled: whether the label is for screen readers only."""

    kind = "segments"
    unlabelled: bool = False

    def about(self) -> dict[str, Any]:
        return super().about() | {"unlabelled": self.unlabelled}


@dataclass(frozen=True, kw_only=True)
class Pills(Control):
    """Options of which several can be chosen. Its value is a tuple of their numbers."""

    kind = "pills"
    options: Sequence[str]

    def read(self, sent: Any) -> tuple[int, ...] | None:
        valid = isinstance(sent, list) and all(_is_index(number, self.options) for number in sent)
        return tuple(sent) if valid else None

    def about(self) -> dict[str, Any]:
        return {"options": list(self.options)}


@dataclass(frozen=True, kw_only=True)
class Switch(Control):
    """A switch, on or off."""

    kind = "switch"

    def read(self, sent: Any) -> bool | None:
        return sent if isinstance(sent, bool) else None


@dataclass(frozen=True, kw_only=True)
class WholeNumber(Control):
    """A field for a whole number from low to high."""

    kind = "number"
    low: int
    high: int

    def read(self, sent: Any) -> int | None:
        return min(max(round(sent), self.low), self.high) if is_number(sent) else None

    def about(self) -> dict[str, Any]:
        return {"low": self.low, "high": self.high}


@dataclass(frozen=True)
class Group:
    """Controls below a title; without a title they stand by themselves."""

    title: str
    controls: Sequence[Control]


def controls(groups: Sequence[Group], *, key: str, row: bool = False) -> None:
    """Draw groups of controls. Nothing is drawn where there are none.

    Parameters
    ----------
    key : of the component, which stays the same.
    row : whether the controls stand side by side.
    """
    known = {control.name: control for group in groups for control in group.controls}
    if not known:
        return

    def take(move: Move) -> None:
        sent = move.value if isinstance(move.value, dict) else {}
        control = known.get(str(sent.get("control")))
        value = None if control is None else control.read(sent.get("value"))
        if control is None or value is None:
            return
        # What it shows is what was sent, also where that is not allowed any more and so another value comes into force.
        shown = tuple(sent["value"]) if isinstance(sent["value"], list) else sent["value"]
        control_keys.record_component_value(control.name, shown)
        control.on_move(value, move.drag)

    told = [
        {"title": group.title, "controls": [control.told() for control in group.controls]}
        for group in groups
        if group.controls
    ]
    data = {"groups": told, "live": visitors.are_few(), "row": row, "heard": control_keys.last_move(key)}
    mount(CONTROLS, take, key=key, data=to_bytes(data))


def _is_index(sent: Any, options: Sequence[str]) -> bool:
    return isinstance(sent, int) and not isinstance(sent, bool) and 0 <= sent < len(options)
