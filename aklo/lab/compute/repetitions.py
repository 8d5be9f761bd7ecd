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
from aklo.lab.compute.partial_results import PartialResults
from aklo.lab.compute.stream_spec import RunSpec, StreamSpec
from aklo.lab.server import worker, worker_tasks
from aklo.lab.session.cached import cached, cached_dict
from aklo.lab.settings.schema import Settings
from aklo.repetition import LearnedRepetitions, learn_repetitions
from aklo.sources import child, one_repetition, seed_of_draws

PART = 0.3  # seconds between two updates of the progress bar, or one repetition if that takes longer
MOST_AT_ONCE = 10


def results(settings: Settings) -> PartialResults[int, np.ndarray]:
    """Return the repetitions: number -> task errors, (m, T); none if the settings ask for one only."""
    s = settings
    numbers = range(s.repetitions) if s.repetitions > 1 else ()
    kind = f"repetition, {effort.kind(s)}"
    return PartialResults(numbers, _known(RunSpec.of(s)), effort.units(s), effort.UNASKED, kind, effort.guess(s))


def found(settings: Settings) -> aklo.Repeats | None:
    """Return the computed repetitions among those of the settings, or None for fewer than two."""
    some = list(results(settings).done.values())
    return aklo.Repeats(np.array(some), settings.methods) if len(some) > 1 else None


def found_or_run(settings: Settings) -> aklo.Repeats:
    """Return the computed repetitions, or where there are none the settings' one stream as if it were one."""
    return found(settings) or aklo.Repeats(runs.run(settings).task_errors[None], settings.methods)


def compute(settings: Settings, progress: Callable[[float], None] | None = None) -> None:
    """Compute the missing repetitions.

    progress: called with the share that is done. If it is given, the worker process computes.
    """
    part = results(settings)
    todo, size = part.missing, int(min(max(PART / part.seconds_each, 1), MOST_AT_ONCE))

    def report() -> None:
        if progress is not None:
            progress(part.share_done)

    for at in range(0, len(todo), size):
        numbers = todo[at : at + size]
        if progress is None:  # not measured: the learners may be cached, and then it is quicker than another time
            errors = _compute_here(settings, numbers)
        else:
            with part.measured(len(numbers)):
                errors = _in_worker(settings, numbers, report)
        part.known.update(zip(numbers, errors, strict=True))
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


_known = cached_dict("repetitions", max_entries=64)


@cached(max_entries=32, max_bytes=32 * 2**20, size=lambda learned: sum(part.nbytes for part in learned))
def _learned(spec: StreamSpec, seed: int, lam: float, first: int, n: int) -> list[LearnedRepetitions]:
    """Return the learners and experts of n repetitions from number `first` on."""
    return list(learn_repetitions(spec.generator, n, lam=lam, seed=seed, first=first))
