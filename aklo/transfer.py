"""Positive and negative transfer: how much earlier tasks help or hurt, and which experts get the weights p_t.

The transfer gain of a method in a task is ITOL's share of wrong predictions minus the method's. A gain below 0 is
negative transfer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import pandas as pd

from aklo import knowledge
from aklo.experiment import Run
from aklo.knowledge import Clip, Horizon
from aklo.methods import METHODS
from aklo.repetition import Repeats, repeat
from aklo.schedules import Schedule
from aklo.tasks import TaskStream, conflict

ANGLES = tuple(15.0 * i for i in range(13))  # between the labelling vectors of D1 and D2, in degrees
SHARES = tuple(i / 8 for i in range(9))  # share of D2 among the tasks
Place = tuple[float, float]  # (angle, share)


def gains(task_errors: np.ndarray) -> np.ndarray:
    """Return (..., 6, T), the transfer gain of each method and task, for the task_errors of a `Run` or `Repeats`.

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
        (R, 6)
    negative
        (R, 6), the share of tasks with negative transfer.
    """

    ace: np.ndarray
    negative: np.ndarray

    @classmethod
    def of(cls, task_errors: np.ndarray) -> Transfer:
        """Compute the transfer from task_errors (R, 6, T)."""
        return cls(ace=task_errors.mean(axis=2), negative=(gains(task_errors) < 0).mean(axis=2))

    @property
    def gain(self) -> np.ndarray:
        """(R, 6), the mean gain over the tasks, which is ITOL's ACE minus the method's."""
        return self.ace[:, :1] - self.ace

    @property
    def mean(self) -> np.ndarray:
        """(6,), the mean gain over the repetitions, rounded so that an exact zero stays 0."""
        return np.round(self.gain.mean(axis=0), 12) + 0.0

    @property
    def table(self) -> pd.DataFrame:
        """Data frame, method -> mean and std (divisor R - 1) of its gain, and its mean share of negative transfer."""
        sd = self.gain.std(axis=0, ddof=1) if len(self.gain) > 1 else np.nan
        columns = {"mean": self.mean, "std": sd, "negative": self.negative.mean(axis=0)}
        return pd.DataFrame(columns, index=list(METHODS))


def transfer_map(
    places: Iterable[Place],
    n: int = 10,
    *,
    lam: float,
    alpha: Schedule | None = None,
    clip: Clip = "sum",
    horizon: Horizon = "known",
    seed: int = 0,
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
    lam, alpha, clip, horizon, seed
        As in `aklo.repeat`.
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
            parts.append(do(at, some, lam=lam, alpha=alpha, clip=clip, horizon=horizon, seed=seed, first=first))
        found = Transfer.of(np.concatenate([part.task_errors for part in parts]))
        if is_one_group(angle, share):
            one_group = found
        yield (angle, share), found


def is_one_group(angle: float, share: float) -> bool:
    """Return whether a place has one group only: with angle 0 or share 0 the stream is exactly the same."""
    return angle == 0 or share == 0


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
