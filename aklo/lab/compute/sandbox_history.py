"""The knowledge base of the sandbox: the settings' experts, and those of the visitor's finished tasks.

There are also two tasks, one of each group, whose examples the visitor can use instead of placing some.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import aklo
from aklo.lab.compute import runs
from aklo.lab.compute.plane import plane_of
from aklo.lab.compute.stream_spec import RunSpec, StreamSpec
from aklo.lab.session.cached import cached
from aklo.lab.session.sandbox_story import IN_A_TASK, Told
from aklo.lab.settings.schema import FIELDS, Settings
from aklo.world import World

OTHER_SEEDS = int(FIELDS["seed"].high) + 1  # above all seeds of the settings, so that these tasks are new ones


def honest(settings: Settings) -> Settings:
    """Return the settings with an unknown horizon, since the length of a visitor's task is not known in advance."""
    return settings.change(horizon="unknown")


@dataclass(frozen=True, eq=False)
class Past:
    """The state before the current task.

    Attributes
    ----------
    world : the knowledge base.
    mistakes : method -> its mistakes in the visitor's finished tasks.
    examples : the number of examples in these tasks.
    """

    world: World
    mistakes: dict[str, int]
    examples: int


def past(settings: Settings, tasks: tuple[Told, ...]) -> Past:
    """Return the state after the settings' stream and the finished tasks of a story."""
    told = tuple((task.X.tobytes(), task.y.tobytes()) for task in tasks)
    return _after(_Key(RunSpec.of(honest(settings)), told))


@dataclass(frozen=True)
class _Key:
    """A run, and the examples and labels of finished tasks, which are the visitor's own."""

    run: RunSpec
    tasks: tuple[tuple[bytes, bytes], ...]
    private: bool = True


@cached(max_entries=64)
def _after(key: _Key) -> Past:
    """Return the state after some tasks. It is computed from the state before the last one, which is cached."""
    if not key.tasks:
        base = _base(key.run)
        return Past(base, dict.fromkeys(base.methods, 0), 0)
    before = _after(_Key(key.run, key.tasks[:-1]))
    X, y = (np.frombuffer(part) for part in key.tasks[-1])
    X = X.reshape(-1, 2)
    errors = before.world.play(X, y).errors
    mistakes = {method: wrong + int(errors[method].sum()) for method, wrong in before.mistakes.items()}
    return Past(before.world.finish(X, y), mistakes, before.examples + len(y))


def sources(settings: Settings, finished: int) -> tuple[aklo.Task, ...]:
    """Return a new task of D1 and one of D2 from the settings' generator; one task if it lacks these two groups.

    finished: the number of finished tasks, each of which is followed by other sources.
    """
    spec = StreamSpec.of(settings).change(n_tasks=1, n_examples=IN_A_TASK + 2)
    if "share" in dict(spec.options):
        spec = spec.change(n_tasks=2, share=0.5, order="blocks")
    return _sources(spec, settings.seed + OTHER_SEEDS * (1 + finished))


def box(settings: Settings) -> list[float]:
    """Return [left, right, bottom, top] of the settings' stream, with a margin."""
    return _box(StreamSpec.of(settings), settings.seed)


@cached(max_entries=16)
def _box(spec: StreamSpec, seed: int) -> list[float]:
    return plane_of(spec.generator(seed=seed).X).box


@cached(max_entries=16)
def _base(spec: RunSpec) -> World:
    learned = runs.learned_from(spec.stream, spec.seed, spec.lam)
    return World.after(learned, alpha=spec.schedule, clip=spec.clip, seed=spec.seed, methods=spec.methods)


@cached(max_entries=64)
def _sources(spec: StreamSpec, seed: int) -> tuple[aklo.Task, ...]:
    stream = spec.generator(seed=seed)
    return tuple(stream[k] for k in range(len(stream)))
