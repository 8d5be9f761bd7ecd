"""Repetitions: means, standard deviations and paired differences; and the paper's rule for lambda."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from aklo.experiment import mix_together
from aklo.knowledge import Clip, Horizon
from aklo.learned import BUDGET, LearnedStream, learn_together, traces
from aklo.learner import checked_lams
from aklo.methods import METHODS, check_mixing, index_of
from aklo.methods import wrong as is_wrong
from aklo.rules import checked_methods
from aklo.schedules import Schedule, as_schedule
from aklo.significance import holm, paired_p
from aklo.sources import Source, checked_repetitions, checked_source, child, generated, one_repetition, seed_of_draws
from aklo.tasks import TaskStream, check_seed
from aklo.wording import count

TOGETHER = 4_000_000  # most numbers in X of repetitions that are learned together
LAMBDAS = tuple(10.0**power for power in range(-3, 4))


@dataclass(frozen=True, eq=False)
class Repeats:
    """The errors of m methods in R repetitions of T tasks.

    Parameters
    ----------
    task_errors
        (R, m, T), the share of wrong predictions in each task.
    methods
        The m methods; the paper's six by default.
    """

    task_errors: np.ndarray
    methods: tuple[str, ...] = METHODS

    def __repr__(self) -> str:
        n, _, n_tasks = self.task_errors.shape
        aces = ", ".join(f"{name} {100 * mean:.1f} %" for name, mean in zip(self.methods, self.moments[0], strict=True))
        return f"<Repeats: {count(n, 'repetition')} of {count(n_tasks, 'task')}; mean ACE: {aces}>"

    @cached_property
    def shares(self) -> np.ndarray:
        """(R, m), the average cumulative error of each repetition and method, in [0, 1]."""
        return self.task_errors.mean(axis=2)

    @cached_property
    def ace(self) -> pd.DataFrame:
        """(R, m), the same as a data frame with the methods as columns."""
        return pd.DataFrame(self.shares, columns=index_of(self.methods))

    @cached_property
    def moments(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean (m,) and standard deviation (m,) of each method's ACE, with divisor R - 1; NaN for one repetition."""
        std = self.shares.std(axis=0, ddof=1) if len(self.shares) > 1 else np.full(len(self.methods), np.nan)
        return self.shares.mean(axis=0), std

    @property
    def table(self) -> pd.DataFrame:
        """Data frame, method -> mean and std of its ACE, as in `moments`."""
        return pd.DataFrame(dict(zip(("mean", "std"), self.moments, strict=True)), index=index_of(self.methods))

    @property
    def ace_after(self) -> np.ndarray:
        """(R, m, T), the ACE of the tasks up to each one."""
        return np.cumsum(self.task_errors, axis=2) / np.arange(1, self.task_errors.shape[2] + 1)

    def differences(self, level: float = 0.95) -> pd.DataFrame:
        """Compare every pair of methods by their paired repetitions.

        The columns are first, second, the mean of first - second, and its confidence interval low to high. Both
        methods see the same data in the same order, so their difference varies less than either error. The interval
        is Student's, mean ± t(level, R - 1) s / sqrt(R); NaN for one repetition. It covers what the repetitions vary:
        if one stream was shuffled, as with data of one's own, the order alone and not other data of the kind.
        """
        rows = [
            (first, second, *row)
            for i, first in enumerate(self.methods)
            for second, row in zip(self.methods[i + 1 :], self._gaps(first, level)[i + 1 :], strict=True)
        ]
        return pd.DataFrame(rows, columns=["first", "second", "mean", "low", "high"])

    def minus(self, reference: str, level: float = 0.95) -> pd.DataFrame:
        """Return, for each method, its error minus the reference's: mean, low and high as in `differences`.

        A negative row is a method with fewer mistakes than the reference. The reference's own row is NaN.

        >>> repeats = Repeats(np.array([[[0.30], [0.20]], [[0.28], [0.20]]]), ("ITOL", "AKLO Sum"))
        >>> repeats.minus("ITOL").round(2)  # AKLO Sum makes 9 mistakes fewer in a hundred
        method minus ITOL  mean   low  high
        ITOL                NaN   NaN   NaN
        AKLO Sum          -0.09 -0.22  0.04
        """
        columns = dict(zip(("mean", "low", "high"), self.gaps(reference, level), strict=True))
        frame = pd.DataFrame(columns, index=index_of(self.methods))
        return frame.rename_axis(columns=f"method minus {reference}")

    def against(self, reference: str, level: float = 0.95) -> pd.DataFrame:
        """Return `minus(reference)`, whose name says which is subtracted from which; this one is kept for old code."""
        return self.minus(reference, level)

    def gaps(self, reference: str, level: float = 0.95) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the columns of `minus` as arrays (m,): mean, low, high."""
        mean, low, high = -self._gaps(reference, level).T
        for values in (mean, low, high):
            values[self._index(reference)] = np.nan
        return mean, high, low

    def p_values(self, reference: str) -> pd.DataFrame:
        """Return method -> p and corrected: whether its difference to the reference is more than chance.

        p is that of Student's paired test by itself. `corrected` takes into account that all methods are compared with
        the reference (Holm): if all were equal, some `corrected` would be below 0.05 in at most 5 % of cases. Both are
        NaN for the reference, and for one repetition.

        If the reference is the best method, it was chosen by the same repetitions, so that all pairs are compared:
        `corrected` is Holm's over these.
        """
        gaps = self.shares - self.shares[:, [self._index(reference)]]
        p = paired_p(gaps)
        p[self._index(reference)] = np.nan
        if self.shares.mean(axis=0).argmin() != self._index(reference):
            corrected = holm(p)
        else:
            i, j = np.triu_indices(len(self.methods), 1)
            pairs = holm(paired_p(self.shares[:, i] - self.shares[:, j]))
            corrected = np.full(len(p), np.nan)
            for first, second, value in zip(i, j, pairs, strict=True):
                if self._index(reference) in (first, second):
                    corrected[first + second - self._index(reference)] = value
        return pd.DataFrame({"p": p, "corrected": corrected}, index=index_of(self.methods))

    def _gaps(self, first: str, level: float) -> np.ndarray:
        """Return (m, 3), mean, low and high of first - method for each method."""
        if not 0 < level < 1:
            raise ValueError(f"The level is {level}, which is outside 0 to 1.")
        n = len(self.shares)
        gap = self.shares[:, [self._index(first)]] - self.shares
        mean = gap.mean(axis=0)
        half = np.full(len(mean), np.nan)
        if n > 1:
            half = stdtrit(n - 1, 0.5 + level / 2) * gap.std(axis=0, ddof=1) / np.sqrt(n)
        return np.stack([mean, mean - half, mean + half], axis=1)

    def _index(self, method: str) -> int:
        if method not in self.methods:
            raise ValueError(f"{method!r} was not repeated: choose from {'; '.join(self.methods)}.")
        return self.methods.index(method)


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


@dataclass(frozen=True, eq=False)
class LambdaChoice:
    """The chosen lambda, and the ACE for every candidate."""

    lam: float
    errors: pd.Series


def choose_lambda(
    source: Source,
    lams: Sequence[float] = LAMBDAS,
    *,
    method: str = "ITOL",
    alpha: Schedule | str | None = None,
    clip: Clip = "sum",
    horizon: Horizon = "known",
    seed: int = 0,
) -> LambdaChoice:
    """Choose lambda by the paper's rule: the least ITOL error, ties to the smaller lambda.

    Parameters
    ----------
    source
        A stream, or several (repetitions or training sets) over whose tasks the error is averaged; or a generator
        such as `aklo.syn1`, whose stream of `seed` is taken.
    lams
        The candidates.
    method
        The method whose error is to be least; ITOL is the paper's.
    alpha, clip, horizon, seed
        As in `aklo.mix`; they make no difference for ITOL, TOL and rules that set their own alpha.
    """
    if len(lams) == 0:
        raise ValueError("At least one lambda is needed to choose from.")
    ordered = np.sort(checked_lams(lams))
    check_seed(seed)
    source = checked_source(source)
    source = generated(source, seed) if callable(source) else source
    streams = [source] if isinstance(source, TaskStream) else list(source)
    checked_methods([method])
    if method == "ITOL":  # all lambdas at a time, and the learners only
        y = np.concatenate([stream.y for stream in streams])
        wrong = is_wrong(traces(streams, ordered, joint=False)[0].score, y)
    else:
        found = []
        for lam in ordered:
            learned = learn_together(streams, lam=lam, budget=0)
            seeds = [seed] * len(streams)
            run = mix_together(learned, alpha=alpha, clip=clip, horizon=horizon, seeds=seeds, methods=[method])
            found.append(run.wrong)
        wrong = np.concatenate(found)
    lengths = np.concatenate([stream.lengths for stream in streams])
    starts = np.cumsum(lengths) - lengths
    shares = np.add.reduceat(wrong, starts, axis=1, dtype=np.intp) / lengths
    errors = pd.Series(shares.mean(axis=1), index=pd.Index(ordered, name="lambda"), name="ACE")
    return LambdaChoice(lam=float(errors.idxmin()), errors=errors)
