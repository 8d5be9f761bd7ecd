"""Repetitions: means, standard deviations and paired differences; and the paper's rule for lambda."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from aklo import methods
from aklo.experiment import BUDGET, LearnedStream, learn_together, mix_together, traces
from aklo.knowledge import Clip, Horizon
from aklo.learner import checked_lams
from aklo.methods import METHODS, NAMES
from aklo.schedules import Linear, Schedule
from aklo.tasks import TaskStream, check_seed

Source = TaskStream | Callable[..., TaskStream]
TOGETHER = 4_000_000  # most numbers in X of repetitions that are learned together
LAMBDAS = tuple(10.0**power for power in range(-3, 4))


@dataclass(frozen=True, eq=False)
class Repeats:
    """The errors of the six methods in R repetitions of T tasks.

    Parameters
    ----------
    task_errors
        (R, 6, T), the share of wrong predictions in each task.
    """

    task_errors: np.ndarray

    @cached_property
    def shares(self) -> np.ndarray:
        """(R, 6), the average cumulative error of each repetition and method, in [0, 1]."""
        return self.task_errors.mean(axis=2)

    @cached_property
    def ace(self) -> pd.DataFrame:
        """(R, 6), the same as a data frame with the methods as columns."""
        return pd.DataFrame(self.shares, columns=NAMES)

    @cached_property
    def moments(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean (6,) and standard deviation (6,) of each method's ACE, with divisor R - 1; NaN for one repetition."""
        std = self.shares.std(axis=0, ddof=1) if len(self.shares) > 1 else np.full(len(METHODS), np.nan)
        return self.shares.mean(axis=0), std

    @property
    def table(self) -> pd.DataFrame:
        """Data frame, method -> mean and std of its ACE, as in `moments`."""
        return pd.DataFrame(dict(zip(("mean", "std"), self.moments, strict=True)), index=NAMES)

    @property
    def ace_after(self) -> np.ndarray:
        """(R, 6, T), the ACE of the tasks up to each one."""
        return np.cumsum(self.task_errors, axis=2) / np.arange(1, self.task_errors.shape[2] + 1)

    def differences(self, level: float = 0.95) -> pd.DataFrame:
        """Compare every pair of methods by their paired repetitions.

        The columns are first, second, the mean of first - second, and its confidence interval low to high. Both
        methods see the same data in the same order, so their difference varies less than either error. The interval
        is Student's, mean ± t(level, R - 1) s / sqrt(R); NaN for one repetition.
        """
        rows = [
            (first, second, *row)
            for i, first in enumerate(METHODS)
            for second, row in zip(METHODS[i + 1 :], self._gaps(first, level)[i + 1 :], strict=True)
        ]
        return pd.DataFrame(rows, columns=["first", "second", "mean", "low", "high"])

    def against(self, reference: str, level: float = 0.95) -> pd.DataFrame:
        """Return method -> mean, low and high of method - reference, as in `differences`; NaN for the reference."""
        return pd.DataFrame(dict(zip(("mean", "low", "high"), self.gaps(reference, level), strict=True)), index=NAMES)

    def gaps(self, reference: str, level: float = 0.95) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the columns of `against` as arrays (6,): mean, low, high."""
        mean, low, high = -self._gaps(reference, level).T
        for values in (mean, low, high):
            values[METHODS.index(reference)] = np.nan
        return mean, high, low

    def _gaps(self, first: str, level: float) -> np.ndarray:
        """Return (6, 3), mean, low and high of first - method for each method."""
        if not 0 < level < 1:
            raise ValueError(f"The level is {level}, which is outside 0 to 1.")
        n = len(self.shares)
        gap = self.shares[:, [METHODS.index(first)]] - self.shares
        mean = gap.mean(axis=0)
        half = stdtrit(n - 1, 0.5 + level / 2) * gap.std(axis=0, ddof=1) / np.sqrt(n) if n > 1 else np.full(6, np.nan)
        return np.stack([mean, mean - half, mean + half], axis=1)


def repeat(
    source: Source,
    n: int = 10,
    *,
    lam: float,
    alpha: Schedule | None = None,
    clip: Clip = "sum",
    horizon: Horizon = "known",
    seed: int = 0,
    first: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Repeats:
    """Repeat the six methods n times.

    Parameters
    ----------
    source
        A stream, whose tasks and examples are shuffled in each repetition (the paper's protocol), or a generator: a
        callable that takes `seed=` and returns a new stream.
    n
        Number of repetitions.
    lam, alpha, clip, horizon
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
    mixes = [(Linear() if alpha is None else alpha, clip, horizon)]
    return repeat_many(source, n, lam=lam, mixes=mixes, seed=seed, first=first, progress=progress)[0]


def repeat_many(
    source: Source,
    n: int,
    *,
    lam: float,
    mixes: Sequence[tuple[Schedule, Clip, Horizon]],
    seed: int = 0,
    first: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> list[Repeats]:
    """Run `repeat` for several (alpha, clip, horizon) on the same repetitions, each learned once."""
    for alpha, clip, horizon in mixes:
        methods.check_mixing(alpha, clip, horizon)
    errors: list[list[np.ndarray]] = [[] for _ in mixes]
    done, budget = 0, BUDGET if len(mixes) > 1 else 0
    for learned in learn_repetitions(source, n, lam=lam, seed=seed, first=first, budget=budget):
        for found, (alpha, clip, horizon) in zip(errors, mixes, strict=True):
            found.append(learned.mix(alpha, clip, horizon))
        done += len(learned.seeds)
        if progress is not None:
            progress(done, n)
    return [Repeats(np.concatenate(found)) for found in errors]


@dataclass(frozen=True, eq=False)
class LearnedRepetitions:
    """Repetitions that were learned together; seeds: of the sampling methods' draws, one for each repetition."""

    learned: LearnedStream
    seeds: tuple[int, ...]

    @property
    def nbytes(self) -> int:
        """Memory of the learned streams and of their data, in bytes."""
        return self.learned.nbytes + sum(stream.X.nbytes + stream.y.nbytes for stream in self.learned.streams)

    def mix(self, alpha: Schedule, clip: Clip = "sum", horizon: Horizon = "known") -> np.ndarray:
        """Return (R, 6, T), the share of wrong predictions of each method in each task."""
        run = mix_together(self.learned, alpha=alpha, clip=clip, horizon=horizon, seeds=self.seeds)
        return run.task_errors.reshape(len(METHODS), len(self.seeds), -1).swapaxes(0, 1)


def learn_repetitions(
    source: Source, n: int, *, lam: float, seed: int = 0, first: int = 0, budget: int = 0
) -> Iterator[LearnedRepetitions]:
    """Yield the learned repetitions of `repeat`, as many at a time as TOGETHER allows; budget as in `learn`."""
    if not isinstance(n, (int, np.integer)) or n < 1:
        raise ValueError(f"{n} repetitions were asked for, where a whole number of at least 1 is needed.")
    check_seed(seed)
    children = [child(seed, number) for number in range(first, first + n)]
    done = 0
    while done < n:
        streams = [one_repetition(source, children[done])]
        together = max(1, min(n - done, TOGETHER // max(streams[0].X.size, 1)))
        streams += [one_repetition(source, child) for child in children[done + 1 : done + together]]
        seeds = tuple(seed_of_draws(child) for child in children[done : done + together])
        yield LearnedRepetitions(learn_together(streams, lam=lam, budget=budget), seeds)
        done += together


def child(seed: int, number: int) -> np.random.SeedSequence:
    """Return the seed sequence of repetition `number`."""
    return np.random.SeedSequence(seed, spawn_key=(number,))


def one_repetition(source: Source, child: np.random.SeedSequence) -> TaskStream:
    """Return the stream of one repetition: the source shuffled, or a new stream from a generator."""
    seed = int(child.generate_state(2)[0])
    return source.shuffled(np.random.default_rng(seed)) if isinstance(source, TaskStream) else source(seed=seed)


def seed_of_draws(child: np.random.SeedSequence) -> int:
    """Return the seed of the sampling methods' draws in one repetition."""
    return int(child.generate_state(2)[1])


@dataclass(frozen=True, eq=False)
class LambdaChoice:
    """The chosen lambda, and ITOL's ACE for every candidate."""

    lam: float
    errors: pd.Series


def choose_lambda(source: TaskStream | Sequence[TaskStream], lams: Sequence[float] = LAMBDAS) -> LambdaChoice:
    """Choose lambda by the paper's rule: the least ITOL error, ties to the smaller lambda.

    Parameters
    ----------
    source
        A stream, or several (repetitions or training sets) over whose tasks the error is averaged.
    lams
        The candidates.
    """
    if len(lams) == 0:
        raise ValueError("At least one lambda is needed to choose from.")
    ordered = np.sort(checked_lams(lams))
    streams = [source] if isinstance(source, TaskStream) else list(source)
    if not streams:
        raise ValueError("At least one stream is needed to choose lambda on.")
    lengths = np.concatenate([stream.lengths for stream in streams])
    y = np.concatenate([stream.y for stream in streams])
    wrong = methods.wrong(traces(streams, ordered, joint=False)[0].score, y)
    starts = np.cumsum(lengths) - lengths
    shares = np.add.reduceat(wrong, starts, axis=1, dtype=np.intp) / lengths
    errors = pd.Series(shares.mean(axis=1), index=pd.Index(ordered, name="lambda"), name="ACE")
    return LambdaChoice(lam=float(errors.idxmin()), errors=errors)
