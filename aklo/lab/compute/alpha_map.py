"""A map of ACE over end value × speed of decay: the family Ramp(end, steps), in which the paper's linear ones stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

import aklo
from aklo.lab.compute import effort, runs
from aklo.lab.compute.stream_spec import StreamSpec
from aklo.lab.server import work_rate, worker, worker_tasks
from aklo.lab.session.cached import cached
from aklo.lab.settings.schema import Settings
from aklo.schedules import Constant, Linear, Ramp, Schedule

ENDS = tuple(i / 10 for i in range(11))
SHARES = tuple(i / 10 for i in range(11))  # of the task, after which the end is reached; 0 is after one step
UNASKED = 1.5e8  # units of work that a page spends on the map without being asked: a second or two
PART = 0.5  # seconds between two moves of the progress bar, where a single cell is not longer
COST = 15e-9  # seconds for a unit of work, before the first one is measured


@dataclass(frozen=True)
class AlphaMap:
    """ace: (ends, shares) of one method; best: the cell with the least, ties to the higher and slower; itol: ITOL's."""

    n: int
    ace: np.ndarray
    itol: float

    @property
    def best(self) -> tuple[int, int]:
        i, j = np.unravel_index(np.argmin(self.ace[::-1, ::-1]), self.ace.shape)
        return len(ENDS) - 1 - int(i), len(SHARES) - 1 - int(j)

    @property
    def hurts(self) -> int:
        """In how many cells knowledge makes it worse than ITOL."""
        return int((self.ace > self.itol).sum())

    @property
    def best_schedule(self) -> Ramp:
        i, j = self.best
        return cell(ENDS[i], SHARES[j], self.n)


def cell(end: float, share: float, n: int) -> Ramp:
    """The family's schedule that has fallen to `end` after a share of n steps."""
    return Ramp(end=end, steps=max(1, round(share * n)))


def key(settings: Settings) -> tuple[StreamSpec, int, float, str, str]:
    """All that the cells depend on: neither alpha nor the method."""
    s = settings
    return StreamSpec.of(s), s.seed, s.lam, s.clip, s.horizon


def is_cheap(settings: Settings) -> bool:
    """Whether the map is so little work that nobody need be asked."""
    return effort.units(settings) * len(_cells(settings.n_examples)) <= UNASKED


def seconds(settings: Settings) -> float:
    """About how long the cells that are missing take, by those that this machine has computed."""
    return work_rate.rate(_kind(settings), COST) * effort.units(settings) * len(_missing(settings))


def share_done(settings: Settings) -> float:
    """The share of the map that is known already."""
    return 1 - len(_missing(settings)) / len(_cells(settings.n_examples))


def compute(settings: Settings, progress: Callable[[float], None] = lambda share: None) -> AlphaMap:
    """The map of the settings' method. Cells are kept as they come, so that nothing is lost when it is stopped."""
    n, known = settings.n_examples, _known(settings)
    cells, missing = _cells(n), _missing(settings)
    each = work_rate.rate(_kind(settings), COST) * effort.units(settings)
    together = max(1, int(PART / each))
    compute_some = _compute_here if is_cheap(settings) else _compute_in_worker
    for at in range(0, len(missing), together):
        some = missing[at : at + together]
        tell = partial(progress, (len(cells) - len(missing) + at) / len(cells))
        tell()
        with work_rate.measured(_kind(settings), effort.units(settings) * len(some)):
            found = compute_some(settings, some, tell)
        known.update(zip(some, found, strict=True))
    ace = [[known[cell(end, share, n)][settings.method] for share in SHARES] for end in ENDS]
    return AlphaMap(n, np.array(ace), float(known[cells[0]]["ITOL"]))


def _compute_here(settings: Settings, schedules: Sequence[Ramp], meanwhile: Callable[[], None]) -> list[pd.Series]:
    """The ACE under each schedule, from what is learned already."""
    s, learned = settings, runs.learned(settings)
    return [aklo.mix(learned, alpha=alpha, clip=s.clip, horizon=s.horizon, seed=s.seed).ace for alpha in schedules]


def _compute_in_worker(settings: Settings, schedules: Sequence[Ramp], meanwhile: Callable[[], None]) -> list[pd.Series]:
    """The same in the worker process, so that others do not wait for it."""
    s = settings
    options = {"lam": s.lam, "clip": s.clip, "horizon": s.horizon, "seed": s.seed}
    return worker.call(worker_tasks.aces, runs.stream(s), schedules, meanwhile=meanwhile, **options)


def place(schedule: Schedule, n: int) -> tuple[float, float] | None:
    """Where a schedule stands on the map, as (share, end); None where it is not of the family."""
    if isinstance(schedule, Linear):
        return 1.0, schedule.end
    if isinstance(schedule, Constant) and schedule.value == 1:
        return 1.0, 1.0
    if isinstance(schedule, Ramp):
        within = min(schedule.steps / n, 1.0)
        return within, 1 - (1 - schedule.end) * within * n / schedule.steps
    return None


def nearest(schedule: Schedule, n: int) -> Ramp:
    """The map's schedule with the least mean distance from another, step by step."""
    values = schedule.values(n)
    return min(_cells(n), key=lambda other: float(np.abs(other.values(n) - values).mean()))


def _cells(n: int) -> list[Ramp]:
    """The different schedules of the map."""
    return list(dict.fromkeys(cell(end, share, n) for end in ENDS for share in SHARES))


def _missing(settings: Settings) -> list[Ramp]:
    known = _known(settings)
    return [schedule for schedule in _cells(settings.n_examples) if schedule not in known]


def _kind(settings: Settings) -> str:
    return f"cell, {effort.kind(settings)}"


def _known(settings: Settings) -> dict[Ramp, pd.Series]:
    """The cells that are known so far."""
    return _known_cells(*key(settings))


@cached(max_entries=48)
def _known_cells(spec: StreamSpec, seed: int, lam: float, clip: str, horizon: str) -> dict[Ramp, pd.Series]:
    return {}
