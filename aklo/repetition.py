"""Repetitions: the methods on many streams, as many at a time as fit into memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from aklo.experiment import mix_together
from aklo.knowledge import Clip, Horizon
from aklo.learned import BUDGET, LearnedStream, learn_together
from aklo.methods import METHODS, check_mixing
from aklo.repeats import Repeats
from aklo.rules import checked_methods
from aklo.schedules import Schedule, as_schedule
from aklo.sources import Source, checked_repetitions, checked_source, child, one_repetition, seed_of_draws
from aklo.tasks import TaskStream, check_seed

TOGETHER = 4_000_000  # most numbers in X of repetitions that are learned together


def repeat(
    source: Source,
    n: int | None = None,
    *,
    lam: float,
    alpha: Schedule | str | None = None,
    clip: Clip = "sum",
    horizon: Horizon = "known",
    seed: int = 0,
    first: int = 0,
    methods: Sequence[str] = METHODS,
    progress: Callable[[int, int], None] | None = None,
) -> Repeats:
    """Repeat the methods n times.

    Parameters
    ----------
    source
        A stream, whose tasks and examples are shuffled in each repetition (the paper's protocol); a generator: a
        callable that takes `seed=` and returns a new stream; or several streams with the same number of tasks, each
        of which is one repetition as it stands. Deviations and intervals cover what the repetitions vary: with a
        stream the order alone, with a generator new data (see `what_varies`).
    n
        Number of repetitions: 10 by default, or as many as there are streams.
    lam, alpha, clip, horizon, methods
        As in `aklo.run`.
    seed
        Seed of all repetitions; repetition i of a seed does not depend on n or `first`.
    first
        Number of the first repetition, to continue an earlier call.
    progress
        progress(done, n) is called as repetitions finish; an exception from it ends the work.

    >>> from functools import partial
    >>> from aklo import syn1
    >>> repeat(partial(syn1, n_tasks=3, n_examples=10), n=4, lam=1e-3).ace.shape
    (4, 6)
    """
    source = checked_source(source)
    n = n if n is not None else 10 if isinstance(source, TaskStream) or callable(source) else len(source) - first
    mixes = [(as_schedule(alpha), clip, horizon)]
    return repeat_many(source, n, lam=lam, mixes=mixes, seed=seed, first=first, methods=methods, progress=progress)[0]


def repeat_many(
    source: Source,
    n: int,
    *,
    lam: float,
    mixes: Sequence[tuple[Schedule | str, Clip, Horizon]],
    seed: int = 0,
    first: int = 0,
    methods: Sequence[str] = METHODS,
    progress: Callable[[int, int], None] | None = None,
) -> list[Repeats]:
    """Run `repeat` for several (alpha, clip, horizon) on the same repetitions, each learned once."""
    wanted = [(as_schedule(alpha), clip, horizon) for alpha, clip, horizon in mixes]
    for schedule, clip, horizon in wanted:
        check_mixing(schedule, clip, horizon)
    names = checked_methods(methods)
    errors: list[list[np.ndarray]] = [[] for _ in mixes]
    done, budget = 0, BUDGET if len(mixes) > 1 else 0
    for learned in learn_repetitions(source, n, lam=lam, seed=seed, first=first, budget=budget):
        for found, (schedule, clip, horizon) in zip(errors, wanted, strict=True):
            found.append(learned.mix(schedule, clip, horizon, names))
        done += len(learned.seeds)
        if progress is not None:
            progress(done, n)
    return [Repeats(np.concatenate(found), names) for found in errors]


@dataclass(frozen=True, eq=False)
class LearnedRepetitions:
    """Repetitions that were learned together; seeds: of the sampling methods' draws, one for each repetition."""

    learned: LearnedStream
    seeds: tuple[int, ...]

    @property
    def nbytes(self) -> int:
        """Memory of the learned streams and of their data, in bytes."""
        return self.learned.nbytes + sum(stream.X.nbytes + stream.y.nbytes for stream in self.learned.streams)

    def mix(
        self, alpha: Schedule | str, clip: Clip = "sum", horizon: Horizon = "known", methods: Sequence[str] = METHODS
    ) -> np.ndarray:
        """Return (R, m, T), the share of wrong predictions of each method in each task."""
        run = mix_together(self.learned, alpha=alpha, clip=clip, horizon=horizon, seeds=self.seeds, methods=methods)
        return run.task_errors.reshape(len(run.methods), len(self.seeds), -1).swapaxes(0, 1)


def learn_repetitions(
    source: Source, n: int, *, lam: float, seed: int = 0, first: int = 0, budget: int = 0
) -> Iterator[LearnedRepetitions]:
    """Yield the learned repetitions of `repeat`, as many at a time as TOGETHER allows; budget as in `learn`."""
    if not isinstance(n, (int, np.integer)) or n < 1:
        raise ValueError(f"{n} repetitions were asked for, where a whole number of at least 1 is needed.")
    check_seed(seed)
    source = checked_repetitions(source, first + n)
    children = [child(seed, number) for number in range(first, first + n)]
    done = 0
    while done < n:
        streams = [one_repetition(source, children[done])]
        together = max(1, min(n - done, TOGETHER // max(streams[0].X.size, 1)))
        streams += [one_repetition(source, child) for child in children[done + 1 : done + together]]
        seeds = tuple(seed_of_draws(child) for child in children[done : done + together])
        yield LearnedRepetitions(learn_together(streams, lam=lam, budget=budget), seeds)
        done += together
