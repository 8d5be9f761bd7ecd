"""Tasks, and streams of tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias, overload

import numpy as np
import scipy.sparse as sp

from aklo.wording import count, sizes

Features: TypeAlias = Any  # (N, d): np.ndarray, or scipy.sparse.csr_array (scipy has no types to say so)
LARGEST = 1e100  # largest absolute value of a feature, so that the product of two is finite


@dataclass(frozen=True)
class Task:
    """One task: N examples in the order in which they arrive.

    Parameters
    ----------
    X
        (N, d), the features.
    y
        (N,), the labels, -1 or +1.
    group
        Index of the distribution that the task was drawn from.
    name
        Name to display.
    vector
        (d,), the labelling vector a, if y = sign(a.x).

    Notes
    -----
    The methods use X and y only; group, name and vector are for charts.
    """

    X: Features
    y: np.ndarray
    group: int | None = None
    name: str = ""
    vector: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.y)

    def __repr__(self) -> str:
        name = f" {self.name!r}" if self.name else ""
        return f"<Task{name}: {count(len(self), 'example')}, {count(self.X.shape[1], 'feature')}>"


@dataclass(frozen=True, eq=False)
class TaskStream:
    """A sequence of T tasks, stored in flat arrays of n examples so that many tasks can be processed together.

    Create one with `TaskStream.of`, which validates its input, or with a generator such as `syn1`.

    Parameters
    ----------
    X
        (n, d), dense or CSR.
    y
        (n,), -1 or +1.
    offsets
        (T + 1,), task k being rows offsets[k] to offsets[k + 1] - 1.
    groups, names, vectors
        As in `Task`, one for each task; vectors is (T, d).

    >>> stream = TaskStream.of([([[1.0, 2.0]], [1]), ([[0.0, 1.0], [3.0, 1.0]], [-1, 1])])
    >>> len(stream), stream.lengths.tolist(), stream.d
    (2, [1, 2], 2)

    A task by its number, counted from the end if it is negative; a part of the stream by a slice:

    >>> stream[-1], stream[:1]
    (<Task 'task 1': 2 examples, 2 features>, <TaskStream: 1 task of 1 example, 2 features>)
    """

    X: Features
    y: np.ndarray
    offsets: np.ndarray
    groups: tuple[int, ...] | None = None
    names: tuple[str, ...] | None = None
    vectors: np.ndarray | None = None

    @classmethod
    def of(
        cls,
        tasks: Iterable[Task | tuple],
        *,
        groups: Sequence[int] | None = None,
        names: Sequence[str] | None = None,
    ) -> TaskStream:
        """Create a stream from `Task`s or pairs (X, y).

        The number of examples may differ between tasks, the number of features may not. Raises ValueError, with
        the number of the task, if X is not a finite matrix or y holds anything but -1 and +1.
        """
        checked: list[tuple[Features, np.ndarray]] = []
        tasks = list(tasks)
        for k, task in enumerate(tasks):
            try:
                X, y = (task.X, task.y) if isinstance(task, Task) else task
            except (TypeError, ValueError):
                raise ValueError(f"task {k} is not a pair (X, y).") from None
            checked.append(checked_task(X, y, f"task {k}"))
            d, d0 = checked[-1][0].shape[1], checked[0][0].shape[1]
            if d != d0:
                raise ValueError(f"task {k} has {d} features where task 0 has {d0}.")
        if not checked:
            raise ValueError("A stream needs at least one task, and none was given.")
        given_tasks = [task for task in tasks if isinstance(task, Task)]
        if len(given_tasks) == len(tasks):  # groups and names of the tasks are kept if all of them have one
            groups = _all_or_none([task.group for task in given_tasks]) if groups is None else groups
            names = _all_or_none([task.name or None for task in given_tasks]) if names is None else names
        for label, given in (("groups", groups), ("names", names)):
            if given is not None and len(given) != len(checked):
                raise ValueError(f"{len(given)} {label} were given for {len(checked)} tasks.")
        sparse = any(sp.issparse(X) for X, _ in checked)
        return cls(
            X=sp.csr_array(sp.vstack([sp.csr_array(X) for X, _ in checked], format="csr"))
            if sparse
            else np.concatenate([X for X, _ in checked]),
            y=np.concatenate([y for _, y in checked]),
            offsets=np.cumsum([0] + [len(y) for _, y in checked]),
            groups=None if groups is None else tuple(int(g) for g in groups),
            names=None if names is None else tuple(str(name) for name in names),
            vectors=_stacked([task.vector for task in given_tasks], len(tasks)),
        )

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def task_groups(self) -> tuple[int, ...]:
        """The group of each task; all are in group 0 where no groups were given."""
        return (0,) * len(self) if self.groups is None else self.groups

    @property
    def task_names(self) -> tuple[str, ...]:
        """The name of each task."""
        return tuple(f"task {k}" for k in range(len(self))) if self.names is None else self.names

    def __repr__(self) -> str:
        feature = "sparse feature" if sp.issparse(self.X) else "feature"
        return f"<TaskStream: {sizes(self.lengths)}, {count(self.d, feature)}>"

    def __iter__(self) -> Iterator[Task]:
        return (self[k] for k in range(len(self)))

    @overload
    def __getitem__(self, k: int) -> Task: ...

    @overload
    def __getitem__(self, k: slice) -> TaskStream: ...

    def __getitem__(self, k: int | slice) -> Task | TaskStream:
        if isinstance(k, slice):
            return self._choose(np.arange(len(self))[k])
        k = self.position(k)
        rows = slice(self.offsets[k], self.offsets[k + 1])
        return Task(
            X=self.parts[k],
            y=self.y[rows],
            group=None if self.groups is None else self.groups[k],
            name=f"task {k}" if self.names is None else self.names[k],
            vector=None if self.vectors is None else self.vectors[k],
        )

    def position(self, k: int) -> int:
        """Return the number of a task, which may be counted from the end, as one from 0 to T - 1."""
        if not -len(self) <= k < len(self):
            raise IndexError(f"task {k} does not exist: the stream's tasks are 0 to {len(self) - 1}.")
        return int(k) % len(self)

    def _choose(self, order: np.ndarray, rows: np.ndarray | None = None) -> TaskStream:
        """Return the tasks with the given numbers, in this order; rows: their examples, if in another order."""
        if len(order) == 0:
            raise ValueError(f"A stream needs at least one task, and none of these {len(self)} was chosen.")
        if rows is None:
            rows = np.concatenate([np.arange(self.offsets[k], self.offsets[k + 1]) for k in order])
        return TaskStream(
            X=self.X[rows],
            y=self.y[rows],
            offsets=np.concatenate([[0], np.cumsum(self.lengths[order])]),
            groups=None if self.groups is None else tuple(self.groups[k] for k in order),
            names=None if self.names is None else tuple(self.names[k] for k in order),
            vectors=None if self.vectors is None else self.vectors[order],
        )

    @cached_property
    def parts(self) -> tuple[Features, ...]:
        """X of each task, (N, d). Cached, because slicing a sparse matrix is slow."""
        return tuple(self.X[a:b] for a, b in pairwise(self.offsets.tolist()))

    @property
    def lengths(self) -> np.ndarray:
        """(T,), the number of examples N of each task."""
        return np.diff(self.offsets)

    @property
    def d(self) -> int:
        """The number of features."""
        return int(self.X.shape[1])

    def shuffled(self, rng: np.random.Generator) -> TaskStream:
        """Return the stream with its tasks, and the examples within each task, in random order."""
        order = rng.permutation(len(self))
        rows = np.concatenate([rng.permutation(np.arange(self.offsets[k], self.offsets[k + 1])) for k in order])
        return self._choose(order, rows)


def _all_or_none(values: list) -> list | None:
    return None if any(value is None for value in values) else values


def _stacked(vectors: list[np.ndarray | None], n_tasks: int) -> np.ndarray | None:
    """Return the vectors as (T, d), or None if a task has none."""
    known = _all_or_none(vectors)
    return np.stack(known) if known and len(known) == n_tasks else None


def checked_task(X, y, where: str) -> tuple[Features, np.ndarray]:
    """Return X as (N, d) float64, dense or CSR, and y as (N,) float64; raise ValueError, naming `where`, if invalid."""
    for name, values in (("X", X), ("y", y)):
        if np.issubdtype(getattr(values, "dtype", float), np.complexfloating):
            raise ValueError(f"{where} has complex numbers in {name}, where real ones are needed.")
    try:
        X = sp.csr_array(X, dtype=float, copy=True) if sp.issparse(X) else np.array(X, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{where} has an X that is not a table of numbers with rows of one length.") from None
    try:
        y = np.array(y, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{where} has a y that is not a list of numbers.") from None
    if X.ndim != 2 or y.ndim != 1:
        raise ValueError(f"{where} has X of shape {X.shape} and y of shape {y.shape}, not (N, d) and (N,).")
    if X.shape[0] != len(y):
        raise ValueError(f"{where} has {X.shape[0]} rows in X and {len(y)} labels in y.")
    if len(y) == 0:
        raise ValueError(f"{where} is empty: it has 0 examples.")
    if X.shape[1] == 0:
        raise ValueError(f"{where} has 0 features.")
    bad = np.flatnonzero((y != 1) & (y != -1))
    if bad.size:
        hint = ": 2 * y - 1 makes them of 0 and 1" if np.isin(y, (0, 1)).all() else ""
        raise ValueError(
            f"{where} has the label {y[bad[0]]:g} at example {bad[0]}, where only -1 and +1 are known{hint}."
        )
    if sp.issparse(X):
        X.sum_duplicates()
    values = X.data if sp.issparse(X) else X
    fit = np.abs(values) <= LARGEST
    if not fit.all():
        at = np.argwhere(~fit)[0]
        if sp.issparse(X):
            row = int(np.searchsorted(X.indptr, at[0], side="right")) - 1
            column, value = int(X.indices[at[0]]), values[at[0]]
        else:
            row, column, value = int(at[0]), int(at[1]), values[tuple(at)]
        raise ValueError(
            f"{where} has the value {value:g} at example {row}, feature {column}, "
            f"where a number up to {LARGEST:g} is needed."
        )
    return X, y


def check_seed(seed: object) -> None:
    """Raise ValueError unless the seed is an integer of at least 0, so that every result can be repeated."""
    if not isinstance(seed, (int, np.integer)) or seed < 0:
        raise ValueError(f"The seed is {seed!r}, where a whole number of at least 0 is needed.")
