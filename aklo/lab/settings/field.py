"""One setting: its range and its words, and how its value is read from an address, clamped and written."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from aklo.datasets import GENERATORS
from aklo.rules import METHODS, RULES
from aklo.schedules import Schedule

OWN = "own"  # the dataset of the visitor's own tasks, which a link does not contain
LONGEST = 400  # the most characters of a value in an address
MOST_KEPT = 4  # schedules in the comparison, at most
MOST_STEPS = 1000  # of a task, at most; the sandbox has fewer
LARGEST = 1_000_000  # number in a schedule

Kind = Literal["choice", "whole", "real", "flag", "schedule", "schedules", "method", "challengers"]


@dataclass(frozen=True)
class Field:
    """The properties of one setting."""

    key: str
    label: str
    help: str
    kind: Kind
    low: float = 0
    high: float = 0
    step: float = 1
    choices: tuple[Any, ...] = ()
    renamed: Mapping[str, Any] = dataclasses.field(default_factory=dict)  # a choice in old addresses -> its name now
    datasets: tuple[str, ...] = (*GENERATORS, OWN)  # those to which the setting applies
    defaults: Mapping[str, Any] = dataclasses.field(default_factory=dict)  # dataset -> its own default
    highs: Mapping[str, float] = dataclasses.field(default_factory=dict)  # dataset -> its own upper end
    preset: bool = True  # whether presets, and other starting points, are told apart by it
    heading: bool = False  # whether it chooses a part of a page: its control is drawn as a heading, and never hidden
    position: bool = False  # whether it is a position within a picture, which Undo does not change

    def read(self, text: str, dataset: str) -> tuple[Any, str | None]:
        """Return the value of a text from an address, and what is wrong with the text; (None, fault) if it has none.

        A fault is a clause without a full stop, so that a sentence can go on with what is used instead.
        """
        if self.kind == "schedules":
            return _several(text, self.label)
        if len(text) > LONGEST:
            return None, f"{self.label}: a value of {len(text)} characters was left out"
        if self.kind == "choice":
            text = self.renamed.get(text, text)
            for choice in self.choices:
                if text == str(choice) or (isinstance(choice, float) and text == f"{choice:g}"):
                    return choice, None
            return None, self._not_among([text], self.choices)
        if self.kind == "method":
            return (text, None) if text in RULES else (None, self._not_among([text], RULES))
        if self.kind == "challengers":
            names = text.split(";")
            unknown = [name for name in names if name and name not in challengers()]
            return in_order(names), self._not_among(unknown, challengers()) if unknown else None
        if self.kind == "schedule":
            try:
                return checked_spec(text), None
            except ValueError as error:
                return None, f"{self.label}: {str(error).removesuffix('.')}"
        if self.kind == "flag":
            return (text == "1", None) if text in ("0", "1") else (None, f"{self.label}: {text!r} is neither 0 nor 1")
        try:
            value = float(text)
        except ValueError:
            return None, f"{self.label}: {text!r} is not a number"
        if math.isnan(value):
            return None, f"{self.label}: {text!r} is not a number"
        return self.clamp(value, dataset, text)

    def clamp(self, value: float, dataset: str, text: str = "") -> tuple[Any, str | None]:
        """Return the nearest value that the setting can have, and what is wrong with the given one, as `read` does.

        text: the value as the address has it.
        """
        high, fault = self.highs.get(dataset, self.high), None
        near = min(max(value, self.low), high)
        if near != value:
            fault = f"{self.label}: {text or value} was outside {self.low:g} to {high:g}"
        elif self.kind == "whole" and near != round(near):
            fault = f"{self.label}: {text or value} is not a whole number"
        return round(near) if self.kind == "whole" else float(self.write(near)), fault  # as an address has it

    def _not_among(self, texts: Sequence[str], choices: Iterable[Any]) -> str:
        they, words = ", ".join(map(repr, texts)), [self.write(choice) for choice in choices]
        there = ("; " if any("," in word for word in words) else ", ").join(words)
        return f"{self.label}: {they} {'is not one' if len(texts) == 1 else 'are none'} of the choices ({there})"

    def write(self, value: Any) -> str:
        """Return the value as text for an address."""
        if isinstance(value, tuple):
            return ";".join(value)
        return value if isinstance(value, str) else f"{value:.12g}"  # True is 1


def checked_spec(text: str) -> str:
    """Return the spec of a schedule that can be drawn for every number of steps; ValueError says why there is none."""
    schedule = Schedule.parse(text)
    schedule.validate(MOST_STEPS)
    for f in dataclasses.fields(schedule):
        if np.abs(getattr(schedule, f.name)).max() > LARGEST:
            raise ValueError(f"{schedule} has a number above {LARGEST:,}, which no slider shows.")
    return schedule.spec


def _several(text: str, label: str) -> tuple[str | None, str | None]:
    """Return the value of a list of schedules, separated by semicolons, or "none"; each schedule is validated."""
    if text == "none":
        return text, None
    texts = text.split(";")
    specs: list[str] = []
    for one in texts[:MOST_KEPT]:
        try:
            if len(one) > LONGEST:
                raise ValueError(f"a value of {len(one)} characters was left out")
            spec = checked_spec(one)
        except ValueError as error:
            return None, f"{label}: {str(error).removesuffix('.')}"
        specs += [spec] if spec not in specs else []
    more = f"{label}: at most {MOST_KEPT} are kept" if len(texts) > MOST_KEPT else None
    return ";".join(specs), more


def challengers() -> tuple[str, ...]:
    """Return the names of the rules beyond the paper's six, in the order in which they were registered."""
    return tuple(name for name in RULES if name not in METHODS)


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Return those of the names that are challengers, in the order of `challengers`."""
    given = set(names)
    return tuple(name for name in challengers() if name in given)
