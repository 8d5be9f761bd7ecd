"""One task, step by step: the state of every method before each example."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from aklo import knowledge, learner, methods
from aklo.knowledge import Clip, Horizon
from aklo.methods import METHODS, SAMPLING
from aklo.schedules import Linear, Schedule
from aklo.tasks import Features, check_seed, checked_task


@dataclass(frozen=True, eq=False)
class Replay:
    """A task of N examples with T experts, and the state of the methods before each example t.

    Parameters
    ----------
    X, y
        (N, d) and (N,).
    experts
        (T, d)
    alpha, eps
        (N,)
    weights
        (N, T), p_t.
    advice
        (N, T), clipped.
    drawn
        Sampling method -> (N,), index of the drawn expert; -1 if there are none.
    confidence
        Method -> (N,), the value whose sign is the prediction.
    errors
        Method -> (N,), True where the prediction is wrong.
    expected
        Sampling method -> (N,), the exact probability of a mistake.
    own, joint
        Traces of the task's own learner and of TOL's.
    before
        TOL's running sum (d,) and number of steps before the task.
    """

    X: Features
    y: np.ndarray
    experts: np.ndarray
    lam: float
    schedule: Schedule
    clip: Clip
    horizon: Horizon
    alpha: np.ndarray
    eps: np.ndarray
    weights: np.ndarray
    advice: np.ndarray
    drawn: dict[str, np.ndarray]
    confidence: dict[str, np.ndarray]
    errors: dict[str, np.ndarray]
    expected: dict[str, np.ndarray]
    own: learner.Trace
    joint: learner.Trace
    before: tuple[np.ndarray, int]

    def __len__(self) -> int:
        return len(self.y)

    @cached_property
    def learner(self) -> np.ndarray:
        """(N, d), w_t of the task's own learner before example t."""
        return learner.path(self.X, self.y, self.own.added, self.lam)

    @cached_property
    def joint_learner(self) -> np.ndarray:
        """(N, d), TOL's w before example t."""
        return learner.path(self.X, self.y, self.joint.added, self.lam, before=self.before)


def play(
    X: Features,
    y: np.ndarray,
    *,
    experts: np.ndarray | None = None,
    lam: float,
    alpha: Schedule | None = None,
    clip: Clip = "sum",
    horizon: Horizon = "known",
    seed: int = 0,
) -> Replay:
    """Run the six methods on one task with given experts.

    Parameters
    ----------
    X, y
        (N, d) and (N,).
    experts
        (T, d); none by default.
    lam
        Lambda > 0 of the learner.
    alpha, clip, horizon, seed
        As in `aklo.mix`.

    Returns
    -------
    A replay, in which TOL equals ITOL, since there are no earlier tasks.

    >>> replay = play([[1.0, 0.0]], [1], experts=[[1.0, 0.0], [-1.0, 0.0]], lam=1.0, clip="advice")
    >>> replay.weights.tolist(), replay.confidence["AKLO Sum"].tolist()
    ([[0.5, 0.5]], [0.0])
    """
    X, y = checked_task(X, y, "task 0")
    W = np.zeros((0, X.shape[1])) if experts is None else np.array(experts, dtype=float)
    if W.ndim != 2 or W.shape[1] != X.shape[1]:
        raise ValueError(f"The experts have shape {W.shape}, where (T, {X.shape[1]}) is needed.")
    if not np.isfinite(W).all():
        i, j = np.argwhere(~np.isfinite(W))[0]
        raise ValueError(f"Expert {i} has the value {W[i, j]:g} at feature {j}, where a finite number is needed.")
    check_seed(seed)
    lams = learner.checked_lams([lam])
    if sp.issparse(X):
        trace, _ = learner.step_sparse([X], y, lams, joint=False)
    else:
        trace = learner.step_along(X, y, lams)
    own = learner.Trace(trace.score[0], trace.added[0])
    return replay_task(
        X,
        y,
        W,
        lam=float(lam),
        alpha=Linear() if alpha is None else alpha,
        clip=clip,
        horizon=horizon,
        u=np.random.default_rng(seed).random((2, len(y))),
        own=own,
        joint=own,
        before=(np.zeros(X.shape[1]), 0),
    )


def replay_task(
    X: Features,
    y: np.ndarray,
    experts: np.ndarray,
    *,
    lam: float,
    alpha: Schedule,
    clip: Clip,
    horizon: Horizon,
    u: np.ndarray,
    own: learner.Trace,
    joint: learner.Trace,
    before: tuple[np.ndarray, int],
) -> Replay:
    """Run the methods on a task whose learners have run; u: (2, N), uniform in [0, 1), for the draws."""
    methods.check_mixing(alpha, clip, horizon)
    N, T = len(y), len(experts)
    values = alpha.values(N)
    if T:
        slab = knowledge.build_slab(
            y[:, None], lambda _, out: knowledge.scores(X, experts, out), n_experts=np.array([T])
        )
        eps = knowledge.epsilon(knowledge.alpha_total(values, horizon), slab.n_experts)
        O, drawn = methods.knowledge_outputs(slab, eps, clip, horizon, u[:, :, None])
        P = knowledge.unnormalised_weights(slab, eps, horizon)[:, 0]
        weights, advice = P / P.sum(axis=1, keepdims=True), slab.advice()[:, 0]
        score, column = own.score[:, None], values[:, None]
        expected = methods.expected_wrong(slab, eps, horizon, score, column, y[:, None])[:, :, 0]
        O, drawn, eps, mixing_alpha = O[:, :, 0], drawn[:, :, 0], eps[:, 0], values
    else:
        weights = advice = np.zeros((N, 0))
        O, drawn, eps, mixing_alpha = np.zeros((4, N)), np.full((2, N), -1), np.zeros(N), np.zeros(N)
        expected = np.tile(methods.wrong(own.score, y).astype(float), (2, 1))
    confidence = methods.confidence(own.score, joint.score, mixing_alpha, O)
    return Replay(
        X=X,
        y=y,
        experts=experts,
        lam=lam,
        schedule=alpha,
        clip=clip,
        horizon=horizon,
        alpha=values,
        eps=eps,
        weights=weights,
        advice=advice,
        drawn=dict(zip(SAMPLING, drawn, strict=True)),
        confidence=dict(zip(METHODS, confidence, strict=True)),
        errors=dict(zip(METHODS, methods.wrong(confidence, y), strict=True)),
        expected=dict(zip(SAMPLING, expected, strict=True)),
        own=own,
        joint=joint,
        before=before,
    )
