"""Interactive tasks: the user provides the examples, one at a time.

The knowledge base holds the experts of a learned stream. The user then gives examples one by one; each is predicted
first and labelled afterwards, and the final learner of a finished task joins the knowledge base. The computation is
that of a whole stream: `ask` is the replay of the examples so far and one more.

N is not known, so the horizon is "unknown": the methods use the doubling trick and a schedule that does not need N.
TOL is one learner over all tasks, those of the stream first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from aklo import learner
from aklo.knowledge import Clip
from aklo.learned import LearnedStream
from aklo.methods import METHODS
from aklo.replay import Replay, replay_task
from aklo.rules import checked_methods
from aklo.schedules import Power, Schedule, as_schedule
from aklo.tasks import TaskStream, check_seed, checked_task


@dataclass(frozen=True, eq=False)
class World:
    """The state before an interactive task. Create one with `World.after`; `finish` returns the next.

    Parameters
    ----------
    experts
        (T, d)
    joint
        TOL's running sum (d,) and number of steps.
    lam, alpha, clip, seed, methods
        As in `after`.
    finished
        Number of interactive tasks finished so far.

    >>> from aklo import learn, syn1
    >>> world = World.after(learn(syn1(n_tasks=3, n_examples=20), lam=0.1), clip="advice")
    >>> replay = world.ask([], [], [10.0, 12.0])  # the first example, before its label is known
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
    methods: tuple[str, ...] = METHODS

    @classmethod
    def after(
        cls,
        learned: LearnedStream,
        *,
        alpha: Schedule | str | None = None,
        clip: Clip = "sum",
        seed: int = 0,
        methods: Sequence[str] = METHODS,
    ) -> World:
        """Return the state after a learned stream with dense features, each of whose tasks is an expert.

        alpha: a schedule that does not need N, Power() by default; seed: of the sampling methods' draws; methods: those
        that predict, the paper's six by default.
        """
        check_seed(seed)
        stream = learned.stream
        return cls(
            experts=learned.experts[0],
            joint=_advance((np.zeros(stream.d), 0), stream.X, stream.y, learned.joint_added),
            lam=learned.lam,
            alpha=as_schedule(alpha, Power()),
            clip=clip,
            seed=seed,
            methods=checked_methods(methods),
        )

    def ask(self, X: Sequence | np.ndarray, y: Sequence | np.ndarray, x: Sequence | np.ndarray) -> Replay:
        """Predict the label of x (d,), given the examples of the task so far, X (n, d) and y (n,); n may be 0.

        Returns a replay of n + 1 steps. Its last step is the state before the label of x is known; there y is set to
        +1, and `errors` and `expected` have no meaning.
        """
        d = self.experts.shape[1]
        return self.play(np.vstack([np.reshape(X, (-1, d)), np.reshape(x, (1, d))]), np.append(y, 1.0))

    def play(self, X: Sequence | np.ndarray, y: Sequence | np.ndarray) -> Replay:
        """Return the replay of a task with labels: X (N, d), y (N,), N at least 1."""
        features, labels = checked_task(X, y, f"interactive task {self.finished}")
        own, joint = self._traces(features, labels)
        return replay_task(
            features,
            labels,
            self.experts,
            lam=self.lam,
            alpha=self.alpha,
            clip=self.clip,
            horizon="unknown",
            u=self.uniform_draws(len(labels)),
            own=own,
            joint=joint,
            before=self.joint,
            methods=self.methods,
        )

    def finish(self, X: Sequence | np.ndarray, y: Sequence | np.ndarray) -> World:
        """Return the state after a task, whose final learner w_{N+1} becomes an expert."""
        task = TaskStream.of([(X, y)])
        own, joint = self._traces(task.X, task.y)
        return replace(
            self,
            experts=np.vstack([self.experts, learner.final(task, own.added, self.lam)]),
            joint=_advance(self.joint, task.X, task.y, joint.added),
            finished=self.finished + 1,
        )

    def uniform_draws(self, n: int) -> np.ndarray:
        """Return (2, n), uniform numbers for the draws; those of example t do not depend on n."""
        return np.random.default_rng([self.seed, self.finished]).random((n, 2)).T

    def _traces(self, X: np.ndarray, y: np.ndarray) -> tuple[learner.Trace, learner.Trace]:
        """Return the traces of the task's own learner and of TOL's, which continues."""
        lams, (v, steps) = learner.checked_lams([self.lam]), self.joint
        traces = learner.step_along(X, y, lams), learner.step_along(X, y, lams, before=(v[None], steps))
        own, joint = (learner.Trace(trace.score[0], trace.added[0]) for trace in traces)
        return own, joint


def _advance(before: tuple[np.ndarray, int], X: np.ndarray, y: np.ndarray, added: np.ndarray) -> tuple[np.ndarray, int]:
    """Return a learner's running sum (d,) and number of steps after the examples X (n, d), y (n,); added: (n,)."""
    v, steps = before
    # A cumulative sum rather than a matrix product, so that it rounds as the learner's own steps do.
    return np.cumsum(np.vstack([v, np.where(added, y, 0.0)[:, None] * X]), axis=0)[-1], steps + len(y)


def said(replay: Replay) -> dict[str, int]:
    """Return method -> its prediction, +1 or -1, for the last example."""
    return {name: 1 if replay.confidence[name][-1] >= 0 else -1 for name in replay.methods}


def answer(vector: np.ndarray, x: Sequence | np.ndarray) -> int:
    """Return the label of x (d,) under a labelling vector a (d,): sign(a.x), with sign(0) = +1."""
    return 1 if np.dot(vector, x) >= 0 else -1
