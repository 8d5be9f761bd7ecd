"""The examples that a visitor has placed in the sandbox, as the browser stores and sends them. Input is validated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import streamlit as st

STATE = "sandbox_story"  # in the session: the last story that was sent, and the note about it
TASKS, IN_A_TASK, IN_ALL = 40, 300, 1000  # at most: finished tasks, examples in one task, examples in all
FARTHEST = 1e6  # the largest absolute value of a coordinate


@dataclass(frozen=True, eq=False)
class Told:
    """The visitor's examples in one task. X: (n, 2); y: (n,), -1 or +1; n may be 0."""

    X: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))
    y: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def __len__(self) -> int:
        return len(self.y)


@dataclass(frozen=True, eq=False)
class Story:
    """All examples of a visitor.

    Attributes
    ----------
    tasks : the finished tasks.
    now : the current task.
    ask : an example without a label, or None.
    serial : the browser's number of this state, which is sent back with the answer.
    """

    tasks: tuple[Told, ...] = ()
    now: Told = field(default_factory=Told)
    ask: tuple[float, float] | None = None
    serial: int = 0


def read(sent: Any) -> tuple[Story, str]:
    """Return the story that a browser has sent, or an empty one with a sentence on what is wrong with it.

    sent: {"serial": 7, "tasks": [[x1, x2, y, x1, x2, y, …], …], "now": [x1, x2, y, …], "ask": [x1, x2] or None}
    """
    if sent is None:
        return Story(), ""
    serial = sent.get("serial") if isinstance(sent, dict) else None
    if not isinstance(serial, int) or isinstance(serial, bool) or not 0 <= serial < 2**53:
        return Story(), "What the browser kept is not a story of examples, so it was left out."
    try:
        return _checked(sent, serial), ""
    except ValueError as error:
        return Story(serial=serial), f"What the browser kept was left out: {error}"


def take(sent: Any) -> None:
    """Take a story that the browser has sent as this visitor's."""
    st.session_state[STATE] = read(sent)


def current() -> tuple[Story, str]:
    """Return the story that was sent last, and the note about it."""
    return st.session_state.get(STATE, (Story(), ""))


def _checked(sent: dict[str, Any], serial: int) -> Story:
    tasks = sent.get("tasks", [])
    if not isinstance(tasks, list) or len(tasks) > TASKS:
        raise ValueError(f"at most {TASKS} finished tasks can be read.")
    finished = tuple(_told(numbers, f"task {k + 1}") for k, numbers in enumerate(tasks))
    if any(len(task) == 0 for task in finished):
        raise ValueError("a finished task has no examples.")
    now = _told(sent.get("now", []), "the task that runs")
    if len(now) + sum(map(len, finished)) > IN_ALL:
        raise ValueError(f"it has more than {IN_ALL} examples.")
    ask = sent.get("ask")
    if ask is not None:
        if not isinstance(ask, list) or len(ask) != 2:
            raise ValueError("the open question is not a point of the plane.")
        _check_numbers(ask, "the open question")
        ask = (float(ask[0]), float(ask[1]))
    return Story(finished, now, ask, serial)


def _told(numbers: Any, where: str) -> Told:
    """Return the examples of a flat list x1, x2, y, x1, x2, y, …"""
    if not isinstance(numbers, list) or len(numbers) % 3 or len(numbers) > 3 * IN_A_TASK:
        raise ValueError(f"{where} is not a list of up to {IN_A_TASK} examples.")
    _check_numbers(numbers, where)
    table = np.array(numbers, dtype=float).reshape(-1, 3)
    if not (np.abs(table[:, 2]) == 1).all():
        raise ValueError(f"{where} has a label that is neither -1 nor +1.")
    return Told(table[:, :2], table[:, 2])


def _check_numbers(numbers: Iterable[Any], where: str) -> None:
    for number in numbers:
        known = isinstance(number, (int, float)) and not isinstance(number, bool)
        if not known or not abs(number) <= FARTHEST:  # also refuses NaN
            raise ValueError(f"{where} has a number that is not between {-FARTHEST:g} and {FARTHEST:g}.")
