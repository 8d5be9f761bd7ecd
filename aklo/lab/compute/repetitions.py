"""Repetitions of a run on new data, computed in batches and cached.

Repetition i of a seed does not depend on the number of repetitions. So only missing ones are computed, and a stop loses
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import aklo
from aklo.lab.compute import effort, runs
from aklo.lab.compute.stream_spec import RunSpec, StreamSpec
from aklo.lab.server import work_rate, worker, worker_tasks
from aklo.lab.session.cached import cached
from aklo.lab.settings.schema import Settings
from aklo.repetition import LearnedRepetitions, learn_repetitions
from aklo.sources import child, one_repetition, seed_of_draws

PART = 0.3  # seconds between two updates of the progress bar, or one repetition if that takes longer
MOST_AT_ONCE = 10


def seconds_each(settings: Settings) -> float:
    """Return an estimate of the seconds for one repetition, from measurements on this machine."""
    return work_rate.rate(_kind(settings), effort.guess(settings)) * effort.units(settings)


def seconds_left(settings: Settings) -> float:
    """Return an estimate of the seconds for the missing repetitions."""
    return len(missing(settings)) * seconds_each(settings)


def is_cheap(settings: Settings) -> bool:
    """Return whether the repetitions are computed without a click."""
    return settings.repetitions * effort.units(settings) <= effort.UNASKED


def missing(settings: Settings) -> list[int]:
    """Return the numbers of the repetitions that are not computed yet."""
    known = _known(RunSpec.of(settings))
    return [i for i in range(settings.repetitions) if i not in known] if settings.repetitions > 1 else []


def found(settings: Settings) -> aklo.Repeats | None:
    """Return the computed repetitions among those of the settings, or None for fewer than two."""
    known = _known(RunSpec.of(settings))
    some = [known[i] for i in range(settings.repetitions) if i in known]
    return aklo.Repeats(np.array(some), settings.methods) if len(some) > 1 else None


def found_or_run(settings: Settings) -> aklo.Repeats:
    """Return the computed repetitions, or where there are none the settings' one stream as if it were one."""
    return found(settings) or aklo.Repeats(runs.run(settings).task_errors[None], settings.methods)


def compute(settings: Settings, progress: Callable[[float], None] | None = None) -> None:
    """Compute the missing repetitions.

    progress: called with the share that is done. If it is given, the worker process computes.
    """
    known, todo = _known(RunSpec.of(settings)), missing(settings)
    size = int(min(max(PART / seconds_each(settings), 1), MOST_AT_ONCE))

    def report() -> None:
        if progress is not None:
            progress(1 - len(missing(settings)) / settings.repetitions)

    for at in range(0, len(todo), size):
        numbers = todo[at : at + size]
        if progress is None:  # not measured: the learners may be cached, and then it is quicker than another time
            part = _compute_here(settings, numbers)
        else:
            with work_rate.measured(_kind(settings), effort.units(settings) * len(numbers)):
                part = _in_worker(settings, numbers, report)
        known.update(zip(numbers, part, strict=True))
        report()


def _in_worker(settings: Settings, numbers: Sequence[int], meanwhile: Callable[[], None]) -> np.ndarray:
    """Return the task errors of the repetitions with the given numbers, (repetitions, m, T)."""
    s, generator = settings, StreamSpec.of(settings).generator
    children = [child(s.seed, number) for number in numbers]
    streams, seeds = [one_repetition(generator, one) for one in children], tuple(map(seed_of_draws, children))
    options: dict[str, Any] = {"lam": s.lam, "alpha": s.schedule, "clip": s.clip, "horizon": s.horizon}
    options["methods"] = [aklo.RULES[name] for name in s.methods]
    return worker.call(worker_tasks.repetitions, streams, seeds, meanwhile=meanwhile, **options)


def _compute_here(settings: Settings, numbers: Sequence[int]) -> np.ndarray:
    """Return the same, computed in this process. The learners and experts are cached for the next alpha."""
    s, spec = settings, StreamSpec.of(settings)
    rows = np.split(np.array(numbers), np.flatnonzero(np.diff(numbers) != 1) + 1)
    learned = [part for row in rows for part in _learned(spec, s.seed, s.lam, int(row[0]), len(row))]
    return np.concatenate([part.mix(s.schedule, s.clip, s.horizon, s.methods) for part in learned])


def _kind(settings: Settings) -> str:
    return f"repetition, {effort.kind(settings)}"


@cached(max_entries=64)
def _known(spec: RunSpec) -> dict[int, np.ndarray]:
    """Return the cache of computed repetitions: number -> task errors, (m, T)."""
    return {}


@cached(max_entries=32, max_bytes=32 * 2**20, size=lambda learned: sum(part.nbytes for part in learned))
def _learned(spec: StreamSpec, seed: int, lam: float, first: int, n: int) -> list[LearnedRepetitions]:
    """Return the learners and experts of n repetitions from number `first` on."""
    return list(learn_repetitions(spec.generator, n, lam=lam, seed=seed, first=first))
