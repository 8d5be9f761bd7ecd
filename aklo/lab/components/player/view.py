"""What the player shows: its view, which a visitor changes; the task; and what the page has chosen for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aklo.regrets import EXPERT
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


@dataclass(frozen=True)
class TaskContext:
    """What a replay does not know of its task.

    Attributes
    ----------
    number, n_tasks : its place in the stream. Another task starts at its first step.
    title, group : of the task.
    names, groups : of each expert's task; None for "task 0", … and for no groups.
    group_names : of the groups.
    """

    number: int = 0
    n_tasks: int = 1
    title: str = ""
    group: int | None = None
    names: Sequence[str] | None = None
    groups: Sequence[int] | None = None
    group_names: Sequence[str] | None = None


@dataclass(frozen=True)
class PlayerOptions:
    """What a page chooses for its player.

    Attributes
    ----------
    choose_method : whether the player has a select for the method.
    link_keys : field of PlayerView -> its key in the address; the share button adds the current view by them.
    follow : whether to ask for the next task at the end of this one.
    small : whether to show the plane and the race only.
    autoplay : whether to start playing when it is mounted.
    about : a sentence beside the title, in the place of the numbers of examples and experts.
    competitor : what the race measures the regret against, as in `aklo.regret`.
    lines : the methods that the race shows; all of them by default.
    promise : a bound on the mistakes of the view's method, drawn as a line in the race. The other methods are hidden
        at first.
    guess : the visitor's guess of the mistakes at the end, drawn as a line in the race.
    """

    choose_method: bool = True
    link_keys: Mapping[str, str] = field(default_factory=dict)
    follow: bool = False
    small: bool = False
    autoplay: bool = False
    about: str = ""
    competitor: str = EXPERT
    lines: Sequence[str] | None = None
    promise: float | None = None
    guess: float | None = None


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
