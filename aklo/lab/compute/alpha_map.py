"""The ACE over end value × time of decay: the schedules Ramp(end, steps), which include the paper's linear one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

import aklo
from aklo.lab.compute import effort, repetitions, runs
from aklo.lab.compute.stream_spec import StreamSpec
from aklo.lab.server import work_rate, worker, worker_tasks
from aklo.lab.session.cached import cached
from aklo.lab.settings.schema import Settings
from aklo.schedules import Constant, Linear, Ramp, Schedule

ENDS = tuple(i / 10 for i in range(11))
SHARES = tuple(i / 10 for i in range(11))  # of the task until the end value is reached; 0 stands for one step
UNASKED = 1.5e8  # units of work up to which the map is computed without a click: one or two seconds
PART = 0.5  # seconds between two updates of the progress bar, or one cell if that takes longer
FINE, FINER = 0.02, 0.025  # steps of the end value, and of the share of the task, around the best cell
COST = 15e-9  # seconds for a unit of work, before the first one is measured


@dataclass(frozen=True)
class AlphaMap:
    """The map of one method.

    Attributes
    ----------
    n : the number of examples in a task.
    ace : (ends, shares), the ACE of each cell.
    itol : the ACE of ITOL.
    """

    n: int
    ace: np.ndarray
    itol: float

    @property
    def best(self) -> tuple[int, int]:
        """The cell with the least ACE; ties go to the higher end value, then to the longer decay."""
        i, j = np.unravel_index(np.argmin(self.ace[::-1, ::-1]), self.ace.shape)
        return len(ENDS) - 1 - int(i), len(SHARES) - 1 - int(j)

    @property
    def hurts(self) -> int:
        """The number of cells that are worse than ITOL."""
        return int((self.ace > self.itol).sum())

    def schedule_of(self, number: int) -> Ramp:
        """The schedule of a cell; cells are numbered row by row, from the lowest end value on."""
        i, j = divmod(number, len(SHARES))
        return cell(ENDS[i], SHARES[j], self.n)

    @property
    def best_schedule(self) -> Ramp:
        """The schedule of the best cell."""
        i, j = self.best
        return cell(ENDS[i], SHARES[j], self.n)


def cell(end: float, share: float, n: int) -> Ramp:
    """Return the schedule that reaches `end` after a share of n steps."""
    return Ramp(end=end, steps=max(1, round(share * n)))


def key(settings: Settings) -> tuple[StreamSpec, int, float, str, str]:
    """Return the values that the cells depend on; alpha and the method are not among them."""
    s = settings
    return StreamSpec.of(s), s.seed, s.lam, s.clip, s.horizon


def is_cheap(settings: Settings) -> bool:
    """Return whether the map is computed without a click."""
    return effort.units(settings) * len(_cells(settings.n_examples)) <= UNASKED


def seconds(settings: Settings) -> float:
    """Return an estimate of the seconds for the missing cells, from measurements on this machine."""
    return work_rate.rate(_kind(settings), COST) * effort.units(settings) * len(_missing(settings))


def share_done(settings: Settings) -> float:
    """Return the share of the map's cells that is cached."""
    return 1 - len(_missing(settings)) / len(_cells(settings.n_examples))


def compute(settings: Settings, progress: Callable[[float], None] = lambda share: None) -> AlphaMap:
    """Return the map of the settings' method. Each cell is cached at once, so that a stop loses nothing.

    progress: called with the share that is done.
    """
    n, known = settings.n_examples, _known(settings)
    cells, missing = _cells(n), _missing(settings)
    each = work_rate.rate(_kind(settings), COST) * effort.units(settings)
    together = max(1, int(PART / each))
    for at in range(0, len(missing), together):
        some = missing[at : at + together]
        report = partial(progress, (len(cells) - len(missing) + at) / len(cells))
        report()
        with work_rate.measured(_kind(settings), effort.units(settings) * len(some)):
            if is_cheap(settings):
                results = _compute_here(settings, some)
            else:
                results = _compute_in_worker(settings, some, report)
        known.update(zip(some, results, strict=True))
    ace = [[known[cell(end, share, n)][settings.method] for share in SHARES] for end in ENDS]
    return AlphaMap(n, np.array(ace), float(known[cells[0]]["ITOL"]))


def refined(settings: Settings, found: AlphaMap) -> tuple[Ramp, float]:
    """Return the best schedule among the map's best cell and finer steps around it, and its ACE.

    A map that is too large to be computed at once is not refined.
    """
    best, least = found.best_schedule, float(found.ace.min())
    if not is_cheap(settings):
        return best, least
    known = _known(settings)
    tried = [
        Ramp(end=round(best.end + FINE * i, 2), steps=best.steps + round(FINER * j * found.n))
        for i in range(-4, 5)
        for j in (-2, -1, 0, 1, 2)
        if 0 <= best.end + FINE * i <= 1 and 1 <= best.steps + round(FINER * j * found.n) <= found.n
    ]
    new = [schedule for schedule in dict.fromkeys(tried) if schedule not in known]
    known.update(zip(new, _compute_here(settings, new), strict=True))
    for schedule in tried:
        error = float(known[schedule][settings.method])
        if error < least:
            best, least = schedule, error
    return best, least


@dataclass(frozen=True)
class Check:
    """Two schedules on the same repetitions.

    best, current: their mean ACE; low, high: the 95 % interval of current minus best.
    """

    repetitions: int
    best: float
    current: float
    low: float
    high: float


def checked(settings: Settings, best: Schedule) -> Check | None:
    """Compare a schedule with the current one over repetitions; None where that takes too long or there is only one."""
    other = settings.change(alpha=best.spec)
    if settings.repetitions < 2 or not all(map(repetitions.is_cheap, (settings, other))):
        return None
    errors = []
    for each in (other, settings):
        repetitions.compute(each)
        repeats = repetitions.found(each)
        if repeats is None:
            return None
        errors.append(repeats.ace[settings.method].to_numpy())
    fewer = errors[1] - errors[0]
    reach = float(stats.t.ppf(0.975, len(fewer) - 1) * fewer.std(ddof=1) / np.sqrt(len(fewer)))
    middle = float(fewer.mean())
    return Check(len(fewer), float(errors[0].mean()), float(errors[1].mean()), middle - reach, middle + reach)


def _compute_here(settings: Settings, schedules: Sequence[Ramp]) -> list[pd.Series]:
    """Return the ACE under each schedule, from the cached learners and experts."""
    s, learned = settings, runs.learned(settings)
    return [aklo.mix(learned, alpha=alpha, clip=s.clip, horizon=s.horizon, seed=s.seed).ace for alpha in schedules]


def _compute_in_worker(settings: Settings, schedules: Sequence[Ramp], meanwhile: Callable[[], None]) -> list[pd.Series]:
    """Return the same, computed in the worker process, so that other visitors do not wait for it."""
    s = settings
    options = {"lam": s.lam, "clip": s.clip, "horizon": s.horizon, "seed": s.seed}
    return worker.call(worker_tasks.aces, runs.stream(s), schedules, meanwhile=meanwhile, **options)


def place(schedule: Schedule, n: int) -> tuple[float, float] | None:
    """Return a schedule's position on the map as (share, end), or None if it is not in the family."""
    if isinstance(schedule, Linear):
        return 1.0, schedule.end
    if isinstance(schedule, Constant) and schedule.value == 1:
        return 1.0, 1.0
    if isinstance(schedule, Ramp):
        within = min(schedule.steps / n, 1.0)
        return within, 1 - (1 - schedule.end) * within * n / schedule.steps
    return None


def nearest(schedule: Schedule, n: int) -> Ramp:
    """Return the map's schedule with the least mean absolute difference to the given one."""
    values = schedule.values(n)
    return min(_cells(n), key=lambda other: float(np.abs(other.values(n) - values).mean()))


def _cells(n: int) -> list[Ramp]:
    """Return the map's schedules without duplicates."""
    return list(dict.fromkeys(cell(end, share, n) for end in ENDS for share in SHARES))


def _missing(settings: Settings) -> list[Ramp]:
    known = _known(settings)
    return [schedule for schedule in _cells(settings.n_examples) if schedule not in known]


def _kind(settings: Settings) -> str:
    return f"cell, {effort.kind(settings)}"


def _known(settings: Settings) -> dict[Ramp, pd.Series]:
    """Return the cache of computed cells: schedule -> ACE of each method."""
    return _known_cells(*key(settings))


@cached(max_entries=48)
def _known_cells(spec: StreamSpec, seed: int, lam: float, clip: str, horizon: str) -> dict[Ramp, pd.Series]:
    return {}
