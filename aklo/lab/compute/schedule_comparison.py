"""The comparison of schedules: a visitor's list, and the results of each schedule on the settings' stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import aklo
from aklo.lab.compute import mistakes, runs
from aklo.lab.compute.stream_spec import RunSpec
from aklo.lab.session.cached import cached
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import schedule_title
from aklo.methods import KNOWING
from aklo.schedules import Schedule

LETTERS = "ABCD"
NOW = "Now"


@dataclass(frozen=True)
class Entry:
    """One schedule of the comparison.

    Parameters
    ----------
    mark
        "A" to "D", or "Now" for the current schedule where it is not in the list.
    current
        Whether it is the current schedule.
    alpha, errors
        Arrays of shape (N,): alpha_t, and the wrong predictions so far of the settings' method in the settings' task.
    ace
        The ACE of each method.
    """

    mark: str
    current: bool
    schedule: Schedule
    alpha: np.ndarray
    errors: np.ndarray
    ace: dict[str, float]

    @property
    def name(self) -> str:
        return f"{self.mark} · {schedule_title(self.schedule)}"


def compare(settings: Settings) -> list[Entry]:
    """Return the entries of the list that can run, in order, and then the current schedule if it is not in the list."""
    current, kept = settings.schedule.spec, settings.kept_schedules
    shown = [(LETTERS[i], spec) for i, spec in enumerate(kept) if not settings.waits(Schedule.parse(spec))]
    if current not in kept:
        shown.append((NOW, current))
    return [Entry(mark, spec == current, **_numbers(settings, spec)) for mark, spec in shown]


def answers(settings: Settings) -> dict[str, dict[str, list[float]]]:
    """Return mistakes and ACE over the whole stream of each schedule that is shown, for a browser that cannot mix it.

    The keys are "schedule|clip|horizon"; methods in the order of METHODS, the sampling methods as expected.
    """
    specs = {entry.schedule.spec for entry in compare(settings)}
    return {
        f"{spec}|{settings.clip}|{settings.horizon}": _answer(RunSpec.of(settings.change(alpha=spec)))
        for spec in sorted(specs)
    }


@cached(max_entries=64)
def _answer(spec: RunSpec) -> dict[str, list[float]]:
    run = runs.run_from(spec)
    wrong = mistakes.of_run(run, expected=True)
    return {"errors": wrong.sum(axis=1).tolist(), "ace": mistakes.task_shares(run, wrong).mean(axis=1).tolist()}


def table(entries: list[Entry], settings: Settings) -> pd.DataFrame:
    """Return the comparison as a table, one row for each schedule; ACE in percent, of the methods that use alpha."""
    rows = {
        entry.name: {
            "Mean alpha": entry.alpha.mean(),
            f"Wrong in task {settings.task}": entry.errors[-1],
            **{f"{method}, %": 100 * entry.ace[method] for method in KNOWING},
        }
        for entry in entries
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("Schedule")


def _numbers(settings: Settings, spec: str) -> dict[str, Any]:
    """Return an entry's numbers. Those of the schedules in the list are cached while the current one moves."""
    of = settings.change(alpha=spec)
    return _compute(RunSpec.of(of), runs.n_steps(of), of.method, of.task)


@cached(max_entries=256)
def _compute(spec: RunSpec, n: int, method: str, task: int) -> dict[str, Any]:
    run, alpha = runs.run_from(spec), spec.schedule.values(n)
    return {
        "schedule": spec.schedule,
        "alpha": alpha,
        "errors": _errors(run, method, task),
        "ace": dict(zip(run.methods, run.task_errors.mean(axis=1).tolist(), strict=True)),
    }


def _errors(run: aklo.Run, method: str, task: int) -> np.ndarray:
    """Return a method's cumulative errors in a task, (N,)."""
    start, end = run.learned.offsets[task : task + 2]
    return np.cumsum(run.wrong[run.methods.index(method), start:end])
