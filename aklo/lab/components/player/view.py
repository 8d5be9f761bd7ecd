"""What a visitor sees of a task: the step, the method and the player's modes, as one value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aklo.rules import METHODS, RULES


@dataclass(frozen=True)
class PlayerView:
    """The state of a player that a link has to hold.

    Attributes
    ----------
    step : the step t, from 1 to N; the browser cuts it to the task's length.
    told : with `guess`, whether the label of this step has been told; always True without.
    method : the method whose region, mistakes and formula are shown.
    wide : whether the plane is zoomed out to the boundaries that do not pass through the data.
    guess : whether each step first asks and then tells ("Guess before the label").
    regret : whether the race shows the regret against a competitor, instead of the mistakes.
    """

    step: int = 1
    told: bool = True
    method: str = "AKLO Sum"
    wide: bool = False
    guess: bool = False
    regret: bool = False

    def __post_init__(self) -> None:
        if self.method not in RULES:
            raise ValueError(f"method is {self.method!r}, which is not one of {', '.join(RULES)}.")
        if self.step < 1:
            raise ValueError(f"step is {self.step}, but steps are counted from 1.")


def read_view(value: Any, task: int, n: int, methods: Sequence[str] = METHODS) -> PlayerView | None:
    """Return the view that a browser has reported, or None if it is not a valid one.

    Parameters
    ----------
    task, n : the task that is shown, and its number of steps. A view of another task was reported before this one came.
    methods : those that can be chosen.
    """
    if not isinstance(value, Mapping) or value.get("task") != task:
        return None
    step, method = value.get("step"), value.get("method")
    flags: dict[str, Any] = {name: value.get(name) for name in ("told", "wide", "guess", "regret")}
    if type(step) is not int or not 1 <= step <= n:
        return None
    if not isinstance(method, str) or method not in methods:
        return None
    if not all(type(flag) is bool for flag in flags.values()) or not (flags["told"] or flags["guess"]):
        return None
    return PlayerView(step=step, method=method, **flags)
