"""Tasks told one example at a time, by somebody who has not said how many there will be.

A knowledge base stands ready: all tasks of a stream that was learnt before. Then come examples from outside, one by
one; each is asked about first and labelled afterwards, and a task that is finished joins the knowledge base. Nothing is
computed in another way than for a whole stream: `ask` is the replay of the examples told so far and one more.

Nobody knows N here, so the horizon is unknown: the doubling trick, and a schedule that runs without N. TOL is what it
is everywhere, one learner over all tasks joined: the knowledge base's stream first, then the tasks told since.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from aklo import learner
from aklo.experiment import LearnedStream
from aklo.knowledge import Clip
from aklo.methods import METHODS
from aklo.replay import Replay, replay_task
from aklo.schedules import Power, Schedule
from aklo.tasks import TaskStream, check_seed, checked_task


@dataclass(frozen=True, eq=False)
class World:
    """What is known when a task begins. Make one with `World.after`; `finish` gives the next.

    experts: (T, d); joint: TOL's running sum (d,) and step count; finished: how many tasks were told since the stream.

    >>> from aklo import learn, syn1
    >>> world = World.after(learn(syn1(n_tasks=3, n_examples=20), lam=0.1), clip="advice")
    >>> replay = world.ask([], [], [10.0, 12.0])  # the first example: what is said before its label is known
    >>> said(replay)["AKLO Sum"]
    1
    >>> len(world.finish([[10.0, 12.0]], [1]).experts)
    4
    """

    experts: np.ndarray
    joint: tuple[np.ndarray, int]
    lam: float
    alpha: Schedule
    clip: Clip
    seed: int
    finished: int = 0

    @classmethod
    def after(
        cls, learned: LearnedStream, *, alpha: Schedule | None = None, clip: Clip = "sum", seed: int = 0
    ) -> World:
        """The world when a (dense) stream has been learnt: each of its tasks is an expert.

        alpha: a schedule that does not need N, Power() by default; seed: of the sampling methods' draws.
        """
        check_seed(seed)
        stream = learned.stream
        return cls(
            experts=learned.experts[0],
            joint=_walked((np.zeros(stream.d), 0), stream.X, stream.y, learned.joint_added),
            lam=learned.lam,
            alpha=Power() if alpha is None else alpha,
            clip=clip,
            seed=seed,
        )

    def ask(self, X: Sequence | np.ndarray, y: Sequence | np.ndarray, x: Sequence | np.ndarray) -> Replay:
        """The examples told so far (X: (n, d), y: (n,), n may be 0) and x (d,), whose label is not known yet.

        The replay has n + 1 steps; what it holds at the last one is what is thought before the label. There y is +1 for
        want of a better number, and `errors` and `expected` mean nothing.
        """
        d = self.experts.shape[1]
        return self.play(np.vstack([np.reshape(X, (-1, d)), np.reshape(x, (1, d))]), np.append(y, 1.0))

    def play(self, X: Sequence | np.ndarray, y: Sequence | np.ndarray) -> Replay:
        """The task's examples, all labelled: X (N, d), y (N,), N at least 1."""
        features, labels = checked_task(X, y, f"told task {self.finished}")
        own, joint = self._traces(features, labels)
        return replay_task(
            features,
            labels,
            self.experts,
            lam=self.lam,
            alpha=self.alpha,
            clip=self.clip,
            horizon="unknown",
            u=self.chances(len(labels)),
            own=own,
            joint=joint,
            before=self.joint,
        )

    def finish(self, X: Sequence | np.ndarray, y: Sequence | np.ndarray) -> World:
        """The world after a task: its learner's w_{N+1} is one more expert."""
        task = TaskStream.of([(X, y)])
        own, joint = self._traces(task.X, task.y)
        return replace(
            self,
            experts=np.vstack([self.experts, learner.final(task, own.added, self.lam)]),
            joint=_walked(self.joint, task.X, task.y, joint.added),
            finished=self.finished + 1,
        )

    def chances(self, n: int) -> np.ndarray:
        """(2, n): the uniform numbers behind the draws. Those of example t do not depend on how many follow it."""
        return np.random.default_rng([self.seed, self.finished]).random((n, 2)).T

    def _traces(self, X: np.ndarray, y: np.ndarray) -> tuple[learner.Trace, learner.Trace]:
        """The task's own learner and TOL's, which goes on."""
        lams, (v, steps) = learner.checked_lams([self.lam]), self.joint
        traces = learner.step_along(X, y, lams), learner.step_along(X, y, lams, before=(v[None], steps))
        own, joint = (learner.Trace(trace.score[0], trace.added[0]) for trace in traces)
        return own, joint


def _walked(before: tuple[np.ndarray, int], X: np.ndarray, y: np.ndarray, added: np.ndarray) -> tuple[np.ndarray, int]:
    """A chain's running sum (d,) and step count after the examples X (n, d), y (n,), of which it `added` (n,) some."""
    v, steps = before
    # A running sum, not a product of matrices: it rounds as the learner's own steps do.
    return np.cumsum(np.vstack([v, np.where(added, y, 0.0)[:, None] * X]), axis=0)[-1], steps + len(y)


def said(replay: Replay) -> dict[str, int]:
    """Method -> its prediction, +1 or -1, for the last example."""
    return {name: 1 if replay.confidence[name][-1] >= 0 else -1 for name in METHODS}


def answer(vector: np.ndarray, x: Sequence | np.ndarray) -> int:
    """The label that a labelling vector a (d,) gives to x (d,): sign(a.x), sign(0) = +1."""
    return 1 if np.dot(vector, x) >= 0 else -1
