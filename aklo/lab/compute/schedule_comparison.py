"""The comparison of schedules: a visitor's list, and the results of each schedule on the settings' stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import aklo
from aklo.lab.compute import runs
from aklo.lab.compute.stream_spec import RunSpec
from aklo.lab.session.cached import cached
from aklo.lab.settings.schema import MOST_KEPT, Settings
from aklo.lab.settings.text import schedule_title
from aklo.methods import KNOWING, METHODS
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
    alpha, trust, errors
        Arrays of shape (N,): alpha_t, its sum so far, and the wrong predictions so far of the settings' method in the
        settings' task.
    ace
        The ACE of each method.
    """

    mark: str
    current: bool
    schedule: Schedule
    alpha: np.ndarray
    trust: np.ndarray
    errors: np.ndarray
    ace: dict[str, float]

    @property
    def name(self) -> str:
        return f"{self.mark} · {schedule_title(self.schedule)}"


def can_add(settings: Settings) -> bool:
    """Return whether the current schedule can be added: the list is not full and does not contain it."""
    return len(settings.kept_schedules) < MOST_KEPT and settings.schedule.spec not in settings.kept_schedules


def with_current(settings: Settings) -> Settings:
    """Return the settings with the current schedule added to the list."""
    if not can_add(settings):
        return settings
    return settings.change(kept=";".join([*settings.kept_schedules, settings.schedule.spec]))


def without(settings: Settings, spec: str) -> Settings:
    """Return the settings with a schedule removed from the list."""
    return settings.change(kept=";".join(other for other in settings.kept_schedules if other != spec) or "none")


def waits(spec: str, settings: Settings) -> bool:
    """Return whether a schedule needs the horizon while it is unknown."""
    return settings.horizon == "unknown" and Schedule.parse(spec).needs_horizon


def compare(settings: Settings) -> list[Entry]:
    """Return the entries of the list that can run, in order, and then the current schedule if it is not in the list."""
    current = settings.schedule.spec
    shown = [(LETTERS[i], spec) for i, spec in enumerate(settings.kept_schedules) if not waits(spec, settings)]
    if current not in settings.kept_schedules:
        shown.append((NOW, current))
    return [Entry(mark, spec == current, **_numbers(settings, spec)) for mark, spec in shown]


def reference(settings: Settings) -> np.ndarray:
    """Return ITOL's cumulative errors in the settings' task, (N,)."""
    return _errors(runs.run(settings), "ITOL", settings.task)


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
    return _compute(RunSpec.of(of), of.n_examples, of.method, of.task)


@cached(max_entries=256)
def _compute(spec: RunSpec, n: int, method: str, task: int) -> dict[str, Any]:
    run, alpha = runs.run_from(spec), spec.schedule.values(n)
    return {
        "schedule": spec.schedule,
        "alpha": alpha,
        "trust": np.cumsum(alpha),
        "errors": _errors(run, method, task),
        "ace": dict(zip(METHODS, run.task_errors.mean(axis=1).tolist(), strict=True)),
    }


def _errors(run: aklo.Run, method: str, task: int) -> np.ndarray:
    """Return a method's cumulative errors in a task, (N,)."""
    start, end = run.learned.offsets[task : task + 2]
    return np.cumsum(run.wrong[METHODS.index(method), start:end])
