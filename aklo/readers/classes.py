"""From the labels of a table to tasks of two classes: two labels, one label against the rest, or a task for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from aklo.readers.collection import MOST_NUMBERS, MOST_TASKS, quoted
from aklo.readers.table_error import TableError

MOST_CLASSES = 100  # labels of one column
REST = "the rest"
POSITIVE = ("1", "true", "yes", "spam", "positive", "pos", "y", "t")  # labels that are likely +1


@dataclass(frozen=True)
class LabelledTasks:
    """Tasks with labels -1 and +1.

    Parameters
    ----------
    tasks
        Triples (name, X, y).
    labels
        Names of -1 and +1.
    classes
        The class that is +1 in each task, as an index into the table's labels, where each class has tasks of its own.
    """

    tasks: list[tuple[str, np.ndarray, np.ndarray]]
    labels: tuple[str, str]
    classes: tuple[int, ...] = ()


def label(
    tasks: Sequence[tuple[str, np.ndarray, np.ndarray]],
    words: list[str],
    *,
    column: str,
    positive: str | None = None,
    each_class: bool = False,
) -> LabelledTasks:
    """Label tasks.

    Parameters
    ----------
    tasks
        Triples (name, X, index of the label of each row).
    words
        The labels.
    column
        Name of the column that they stand in.
    positive
        The label that becomes +1; with more than two, all others become -1.
    each_class
        Whether each task becomes as many tasks as it has classes, each with one class as +1 against the rest.
    """
    if len(words) < 2:
        raise TableError(f"Column {column!r} has {quoted(words[0])} in every row, where two labels are needed.", "y")
    if each_class:
        return _each_class(tasks, words)
    if positive is not None and positive not in words:
        has = ", ".join(quoted(word) for word in words[:5]) + (" and more" if len(words) > 5 else "")
        raise TableError(f"Column {column!r} has {has}, and no {quoted(positive)} to be +1.", "positive")
    plus = positive if positive is not None else likely_positive(words)
    minus = REST if len(words) > 2 else words[1 - words.index(plus)]
    found = [(name, X, np.where(index == words.index(plus), 1.0, -1.0)) for name, X, index in tasks]
    return LabelledTasks(found, (minus, plus))


def _each_class(tasks: Sequence[tuple[str, np.ndarray, np.ndarray]], words: list[str]) -> LabelledTasks:
    """Make a task for each class that a task has."""
    present = [(name, X, index, np.unique(index)) for name, X, index in tasks]
    numbers = sum(X.size * len(classes) for _, X, _, classes in present)
    if numbers > MOST_NUMBERS:
        raise ValueError(
            f"A task for each class would have {numbers:,} numbers in all, where at most {MOST_NUMBERS:,} are read."
        )
    n_tasks = sum(len(classes) for *_, classes in present)
    if n_tasks > MOST_TASKS:
        raise ValueError(f"A task for each class makes {n_tasks:,} tasks, where at most {MOST_TASKS:,} are read.")
    found = [
        (f"{name}: {words[c]}" if name else words[c], X, np.where(index == c, 1.0, -1.0))
        for name, X, index, classes in present
        for c in classes
    ]
    return LabelledTasks(found, (REST, "its class"), tuple(int(c) for *_, classes in present for c in classes))


def likely_positive(words: list[str]) -> str:
    """Return the label that is likely +1: a known one, else the larger number, else the last in the alphabet."""
    known = [word for word in words if word.lower() in POSITIVE]
    if len(known) == 1:
        return known[0]
    try:
        return max(words, key=float)
    except ValueError:
        return max(words)
