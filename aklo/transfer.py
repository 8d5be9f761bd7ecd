"""When knowledge hurts: what a task gains from what was learnt before it, and whom the weights p_t find.

The transfer gain of a task is ITOL's share of wrong predictions in it minus the method's; where it is below zero,
knowledge has hurt: negative transfer.
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

ANGLES = tuple(15.0 * i for i in range(13))  # of D2's labelling vector, in degrees
SHARES = tuple(i / 8 for i in range(9))  # of D2 among the tasks
Place = tuple[float, float]  # (angle, share)


def gains(task_errors: np.ndarray) -> np.ndarray:
    """(..., 6, T): the transfer gain of each method and task, from the task_errors (..., 6, T) of a Run or Repeats.

    >>> gains(np.array([[0.5, 0.25]] + 5 * [[0.5, 0.5]]))[1].tolist()
    [0.0, -0.25]
    """
    return task_errors[..., :1, :] - task_errors


@dataclass(frozen=True, eq=False)
class Transfer:
    """What knowledge did in R repetitions. ace: (R, 6); negative: (R, 6), the share of tasks whose gain is below 0."""

    ace: np.ndarray
    negative: np.ndarray

    @classmethod
    def of(cls, task_errors: np.ndarray) -> Transfer:
        """task_errors: (R, 6, T)."""
        return cls(ace=task_errors.mean(axis=2), negative=(gains(task_errors) < 0).mean(axis=2))

    @property
    def gain(self) -> np.ndarray:
        """(R, 6): the mean gain over the tasks, which is ITOL's ACE minus the method's."""
        return self.ace[:, :1] - self.ace

    @property
    def mean(self) -> np.ndarray:
        """(6,): the gain averaged over the repetitions too; what rounding leaves of an exact zero is taken off."""
        return np.round(self.gain.mean(axis=0), 12) + 0.0

    @property
    def table(self) -> pd.DataFrame:
        """Method -> mean and std (with R - 1; NaN for one repetition) of its gain, and the mean share that was hurt."""
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
    """The transfer on n repetitions of the conflict stream at each (angle, share), one place after another.

    Every place sees the same examples in the same draw of the order, so neighbours differ by the angle and the share
    alone; those that do not differ at all (`one_family`) are computed once. It is a generator: whoever stops asking
    ends the work, and keeps what has come so far. source: `conflict`, or a partial of it; it takes angle=, share= and
    seed=. Repetitions are stepped side by side, `together` at a time (all n of a place, unless told); before each such
    part `progress(done, all)` is called, counting repetitions, and what it raises ends the work as well. do: who
    repeats, `aklo.repeat` or what has it done elsewhere.

    >>> small = partial(conflict, n_tasks=4, n_examples=5)
    >>> for (angle, share), found in transfer_map([(0, 0.5), (180, 0.5)], 2, lam=0.1, source=small):
    ...     print(angle, share, found.gain.shape)
    0 0.5 (2, 6)
    180 0.5 (2, 6)
    """
    places = list(places)
    family: Transfer | None = None
    firsts = [0] if together is None else range(0, n, max(together, 1))
    for i, (angle, share) in enumerate(places):
        if family is not None and one_family(angle, share):
            yield (angle, share), family
            continue
        at = partial(source, angle=angle, share=share)
        parts: list[Repeats] = []
        for first in firsts:
            some = n - first if together is None else min(together, n - first)
            if progress is not None:
                progress(i * n + first, len(places) * n)
            parts.append(do(at, some, lam=lam, alpha=alpha, clip=clip, horizon=horizon, seed=seed, first=first))
        found = Transfer.of(np.concatenate([part.task_errors for part in parts]))
        if one_family(angle, share):
            family = found
        yield (angle, share), found


def one_family(angle: float, share: float) -> bool:
    """Whether nothing is turned at a place: without an angle, or without D2, the stream is the same, bit for bit."""
    return angle == 0 or share == 0


@dataclass(frozen=True, eq=False)
class Friends:
    """Where the weight goes. Friends of a task are the experts of its own group, strangers all others.

    own: (T, N), the sum of p_t over the friends of each task before example t; NaN after its last, and where a task
    has no experts at all; uniform: (T,), what 1/T each would give them; both: (T,), whether there is a choice: at
    least one friend and one stranger.
    """

    own: np.ndarray
    uniform: np.ndarray
    both: np.ndarray

    @cached_property
    def chosen(self) -> np.ndarray:
        """(tasks with a choice, N): their rows of `own`, as long as the longest of them."""
        rows = self.own[self.both]
        return rows[:, ~np.isnan(rows).all(axis=0)]

    @property
    def mean(self) -> np.ndarray:
        """(N,): the weight on friends over t, averaged over the tasks with a choice that still run; (0,) if none."""
        return np.nanmean(self.chosen, axis=0) if len(self.chosen) else np.zeros(0)

    def quantile(self, q: float) -> np.ndarray:
        """(N,): the weight that a share q of these tasks stays below."""
        return np.nanquantile(self.chosen, q, axis=0) if len(self.chosen) else np.zeros(0)

    @property
    def uniform_mean(self) -> float:
        """What weights that never move would leave with friends, averaged over the tasks with a choice."""
        return float(self.uniform[self.both].mean()) if self.both.any() else float("nan")


def friends(run: Run) -> Friends:
    """How much of AKLO's weight p_t lies on experts of a task's own group, for each task and t.

    No method is told the groups: where the weight finds friends, it found them by their losses. Raises ValueError for
    streams that have no groups.
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
        eps = knowledge.temperature(knowledge.trusted(run.alpha.values(n), run.horizon), slab.n_experts)
        P = knowledge.weigh(slab, eps, run.horizon)
        own[tasks, :n] = (np.vecdot(P, friend) / P.sum(axis=2)).T
        uniform[tasks] = friend.sum(axis=1) / slab.n_experts
        both[tasks] = (uniform[tasks] > 0) & (uniform[tasks] < 1)
    return Friends(own, uniform, both)
