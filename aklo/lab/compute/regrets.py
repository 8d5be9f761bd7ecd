"""The regret of the methods on the settings' stream. The competitors do not depend on alpha, and are cached."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import aklo
from aklo.lab.compute import runs
from aklo.lab.compute.stream_spec import RunSpec, StreamSpec
from aklo.lab.session.cached import cached
from aklo.lab.settings.schema import Settings
from aklo.regrets import best_expert, competitors


def regret(settings: Settings, wrong: np.ndarray) -> aklo.Regret:
    """Return the regret of the settings' methods. wrong: (m, n), 1 for a mistake, or the probability of one."""
    found = _competitors(StreamSpec.of(settings), settings.seed, settings.lam)
    return aklo.Regret(settings.methods, wrong, found, runs.stream(settings).offsets)


@cached(max_entries=16)
def _competitors(spec: StreamSpec, seed: int, lam: float) -> dict[str, np.ndarray]:
    return competitors(runs.learned_from(spec, seed, lam))


@dataclass(frozen=True)
class MeanRegret:
    """The regret against each task's best expert, averaged over the tasks that have experts.

    Attributes
    ----------
    curves : method -> (N,), the mean regret after each example of a task.
    best : the mean number of mistakes of the best experts.
    n_tasks : the number of tasks that have experts.
    """

    curves: dict[str, np.ndarray]
    best: float
    n_tasks: int


def mean_in_a_task(settings: Settings) -> MeanRegret:
    """Return the mean regret within a task of the settings' stream, which needs two tasks or more."""
    return _mean_in_a_task(RunSpec.of(settings))


@cached(max_entries=16)
def _mean_in_a_task(spec: RunSpec) -> MeanRegret:
    run = runs.run_from(spec)
    replays = [run.replay(task) for task in range(1, len(run.learned.stream))]
    best = np.stack([best_expert(one.advice, one.y) for one in replays]).astype(float)
    curves = {method: np.cumsum(np.stack(run.errors[method][1:]) - best, axis=1).mean(axis=0) for method in run.methods}
    return MeanRegret(curves, float(best.sum(axis=1).mean()), len(replays))
