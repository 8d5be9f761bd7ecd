"""Positive and negative transfer: how much earlier tasks help or hurt, and which experts get the weights p_t.

The transfer gain of a method in a task is ITOL's share of wrong predictions minus the method's. A gain below 0 is
negative transfer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from aklo import knowledge
from aklo.experiment import Run
from aklo.generators import conflict
from aklo.knowledge import Clip, Horizon
from aklo.methods import METHODS
from aklo.repeats import Repeats
from aklo.repetition import repeat
from aklo.schedules import Schedule
from aklo.tasks import TaskStream

ANGLES = tuple(15.0 * i for i in range(13))  # between the labelling vectors of D1 and D2, in degrees
SHARES = tuple(i / 8 for i in range(9))  # share of D2 among the tasks
Place = tuple[float, float]  # (angle, share)


def gains(task_errors: np.ndarray) -> np.ndarray:
    """Return (..., m, T), the transfer gain of each method and task, for the task_errors of a `Run` or `Repeats`.

    The first of the methods must be ITOL, as it is in METHODS.

    >>> gains(np.array([[0.5, 0.25]] + 5 * [[0.5, 0.5]]))[1].tolist()
    [0.0, -0.25]
    """
    return task_errors[..., :1, :] - task_errors


@dataclass(frozen=True, eq=False)
class Transfer:
    """Transfer in R repetitions.

    Parameters
    ----------
    ace
        (R, m)
    negative
        (R, m), the share of tasks with negative transfer.
    methods
        The m methods, ITOL first.
    """

    ace: np.ndarray
    negative: np.ndarray
    methods: tuple[str, ...] = METHODS

    @classmethod
    def of(cls, task_errors: np.ndarray, methods: Sequence[str] = METHODS) -> Transfer:
        """Compute the transfer from task_errors (R, m, T); the first of the m methods must be ITOL."""
        if methods[0] != "ITOL":
            raise ValueError(f"Transfer is measured against ITOL, and the first method is {methods[0]}.")
        return cls(task_errors.mean(axis=2), (gains(task_errors) < 0).mean(axis=2), tuple(methods))

    @property
    def gain(self) -> np.ndarray:
        """(R, m), the mean gain over the tasks, which is ITOL's ACE minus the method's."""
        return self.ace[:, :1] - self.ace

    @property
    def mean(self) -> np.ndarray:
        """(m,), the mean gain over the repetitions, rounded so that an exact zero stays 0."""
        return np.round(self.gain.mean(axis=0), 12) + 0.0

    @property
    def table(self) -> pd.DataFrame:
        """Data frame, method -> mean and std (divisor R - 1) of its gain, and its mean share of negative transfer."""
        sd = self.gain.std(axis=0, ddof=1) if len(self.gain) > 1 else np.nan
        columns = {"mean": self.mean, "std": sd, "negative": self.negative.mean(axis=0)}
        return pd.DataFrame(columns, index=list(self.methods))


def transfer_map(
    places: Iterable[Place],
    n: int = 10,
    *,
    lam: float,
    alpha: Schedule | str | None = None,
    clip: Clip = "sum",
    horizon: Horizon = "known",
    seed: int = 0,
    methods: Sequence[str] = METHODS,
    source: Callable[..., TaskStream] = conflict,
    together: int | None = None,
    do: Callable[..., Repeats] = repeat,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[tuple[Place, Transfer]]:
    """Yield ((angle, share), transfer) for each place, from n repetitions of the conflict stream.

    All places use the same random numbers, so that neighbours differ by the angle and the share alone; places with
    identical streams (`is_one_group`) are computed once.

    Parameters
    ----------
    places
        Pairs (angle, share).
    n
        Number of repetitions.
    lam, alpha, clip, horizon, seed, methods
        As in `aklo.repeat`; the first method must be ITOL.
    source
        `conflict` or a partial of it; it is called with angle=, share= and seed=.
    together
        Number of repetitions to compute at a time; all n by default.
    do
        The function that repeats, with the signature of `aklo.repeat`.
    progress
        progress(done, total) is called before each part, counting repetitions; an exception from it ends the work.

    >>> small = partial(conflict, n_tasks=4, n_examples=5)
    >>> for (angle, share), found in transfer_map([(0, 0.5), (180, 0.5)], 2, lam=0.1, source=small):
    ...     print(angle, share, found.gain.shape)
    0 0.5 (2, 6)
    180 0.5 (2, 6)
    """
    places = list(places)
    one_group: Transfer | None = None
    firsts = [0] if together is None else range(0, n, max(together, 1))
    for i, (angle, share) in enumerate(places):
        if one_group is not None and is_one_group(angle, share):
            yield (angle, share), one_group
            continue
        at = partial(source, angle=angle, share=share)
        parts: list[Repeats] = []
        for first in firsts:
            some = n - first if together is None else min(together, n - first)
            if progress is not None:
                progress(i * n + first, len(places) * n)
            more = {"seed": seed, "first": first, "methods": methods}
            parts.append(do(at, some, lam=lam, alpha=alpha, clip=clip, horizon=horizon, **more))
        found = Transfer.of(np.concatenate([part.task_errors for part in parts]), methods)
        if is_one_group(angle, share):
            one_group = found
        yield (angle, share), found


def is_one_group(angle: float, share: float) -> bool:
    """Return whether a place has one group only: with angle 0 or share 0 the stream is exactly the same."""
    return angle == 0 or share == 0


@dataclass(frozen=True)
class Onset:
    """The angle from which on a method does worse than ITOL, in degrees.

    Parameters
    ----------
    angle
        Where the mean gain first falls below 0; NaN if it never does.
    low, high
        Where the ends of the mean's confidence interval first do. NaN if they never do, or with one repetition.
    """

    angle: float
    low: float
    high: float


def onsets(cells: Mapping[Place, Transfer], level: float = 0.95) -> dict[str, Onset]:
    """Return method -> the angle from which on it hurts, for all methods but ITOL.

    Between two neighbouring angles the gain is taken to be a straight line. The interval is Student's, for the mean
    over the repetitions at each angle.

    cells: of one share of D2, by rising angle.
    """
    angles = np.array([angle for angle, _ in cells])
    gain = np.stack([found.gain for found in cells.values()])  # (angles, R, m)
    mean, n = np.stack([found.mean for found in cells.values()]), gain.shape[1]
    half = stdtrit(n - 1, 0.5 + level / 2) * gain.std(axis=1, ddof=1) / np.sqrt(n) if n > 1 else np.nan * mean
    return {
        method: Onset(*(first_below_zero(angles, y[:, m]) for y in (mean, mean - half, mean + half)))
        for m, method in enumerate(next(iter(cells.values())).methods)
        if m
    }


def first_below_zero(x: np.ndarray, y: np.ndarray) -> float:
    """Return the x where straight lines through the points (x, y) first fall below 0; NaN if they never do.

    >>> float(first_below_zero(np.array([0.0, 10.0, 20.0]), np.array([1.0, 1.0, -3.0])))
    12.5
    """
    below = np.flatnonzero(y < 0)
    if not len(below):
        return float("nan")
    k = int(below[0])
    return float(x[0] if k == 0 else x[k - 1] + (x[k] - x[k - 1]) * y[k - 1] / (y[k - 1] - y[k]))


@dataclass(frozen=True, eq=False)
class Friends:
    """The weight on friends, which are the experts from a task's own group; all others are strangers.

    Parameters
    ----------
    own
        (T, N), the sum of p_t over the friends of each task; NaN after its last example, and without experts.
    uniform
        (T,), the sum that uniform weights would give.
    both
        (T,), whether a task has at least one friend and one stranger.
    """

    own: np.ndarray
    uniform: np.ndarray
    both: np.ndarray

    @cached_property
    def chosen(self) -> np.ndarray:
        """The rows of `own` of the tasks with both friends and strangers, up to the longest of them."""
        rows = self.own[self.both]
        return rows[:, ~np.isnan(rows).all(axis=0)]

    @property
    def mean(self) -> np.ndarray:
        """(N,), the mean weight on friends at each t, over the tasks with both; (0,) if there are none."""
        return np.nanmean(self.chosen, axis=0) if len(self.chosen) else np.zeros(0)

    def quantile(self, q: float) -> np.ndarray:
        """Return (N,), the q-quantile over these tasks of the weight on friends."""
        return np.nanquantile(self.chosen, q, axis=0) if len(self.chosen) else np.zeros(0)

    @property
    def uniform_mean(self) -> float:
        """The mean of `uniform` over the tasks with both friends and strangers."""
        return float(self.uniform[self.both].mean()) if self.both.any() else float("nan")


def friends(run: Run) -> Friends:
    """Compute AKLO's weight on the experts of each task's own group.

    The methods do not know the groups: the weights depend on the experts' losses alone. Raises ValueError for streams
    without groups.
    """
    learned = run.learned
    if any(stream.groups is None for stream in learned.streams):
        raise ValueError("The stream's tasks have no groups, so there are neither friends nor strangers among experts.")
    groups = [np.array(stream.groups) for stream in learned.streams]
    T, N = len(learned.lengths), int(learned.lengths.max())
    own, uniform, both = np.full((T, N), np.nan), np.full(T, np.nan), np.zeros(T, dtype=bool)
    for slab in learned.slabs():
        n, _, K = slab.S.shape
        tasks = np.searchsorted(learned.offsets, slab.places[0])
        friend = np.zeros((len(tasks), K))
        for g, task in enumerate(tasks):
            r, k = learned.tasks[task]
            friend[g, :k] = groups[r][:k] == groups[r][k]
        eps = knowledge.epsilon(knowledge.alpha_total(run.alpha.values(n), run.horizon), slab.n_experts)
        P = knowledge.unnormalised_weights(slab, eps, run.horizon)
        own[tasks, :n] = (np.vecdot(P, friend) / P.sum(axis=2)).T
        uniform[tasks] = friend.sum(axis=1) / slab.n_experts
        both[tasks] = (uniform[tasks] > 0) & (uniform[tasks] < 1)
    return Friends(own, uniform, both)
