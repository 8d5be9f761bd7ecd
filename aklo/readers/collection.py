"""A collection: all examples of a file, task by task, from which streams are sampled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from aklo.tasks import Features, TaskStream, check_seed, checked_task
from aklo.wording import count, sizes

MOST_TASKS = 1000
MOST_NUMBERS = 20_000_000  # limit of features × examples if dense, features × tasks if sparse
LONGEST = 60  # characters of a name
NAMELESS = "(no name)"  # what is shown of a name without a printable character


@dataclass(frozen=True, eq=False)
class Collection:
    """The examples of T tasks, n in all. Create one with `Collection.of` or a reader; `sample` draws a stream.

    Parameters
    ----------
    X
        (n, d), dense or CSR.
    y
        (n,), -1 or +1.
    offsets
        (T + 1,), task k being rows offsets[k] to offsets[k + 1] - 1.
    names
        The tasks' names.
    labels
        Names of the labels -1 and +1 in the file.
    groups, group_names
        Group index of each task, and the name of each group.
    features
        The columns' names.
    notes
        Sentences about the reading, such as what was skipped and why.

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
        """Create a collection from triples (name, X, y); raise ValueError, naming the task, if one is invalid."""
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

    def __repr__(self) -> str:
        feature = "sparse feature" if sp.issparse(self.X) else "feature"
        return f"<Collection: {sizes(self.lengths)}, {count(self.d, feature)}>"

    @property
    def d(self) -> int:
        """The number of features, without a bias column."""
        return int(self.X.shape[1])

    @property
    def lengths(self) -> np.ndarray:
        """(T,), number of examples of each task."""
        return np.diff(self.offsets)

    @property
    def positive(self) -> np.ndarray:
        """(T,), number of examples labelled +1 of each task."""
        return np.add.reduceat(self.y > 0, self.offsets[:-1], dtype=int)

    def flipped(self) -> Collection:
        """Return the collection with -1 and +1 exchanged."""
        return replace(self, y=-self.y, labels=self.labels[::-1])

    def at_least(self, n: int) -> Collection:
        """Return the tasks with at least n examples; raise ValueError if there are none."""
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
        """Return the collection with each feature scaled to mean 0 and standard deviation 1 over all tasks.

        Sparse features are scaled to a mean square of 1 instead, to stay sparse. A constant feature becomes 0.
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
        tasks: Sequence[str] | None = None,
        share: float | None = None,
        bias: bool = True,
        standardise: bool = False,
        shuffle: bool = True,
        seed: int = 0,
    ) -> TaskStream:
        """Draw a stream at random.

        Parameters
        ----------
        n_tasks
            Number of tasks; all by default.
        n_examples
            Number of examples of each task, or all if it has fewer.
        tasks
            Names of the tasks to draw from; all by default.
        share
            If given, round(share · N) of the N examples of each task are +1.
        bias
            Whether to add a column of ones.
        standardise
            Whether to draw from `standardised()`.
        shuffle
            Whether tasks and examples are in random order, or in the collection's.
        seed
            Seed of the draw.
        """
        check_seed(seed)
        for name, number in (("n_tasks", n_tasks), ("n_examples", n_examples)):
            if number is not None and (not isinstance(number, (int, np.integer)) or number < 1):
                raise ValueError(f"{name} is {number}, where a whole number of at least 1 is needed.")
        among = np.arange(len(self)) if tasks is None else np.array([self._index(name) for name in tasks], dtype=int)
        if len(among) == 0:
            raise ValueError("No task was named, where at least one is needed.")
        if n_tasks is not None and n_tasks > len(among):
            raise ValueError(f"n_tasks is {n_tasks}, where there are {len(among)} tasks.")
        if share is not None and not 0 <= share <= 1:
            raise ValueError(f"share is {share}, which is outside 0 to 1.")
        rng = np.random.default_rng(seed)
        chosen = among[rng.permutation(len(among))[:n_tasks]]
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

    def _index(self, name: str) -> int:
        if name not in self.names:
            raise ValueError(f"There is no task {quoted(name)}: the first is {quoted(self.names[0])}.")
        return self.names.index(name)

    def _draw(self, k: int, n: int | None, share: float | None, rng: np.random.Generator) -> np.ndarray:
        """Draw rows of task k, in random order."""
        start, stop = (int(v) for v in self.offsets[k : k + 2])
        rows = rng.permutation(np.arange(start, stop))
        if share is None:
            return rows[:n]
        plus, minus = rows[self.y[rows] > 0], rows[self.y[rows] < 0]
        if n is None or n > len(rows):  # as many as the share allows
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
    """Append a column of ones."""
    ones = np.ones((X.shape[0], 1))
    return sp.csr_array(sp.hstack([X, sp.csr_array(ones)], format="csr")) if sp.issparse(X) else np.hstack([X, ones])


def clean(name: object) -> str:
    """Return a name from a file as one line of at most LONGEST printable characters; a blank one as NAMELESS."""
    text = " ".join("".join(c for c in str(name) if c.isprintable()).split()) or NAMELESS
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def quoted(value: object) -> str:
    """Quote a value from a file for a message, shortened to 30 characters."""
    text = str(value)
    return repr(text if len(text) <= 30 else text[:29] + "…")
