"""The core's results for given settings, cached.

A result depends on the settings alone, so visitors share it, except for results on a visitor's own tasks. Each cached
function depends only on its spec: a change of alpha needs a new mix, but no new learning.
"""

from __future__ import annotations

import numpy as np

import aklo
from aklo.lab.compute.stream_spec import RunSpec, StreamSpec
from aklo.lab.server.holdings import size_of
from aklo.lab.server.worker_tasks import BUDGET
from aklo.lab.session import uploads
from aklo.lab.session.cached import cached
from aklo.lab.settings.field import OWN
from aklo.lab.settings.schema import Settings
from aklo.learned import draws
from aklo.wording import sizes

SLOW = 1_000_000  # numbers in a stream; learning from fewer takes less than a tenth of a second


def is_slow(settings: Settings) -> bool:
    """Return whether learning the settings' stream may take so long that the page should show a spinner."""
    found = stream(settings)
    return found.d * len(found.y) > SLOW


def stream(settings: Settings) -> aklo.TaskStream:
    """Return the settings' stream of tasks."""
    return _stream(StreamSpec.of(settings), settings.seed)


def n_steps(settings: Settings) -> int:
    """Return the number of examples of the settings' task."""
    return int(stream(settings).lengths[settings.task])


def is_ragged(settings: Settings) -> bool:
    """Return whether the tasks of the settings' stream differ in length, as only a visitor's own may."""
    return settings.dataset == OWN and len(set(stream(settings).lengths.tolist())) > 1


def size(settings: Settings) -> str:
    """Return how many tasks of how many examples the settings' stream has, in words."""
    lengths = stream(settings).lengths if settings.dataset == OWN else np.full(settings.n_tasks, settings.n_examples)
    return sizes(lengths)


def group_names(settings: Settings) -> tuple[str, ...]:
    """Return the names of the groups of tasks."""
    if settings.dataset == OWN:
        return uploads.mine().group_names
    if settings.dataset == "digits":
        return tuple(f"+1 is {digit}" for digit in range(10))
    groups = stream(settings).groups
    return ("all tasks",) if groups is None else tuple(f"D{group + 1}" for group in range(max(groups) + 1))


def learned(settings: Settings) -> aklo.LearnedStream:
    """Return the learners and experts of the settings' stream, which do not depend on alpha."""
    return learned_from(StreamSpec.of(settings), settings.seed, settings.lam)


def run(settings: Settings) -> aklo.Run:
    """Return the run of the settings' methods on their stream."""
    return run_from(RunSpec.of(settings))


def replay(settings: Settings) -> aklo.Replay:
    """Return the replay of the settings' task. Only this task is mixed, which is quicker than the whole stream."""
    return _replay(RunSpec.of(settings), min(settings.task, settings.n_tasks - 1))


@cached(max_entries=32)
def _stream(spec: StreamSpec, seed: int) -> aklo.TaskStream:
    return spec.generator(seed=seed)


# A cached run may still refer to an evicted `LearnedStream`, which therefore releases its large arrays.
@cached(
    max_entries=16,
    max_bytes=96 * 2**20,
    size=lambda learned: learned.nbytes,
    release=lambda learned: learned.forget(),
)
def learned_from(spec: StreamSpec, seed: int, lam: float) -> aklo.LearnedStream:
    """Return the learners and experts of a stream."""
    stream = _stream(spec, seed)
    # The replay of one task needs no more; the scores for a whole mix are computed with the first mix.
    return aklo.learn(stream, lam=lam, budget=BUDGET, ahead=False)


@cached(max_entries=64, max_bytes=32 * 2**20, size=lambda run: run.u.nbytes + run.wrong.nbytes + 2**15)
def run_from(spec: RunSpec) -> aklo.Run:
    """Return the run that a spec describes."""
    learned = learned_from(spec.stream, spec.seed, spec.lam)
    return aklo.mix(
        learned, alpha=spec.schedule, clip=spec.clip, horizon=spec.horizon, seed=spec.seed, methods=spec.methods
    )


# A page asks for it several times: for the player, and for what it says about the task.
@cached(max_entries=16, max_bytes=16 * 2**20, size=size_of)
def _replay(spec: RunSpec, task: int) -> aklo.Replay:
    found = learned_from(spec.stream, spec.seed, spec.lam)
    return found.replay(
        task, alpha=spec.schedule, clip=spec.clip, horizon=spec.horizon, u=draws(spec.seed, len(found.y)),
        methods=spec.methods,
    )  # fmt: skip
