"""A map of ACE over end value × speed of decay: the family Ramp(end, steps), in which the paper's linear ones stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import aklo
from aklo.lab.compute import runs
from aklo.lab.frame import progress
from aklo.lab.frame.progress import Work
from aklo.lab.server import load, worker, worker_tasks
from aklo.lab.session import uploads
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import count
from aklo.schedules import Constant, Linear, Ramp, Schedule

ENDS = tuple(i / 10 for i in range(11))
SHARES = tuple(i / 10 for i in range(11))  # of the task, after which the end is reached; 0 is after one step
CHEAP = 2.0  # seconds that a page spends on a lone visitor's map without being asked
PART = 0.5  # seconds between two moves of the bar, where a single cell is not longer
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


def key(settings: Settings) -> tuple:
    """All that the map depends on: neither alpha nor the method."""
    return runs.spec(settings), settings.seed, settings.lam, settings.clip, settings.horizon


def cheap(settings: Settings) -> bool:
    return seconds(settings) <= load.fair(CHEAP)


def seconds(settings: Settings) -> float:
    """About how long the whole map takes, by the cells that this machine has computed."""
    return load.rate("cell", COST) * _effort(settings) * len(_cells(settings.n_examples))


def _effort(settings: Settings) -> float:
    """The units of work in one cell: every expert is asked about every example, and a cell itself costs something."""
    return 1e5 + settings.n_tasks**2 * settings.n_examples


def under_way(settings: Settings) -> bool:
    """Whether this visitor has asked for a map that takes its time, and it is not all there."""
    return st.session_state.get("map") == (key(settings), True) and done(settings) < 1 and not cheap(settings)


def done(settings: Settings) -> float:
    """The share of the map that is known already."""
    return len(_sheet(*key(settings))) / len(_cells(settings.n_examples))


def compute(settings: Settings, progress: Callable[[float], None] = lambda share: None) -> AlphaMap:
    """The map of the settings' method. Cells are kept as they come, so that work that was cut short is not lost."""
    n = settings.n_examples
    sheet = _sheet(*key(settings))
    cells = _cells(n)
    missing = [schedule for schedule in cells if schedule not in sheet]
    together = max(1, int(PART / (load.rate("cell", COST) * _effort(settings))))
    here = cheap(settings)
    for at in range(0, len(missing), together):
        some = missing[at : at + together]
        tell = partial(progress, (len(cells) - len(missing) + at) / len(cells))
        tell()
        with load.measured("cell", _effort(settings) * len(some)):
            found = _here(settings, some) if here else _apart(settings, some, tell)
        sheet.update(zip(some, found, strict=True))
    ace = [[sheet[cell(end, share, n)][settings.method] for share in SHARES] for end in ENDS]
    return AlphaMap(n, np.array(ace), float(sheet[cells[0]]["ITOL"]))


def _here(settings: Settings, schedules: Sequence[Ramp]) -> list[pd.Series]:
    """Each schedule's ACE, from the stream as it was learned already."""
    s, learned = settings, runs.learned(settings)
    return [aklo.mix(learned, alpha=alpha, clip=s.clip, horizon=s.horizon, seed=s.seed).ace for alpha in schedules]


def _apart(settings: Settings, schedules: Sequence[Ramp], meanwhile: Callable[[], None]) -> list[pd.Series]:
    """The same, where others must not wait for it."""
    s = settings
    words = {"lam": s.lam, "clip": s.clip, "horizon": s.horizon, "seed": s.seed}
    return worker.call(worker_tasks.aces, runs.stream(s), schedules, meanwhile=meanwhile, **words)


def ask(settings: Settings, place: DeltaGenerator) -> AlphaMap | None:
    """The map, with a bar in its place while it is computed; at large sizes only when asked, and it can be stopped."""
    work = Work(
        name="map",
        wanted=key(settings),
        known=done(settings),
        unasked=cheap(settings),
        price=f"With {count(settings.n_tasks, 'task')} of {settings.n_examples} examples this map takes "
        f"roughly {seconds(settings):.0f} seconds, so it waits until you ask.",
        start="Compute the map",
        help="Tries every schedule of the map on this stream. You can stop at any time; what is done is kept.",
        doing="Trying schedules",
    )
    return progress.ask(work, place, partial(compute, settings))


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


@uploads.shared_unless_own(max_entries=48)
def _sheet(spec: runs.Spec, seed: int, lam: float, clip: str, horizon: str) -> dict[Ramp, pd.Series]:
    """The cells of one map that are known so far, shared by all visitors."""
    return {}
