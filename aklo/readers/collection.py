"""A collection: all the examples that a file has, task by task, from which streams are drawn by a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from aklo.tasks import Features, TaskStream, check_seed, checked_task

MOST_TASKS = 1000
MOST_NUMBERS = 30_000_000  # features × examples where dense, features × tasks where sparse: what memory can bear
LONGEST = 60  # letters of a task's name


@dataclass(frozen=True, eq=False)
class Collection:
    """The examples of T tasks, n in all, before any are drawn. Make one with `Collection.of` or one of the readers.

    X: (n, d) dense or CSR, y: (n,) in {-1, +1}, offsets: (T + 1,), task k being rows offsets[k] to offsets[k + 1];
    labels: what -1 and +1 were called; groups: one number a task, and what each number was called;
    features: the columns' names; notes: what a person should know about the reading, such as what was left out and why.

    >>> collection = Collection.of([("a", [[1.0], [2.0]], [1, -1]), ("b", [[3.0], [5.0]], [-1, 1])])
    >>> stream = collection.sample(n_examples=1, seed=0)
    >>> len(stream), stream.d, sorted(stream.names)
    (2, 2, ['a', 'b'])
    """

    X: Features
    y: np.ndarray
    offsets: np.ndarray
    names: tuple[str, ...]
    labels: tuple[str, str] = ("−1", "+1")
    groups: tuple[int, ...] | None = None
    group_names: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, tasks: Sequence[tuple[str, Features, np.ndarray]], **about: object) -> Collection:
        """A collection of (name, X, y), checked like a stream's tasks: a ValueError names the task and the value."""
        if not tasks:
            raise ValueError("At least one task is needed, and none was found.")
        if len(tasks) > MOST_TASKS:
            raise ValueError(f"There are {len(tasks):,} tasks, where at most {MOST_TASKS:,} are read.")
        checked = [checked_task(X, y, f"task {name!r}") for name, X, y in tasks]
        d = checked[0][0].shape[1]
        for (name, _, _), (X, _) in zip(tasks, checked, strict=True):
            if X.shape[1] != d:
                raise ValueError(f"Task {name!r} has {X.shape[1]} features where task {tasks[0][0]!r} has {d}.")
        sparse = any(sp.issparse(X) for X, _ in checked)
        return cls(
            X=sp.csr_array(sp.vstack([X for X, _ in checked], format="csr"))
            if sparse
            else np.concatenate([X for X, _ in checked]),
            y=np.concatenate([y for _, y in checked]),
            offsets=np.cumsum([0] + [len(y) for _, y in checked]),
            names=tuple(clean(name) for name, _, _ in tasks),
            **about,  # type: ignore[arg-type]
        )

    def __len__(self) -> int:
        return len(self.names)

    @property
    def d(self) -> int:
        """The number of features, without a bias column."""
        return int(self.X.shape[1])

    @property
    def lengths(self) -> np.ndarray:
        """(T,): how many examples each task has."""
        return np.diff(self.offsets)

    @property
    def positive(self) -> np.ndarray:
        """(T,): how many of them are +1."""
        return np.add.reduceat(self.y > 0, self.offsets[:-1], dtype=int)

    def flipped(self) -> Collection:
        """The same with -1 and +1 exchanged."""
        return replace(self, y=-self.y, labels=self.labels[::-1])

    def at_least(self, n: int) -> Collection:
        """The tasks that have n examples or more; a ValueError where there is none."""
        kept = [k for k, length in enumerate(self.lengths.tolist()) if length >= n]
        if not kept:
            raise ValueError(f"No task has {n} examples: the longest has {self.lengths.max()}.")
        if len(kept) == len(self):
            return self
        rows = np.concatenate([np.arange(self.offsets[k], self.offsets[k + 1]) for k in kept])
        return replace(
            self,
            X=self.X[rows],
            y=self.y[rows],
            offsets=np.concatenate([[0], np.cumsum(self.lengths[kept])]),
            names=tuple(self.names[k] for k in kept),
            groups=None if self.groups is None else tuple(self.groups[k] for k in kept),
        )

    def standardised(self) -> Collection:
        """The same with each feature brought to mean 0 and deviation 1 over the whole collection.

        Where sparse, to a mean square of 1 only, since a mean would fill the zeros. A feature that never changes
        becomes 0.
        """
        if sp.issparse(self.X):
            size = np.sqrt(np.asarray(self.X.multiply(self.X).mean(axis=0)).ravel())
            return replace(self, X=sp.csr_array(self.X @ sp.diags_array(1 / np.where(size > 0, size, 1.0))))
        sd = self.X.std(axis=0)
        return replace(self, X=(self.X - self.X.mean(axis=0)) / np.where(sd > 0, sd, 1.0))

    def sample(
        self,
        n_tasks: int | None = None,
        n_examples: int | None = None,
        *,
        share: float | None = None,
        bias: bool = True,
        standardise: bool = False,
        shuffle: bool = True,
        seed: int = 0,
    ) -> TaskStream:
        """A stream: n_tasks of the tasks, n_examples of each (where it has fewer, all of them), drawn by the seed.

        share: of the examples of each task that are to be +1, round(share · N) of N, instead of chance; bias: adds
        a column of ones; standardise: draws from `standardised()`; shuffle: tasks and examples in random order, or in
        the collection's.
        """
        check_seed(seed)
        for name, count in (("n_tasks", n_tasks), ("n_examples", n_examples)):
            if count is not None and (not isinstance(count, (int, np.integer)) or count < 1):
                raise ValueError(f"{name} is {count}, where a whole number of at least 1 is needed.")
        if n_tasks is not None and n_tasks > len(self):
            raise ValueError(f"n_tasks is {n_tasks}, where there are {len(self)} tasks.")
        if share is not None and not 0 <= share <= 1:
            raise ValueError(f"share is {share}, which is outside 0 to 1.")
        rng = np.random.default_rng(seed)
        chosen = rng.permutation(len(self))[:n_tasks]
        chosen = chosen if shuffle else np.sort(chosen)
        rows = [self._draw(int(k), n_examples, share, rng) for k in chosen]
        rows = rows if shuffle else [np.sort(r) for r in rows]
        X = (self._standard.X if standardise else self.X)[np.concatenate(rows)]
        return TaskStream(
            X=_with_ones(X) if bias else X,
            y=self.y[np.concatenate(rows)],
            offsets=np.cumsum([0] + [len(r) for r in rows]),
            groups=None if self.groups is None else tuple(self.groups[k] for k in chosen),
            names=tuple(self.names[k] for k in chosen),
        )

    def _draw(self, k: int, n: int | None, share: float | None, rng: np.random.Generator) -> np.ndarray:
        """The rows of task k that are drawn, in random order."""
        start, stop = (int(v) for v in self.offsets[k : k + 2])
        rows = rng.permutation(np.arange(start, stop))
        if share is None:
            return rows[:n]
        plus, minus = rows[self.y[rows] > 0], rows[self.y[rows] < 0]
        if n is None or n > len(rows):  # as many as this share allows
            bounds = [len(plus) / share] if share > 0 else []
            bounds += [len(minus) / (1 - share)] if share < 1 else []
            n = int(min(*bounds, len(rows)))
        wanted = int(np.floor(share * n + 0.5))
        if n == 0 or wanted > len(plus) or n - wanted > len(minus):
            raise ValueError(
                f"Task {self.names[k]!r} has {len(plus)} examples of +1 and {len(minus)} of −1, too few for "
                f"{max(n, 1)} examples with a share of {share:g}."
            )
        return rng.permutation(np.concatenate([plus[:wanted], minus[: n - wanted]]))

    @cached_property
    def _standard(self) -> Collection:
        return self.standardised()


def _with_ones(X: Features) -> Features:
    """X with a column of ones at the end."""
    ones = np.ones((X.shape[0], 1))
    return sp.csr_array(sp.hstack([X, sp.csr_array(ones)], format="csr")) if sp.issparse(X) else np.hstack([X, ones])


def clean(name: object) -> str:
    """A name from a file as one short line: letters that cannot be printed are left out."""
    text = " ".join("".join(c for c in str(name) if c.isprintable()).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def shown(value: object) -> str:
    """A value from a file as it stands in a sentence: quoted, and not longer than a glance."""
    text = str(value)
    return repr(text if len(text) <= 30 else text[:29] + "…")
