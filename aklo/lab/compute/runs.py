"""The core's results for given settings, cached.

A result depends on the settings alone, so visitors share it, except for what is made from a visitor's own tasks. Each
function depends only on what its spec holds: moving alpha asks for a new mix, never for learning again.
"""

from __future__ import annotations

import aklo
from aklo.experiment import draws
from aklo.lab.compute.stream_spec import RunSpec, StreamSpec
from aklo.lab.server.worker_tasks import BUDGET
from aklo.lab.session import uploads
from aklo.lab.session.cached import cached
from aklo.lab.settings.schema import OWN, Settings

SLOW = 1_000_000  # numbers in a stream: learning from fewer takes some hundredths of a second


def is_slow(settings: Settings) -> bool:
    """Whether learning the settings' stream may take so long that a visitor should be told."""
    found = stream(settings)
    return found.d * len(found.y) > SLOW


def stream(settings: Settings) -> aklo.TaskStream:
    """The settings' stream of tasks."""
    return _stream(StreamSpec.of(settings), settings.seed)


def group_names(settings: Settings) -> tuple[str, ...]:
    """What the groups of tasks are called."""
    if settings.dataset == OWN:
        return uploads.mine().group_names
    if settings.dataset == "digits":
        return tuple(f"+1 is {digit}" for digit in range(10))
    groups = stream(settings).groups
    return ("all tasks",) if groups is None else tuple(f"D{group + 1}" for group in range(max(groups) + 1))


def learned(settings: Settings) -> aklo.LearnedStream:
    """The learners and experts of the settings' stream, which do not depend on alpha."""
    return learned_from(StreamSpec.of(settings), settings.seed, settings.lam)


def run(settings: Settings) -> aklo.Run:
    """The six methods on the settings' stream."""
    return _run(RunSpec.of(settings))


def replay(settings: Settings) -> aklo.Replay:
    """The settings' task. It is mixed by itself, since a picture of one task need not wait for all of them."""
    s, found = settings, learned(settings)
    return found.replay(
        min(s.task, s.n_tasks - 1), alpha=s.schedule, clip=s.clip, horizon=s.horizon, u=draws(s.seed, len(found.y))
    )


@cached(max_entries=32)
def _stream(spec: StreamSpec, seed: int) -> aklo.TaskStream:
    return spec.generator(seed=seed)


# A run may still hold what was learned when that had to make room: it then lets go of what is large in it.
@cached(
    max_entries=16,
    max_bytes=96 * 2**20,
    size=lambda learned: learned.nbytes,
    release=lambda learned: learned.forget(),
)
def learned_from(spec: StreamSpec, seed: int, lam: float) -> aklo.LearnedStream:
    """The learners and experts of a stream."""
    stream = _stream(spec, seed)
    # A picture of one task needs no more than this; the scores that a mix needs come with the first mix.
    return aklo.learn(stream, lam=lam, budget=BUDGET, ahead=False)


@cached(max_entries=64, max_bytes=32 * 2**20, size=lambda run: run.u.nbytes + run.wrong.nbytes + 2**15)
def _run(spec: RunSpec) -> aklo.Run:
    learned = learned_from(spec.stream, spec.seed, spec.lam)
    return aklo.mix(learned, alpha=spec.schedule, clip=spec.clip, horizon=spec.horizon, seed=spec.seed)
