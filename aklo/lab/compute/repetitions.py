"""Repetitions of a run on fresh data: computed some at a time, and cached for all visitors.

Repetition i of a seed is the same whichever others are asked for. So more repetitions cost only what is missing, and
nothing is lost when the computation is stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

import aklo
from aklo.lab.compute import effort
from aklo.lab.compute.stream_spec import RunSpec, StreamSpec
from aklo.lab.server import work_rate, worker, worker_tasks
from aklo.lab.session.cached import cached
from aklo.lab.settings.schema import Settings
from aklo.repetition import LearnedRepetitions, child, learn_repetitions, one_repetition, seed_of_draws

PART = 0.3  # seconds between two moves of the progress bar, where a single repetition is not longer
MOST_AT_ONCE = 10


def seconds_each(settings: Settings) -> float:
    """About how long one repetition takes, by those that this machine has done."""
    return work_rate.rate(_kind(settings), effort.guess(settings)) * effort.units(settings)


def seconds_left(settings: Settings) -> float:
    """About how long the repetitions that are still missing take."""
    return len(missing(settings)) * seconds_each(settings)


def is_cheap(settings: Settings) -> bool:
    """Whether all of them are so little work that nobody need be asked."""
    return settings.repetitions * effort.units(settings) <= effort.UNASKED


def missing(settings: Settings) -> list[int]:
    """The numbers of the repetitions that the settings ask for and that are not computed yet."""
    known = _known(RunSpec.of(settings))
    return [i for i in range(settings.repetitions) if i not in known] if settings.repetitions > 1 else []


def found(settings: Settings) -> aklo.Repeats | None:
    """The repetitions that there are, at most as many as the settings ask for; one alone says nothing about luck."""
    known = _known(RunSpec.of(settings))
    some = [known[i] for i in range(settings.repetitions) if i in known]
    return aklo.Repeats(np.array(some)) if len(some) > 1 else None


def compute(settings: Settings, progress: Callable[[float], None] | None = None) -> None:
    """Compute what is missing: here, or in the worker process if there is a progress bar to move meanwhile."""
    known, todo = _known(RunSpec.of(settings)), missing(settings)
    size = int(min(max(PART / seconds_each(settings), 1), MOST_AT_ONCE))

    def tell() -> None:
        if progress is not None:
            progress(1 - len(missing(settings)) / settings.repetitions)

    for at in range(0, len(todo), size):
        numbers = todo[at : at + size]
        with work_rate.measured(_kind(settings), effort.units(settings) * len(numbers)):
            part = _compute_here(settings, numbers) if progress is None else _in_worker(settings, numbers, tell)
        known.update(zip(numbers, part, strict=True))
        tell()


def _in_worker(settings: Settings, numbers: Sequence[int], meanwhile: Callable[[], None]) -> np.ndarray:
    """Some of the repetitions of `aklo.repeat`, by their numbers: (repetitions, 6, T)."""
    s, generator = settings, StreamSpec.of(settings).generator
    children = [child(s.seed, number) for number in numbers]
    streams, seeds = [one_repetition(generator, one) for one in children], tuple(map(seed_of_draws, children))
    options = {"lam": s.lam, "alpha": s.schedule, "clip": s.clip, "horizon": s.horizon}
    return worker.call(worker_tasks.repetitions, streams, seeds, meanwhile=meanwhile, **options)


def _compute_here(settings: Settings, numbers: Sequence[int]) -> np.ndarray:
    """The same, consecutive numbers at once; what was learned is kept for the next alpha."""
    s, spec = settings, StreamSpec.of(settings)
    rows = np.split(np.array(numbers), np.flatnonzero(np.diff(numbers) != 1) + 1)
    learned = [part for row in rows for part in _learned(spec, s.seed, s.lam, int(row[0]), len(row))]
    return np.concatenate([part.mix(s.schedule, s.clip, s.horizon) for part in learned])


def _kind(settings: Settings) -> str:
    return f"repetition, {effort.kind(settings)}"


@cached(max_entries=64)
def _known(spec: RunSpec) -> dict[int, np.ndarray]:
    """The repetitions of a run that are known so far: number -> (6, T) task errors."""
    return {}


@cached(max_entries=32, max_bytes=32 * 2**20, size=lambda learned: sum(part.nbytes for part in learned))
def _learned(spec: StreamSpec, seed: int, lam: float, first: int, n: int) -> list[LearnedRepetitions]:
    """n repetitions from number `first` on, learned but not mixed."""
    return list(learn_repetitions(spec.generator, n, lam=lam, seed=seed, first=first))
