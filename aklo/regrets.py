"""Regret: how many mistakes more a method makes than the best of its competitors, known only in hindsight.

In a task of N examples there are two competitors, each chosen for the whole task after it has ended:

- the *best expert*: the one of the T experts that makes the fewest mistakes, the first of several;
- the *best classifier*: the w with ||w|| <= R of least total hinge loss, R = 1/sqrt(lambda) by default. The classifier
  of fewest mistakes is hard to find in many dimensions, so that, as in the paper, the hinge loss stands in for them.
  The ball of radius 1/sqrt(lambda) holds the minimum of what the learner descends on, lambda/2 ||w||^2 plus the mean
  hinge loss.

A competitor predicts sign(<w, x_t>), with sign(0) = +1. The regret of a method after t examples is the number of its
mistakes up to t minus the number of the competitor's. It is below 0 where the method does better than any one of them.
Over a stream the regrets of the tasks add up, each task with its own competitor.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from aklo import knowledge
from aklo.experiment import Run
from aklo.learned import LearnedStream
from aklo.methods import index_of, wrong
from aklo.tasks import Features
from aklo.theory.hindsight import best_in_ball
from aklo.wording import count

EXPERT, CLASSIFIER = "best expert", "best classifier"


@dataclass(frozen=True, eq=False)
class Regret:
    """The regret of m methods on a stream of T tasks with n examples in all.

    Parameters
    ----------
    methods
        The m methods.
    wrong
        (m, n), True where a method is wrong, or the probability of a mistake.
    competitors
        Competitor -> (n,), 1 where it is wrong and 0 where it is right; NaN in a task that has none: no experts, or no
        best classifier that could be found accurately (`Best.accurate`).
    offsets
        (T + 1,), index of the first example of each task, and n.
    """

    methods: tuple[str, ...]
    wrong: np.ndarray
    competitors: dict[str, np.ndarray]
    offsets: np.ndarray

    def __repr__(self) -> str:
        sums = "; ".join(
            f"{name}: {', '.join(f'{method} {value:g}' for method, value in column.items())}"
            for name, column in self.table.items()
        )
        return f"<Regret: {count(len(self.offsets) - 1, 'task')}; against the {sums}>"

    def tasks(self, competitor: str = EXPERT) -> pd.DataFrame:
        """Return the regret at the end of each task: a row for each task, a column for each method."""
        sums = np.add.reduceat(self._steps(competitor), self.offsets[:-1], axis=1)
        return pd.DataFrame(sums.T, columns=index_of(self.methods)).rename_axis("task")

    @property
    def table(self) -> pd.DataFrame:
        """Method -> its regret against each competitor, summed over the tasks that have one."""
        columns = {name: np.nansum(self._steps(name), axis=1) for name in self.competitors}
        return pd.DataFrame(columns, index=index_of(self.methods))

    def curve(self, task: int, competitor: str = EXPERT) -> pd.DataFrame:
        """Return the regret within a task: a row for each t, from 1 to N, and a column for each method."""
        if not 0 <= task < len(self.offsets) - 1:
            raise ValueError(f"Task {task} does not exist: there are {len(self.offsets) - 1}, counted from 0.")
        here = self._steps(competitor)[:, self.offsets[task] : self.offsets[task + 1]]
        steps = pd.RangeIndex(1, here.shape[1] + 1, name="t")
        return pd.DataFrame(np.cumsum(here, axis=1).T, index=steps, columns=index_of(self.methods))

    def over_stream(self, competitor: str = EXPERT) -> np.ndarray:
        """Return (m, n), the regret over the stream up to each example; tasks without a competitor add nothing."""
        return np.nancumsum(self._steps(competitor), axis=1)

    def _steps(self, competitor: str) -> np.ndarray:
        """Return (m, n), what each example adds: 1, 0 or -1."""
        if competitor not in self.competitors:
            raise ValueError(f"{competitor!r} is not a competitor: choose from {', '.join(self.competitors)}.")
        return self.wrong - self.competitors[competitor]


def best_expert(scores: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return (N,), True where the expert with the fewest mistakes is wrong. scores: (N, T), T >= 1; y: (N,)."""
    mistakes = wrong(scores.T, y)
    return mistakes[int(mistakes.sum(axis=1).argmin())]


def best_classifier(X: Features, y: np.ndarray, *, R: float) -> np.ndarray:
    """Return (N,), 1 where the classifier with ||w|| <= R of least total hinge loss is wrong, else 0.

    All are NaN if that classifier could not be found accurately. X: (N, d), y: (N,).
    """
    best = best_in_ball(X, y, R=R)
    return wrong(X @ best.w, y).astype(float) if best.accurate else np.full(len(y), np.nan)


def usual_radius(lam: float) -> float:
    """Return the radius of the best classifier's ball where none is given, 1/sqrt(lambda)."""
    return float(1 / np.sqrt(lam))


def regret(run: Run, *, R: float | None = None) -> Regret:
    """Compute the regret of a run's methods against the best expert and the best classifier of each task.

    Parameters
    ----------
    run
        A run of one stream.
    R
        Radius of the ball of the best classifier; 1/sqrt(lambda) by default.

    >>> from aklo import run, syn1
    >>> found = regret(run(syn1(n_tasks=4, n_examples=20), lam=1e-3, methods=["ITOL", "One pool"]))
    >>> found.table.shape, found.tasks().shape, len(found.curve(task=3))
    ((2, 2), (4, 2), 20)
    """
    if not isinstance(run, Run):
        raise ValueError(f"regret was given a {type(run).__name__}, where a run is needed: the result of aklo.run.")
    return Regret(run.methods, run.wrong, competitors(run.learned, R=R), run.learned.stream.offsets)


def competitors(learned: LearnedStream, *, R: float | None = None) -> dict[str, np.ndarray]:
    """Return the field `competitors` of `Regret`, which does not depend on alpha. R: as in `regret`."""
    if len(learned.streams) > 1:
        raise ValueError(f"The run has {len(learned.streams)} streams, where one is needed.")
    stream, radius = learned.stream, usual_radius(learned.lam) if R is None else R
    expert, classifier = np.full(len(stream.y), np.nan), np.empty(len(stream.y))
    for k, (start, end) in enumerate(zip(stream.offsets[:-1].tolist(), stream.offsets[1:].tolist(), strict=True)):
        X, y = stream.parts[k], stream.y[start:end]
        classifier[start:end] = best_classifier(X, y, R=radius)
        if k:
            scores = np.empty((end - start, k))
            knowledge.scores(X, learned.experts[0][:k], scores)
            expert[start:end] = best_expert(scores, y)
    return {EXPERT: expert, CLASSIFIER: classifier}
