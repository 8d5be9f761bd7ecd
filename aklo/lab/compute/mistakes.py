"""The wrong predictions of a run: by example, and by task."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import aklo
from aklo.lab.compute import runs
from aklo.lab.settings.schema import Settings


def of_run(run: aklo.Run, *, expected: bool) -> np.ndarray:
    """Return 1 where a method of a run was wrong, (m, n).

    expected: whether to return the probability of an error for the sampling methods.
    """
    wrong = run.wrong.astype(float)
    if expected:
        for method, by_task in run.expected.items():
            wrong[run.methods.index(method)] = np.concatenate(by_task)
    return wrong


def task_shares(run: aklo.Run, wrong: np.ndarray) -> np.ndarray:
    """Return the share of wrong predictions in each task, (m, T). wrong: (m, n)."""
    return np.add.reduceat(wrong, run.learned.offsets[:-1], axis=1) / run.learned.lengths


def by_example(settings: Settings) -> np.ndarray:
    """Return `of_run` for the settings."""
    return of_run(runs.run(settings), expected=settings.expected)


def in_last_task(settings: Settings) -> np.ndarray:
    """Return the same of the last task alone, (m, N)."""
    return by_example(settings)[:, int(runs.stream(settings).offsets[-2]) :]


@dataclass(frozen=True)
class Shares:
    """The share of wrong predictions of each method in each task.

    Attributes
    ----------
    values : (m, T).
    worst, method, task : the largest of them, whose it is, and in which task.
    """

    values: np.ndarray
    worst: float
    method: str
    task: int


def by_task(settings: Settings) -> Shares:
    """Return the shares of the settings' methods in the tasks of their stream."""
    run = runs.run(settings)
    values = task_shares(run, by_example(settings))
    method, task = np.unravel_index(values.argmax(), values.shape)
    return Shares(values, float(values.max()), run.methods[int(method)], int(task))


@dataclass(frozen=True)
class Gain:
    """What knowledge does for a method on one stream.

    Attributes
    ----------
    mean : its gain over ITOL, averaged over the tasks.
    hurt : the number of tasks in which it is worse than ITOL.
    """

    mean: float
    hurt: int


def gain(run: aklo.Run, method: str) -> Gain:
    """Return the gain of a method on the stream of a run."""
    row = aklo.Transfer.of(run.task_errors[None], run.methods).table.loc[method]
    return Gain(float(row["mean"]), round(row["negative"] * len(run.task_errors[0])))
