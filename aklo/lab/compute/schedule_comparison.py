"""Schedules side by side: which ones a visitor keeps, and what each does on the settings' stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import aklo
from aklo.lab.compute import runs
from aklo.lab.frame import page
from aklo.lab.session import uploads
from aklo.lab.settings.schema import MOST_KEPT, Settings
from aklo.lab.settings.text import schedule_title
from aklo.methods import KNOWING, METHODS
from aklo.schedules import Schedule

LETTERS = "ABCD"
NOW = "Now"


@dataclass(frozen=True)
class Entry:
    """One schedule of the comparison.

    mark: "A" to "D", or "Now" for the current one where it is not kept; alpha, trust, errors: (N,), alpha_t, its sum so
    far, and the wrong predictions so far of the settings' method in the settings' task; ace: method -> share.
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


def can_keep(settings: Settings) -> bool:
    """Whether the current schedule can be added: there is room, and it is not there yet."""
    return len(settings.kept_schedules) < MOST_KEPT and settings.alpha not in settings.kept_schedules


def keep() -> None:
    """Add the current schedule."""
    settings = page.settings()
    if can_keep(settings):
        page.change(kept=";".join([*settings.kept_schedules, settings.alpha]))


def drop(spec: str) -> None:
    """Remove a schedule."""
    kept = page.settings().kept_schedules
    page.change(kept=";".join(other for other in kept if other != spec) or "none")


def fits(spec: str, settings: Settings) -> bool:
    """Whether a schedule runs under the settings' horizon."""
    return settings.horizon == "known" or not Schedule.parse(spec).needs_horizon


def compare(settings: Settings) -> list[Entry]:
    """The kept schedules that fit, in their order, and the current one last where it is not among them."""
    shown = [(LETTERS[i], spec) for i, spec in enumerate(settings.kept_schedules) if fits(spec, settings)]
    if settings.alpha not in settings.kept_schedules:
        shown.append((NOW, settings.alpha))
    return [Entry(mark, spec == settings.alpha, **_made(settings, spec)) for mark, spec in shown]


def reference(settings: Settings) -> np.ndarray:
    """(N,): ITOL's wrong predictions so far in the settings' task."""
    return _errors(runs.run(settings), "ITOL", settings.task)


def table(entries: list[Entry], settings: Settings) -> pd.DataFrame:
    """The comparison in numbers, one row a schedule; ACE in percent, of the methods that alpha touches."""
    rows = {
        entry.name: {
            "Mean alpha": entry.alpha.mean(),
            f"Wrong in task {settings.task}": entry.errors[-1],
            **{f"{method}, %": 100 * entry.ace[method] for method in KNOWING},
        }
        for entry in entries
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("Schedule")


def _made(settings: Settings, spec: str) -> dict[str, Any]:
    """An entry's numbers. Those of the schedules that are kept stay while the current one moves."""
    of = settings.change(alpha=spec)
    key = (*runs.key(of), of.method, of.task)
    return uploads.remember("entry", key, lambda: _make(of), most=2 * MOST_KEPT)


def _make(settings: Settings) -> dict[str, Any]:
    run, schedule = runs.run(settings), settings.schedule
    alpha = schedule.values(settings.n_examples)
    return {
        "schedule": schedule,
        "alpha": alpha,
        "trust": np.cumsum(alpha),
        "errors": _errors(run, settings.method, settings.task),
        "ace": dict(zip(METHODS, run.task_errors.mean(axis=1).tolist(), strict=True)),
    }


def _errors(run: aklo.Run, method: str, task: int) -> np.ndarray:
    """(N,): the wrong predictions so far in a task."""
    start, end = run.learned.offsets[task : task + 2]
    return np.cumsum(run.wrong[METHODS.index(method), start:end])
