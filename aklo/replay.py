"""One task, step by step: the state of every method before each example."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from aklo import knowledge, learner
from aklo.knowledge import Clip, Horizon
from aklo.methods import (
    KNOWING,
    METHODS,
    SAMPLING,
    check_mixing,
    expected_wrong,
    knowledge_outputs,
    rule_pools,
    six_confidences,
    wrong,
)
from aklo.rules import checked_methods, rules_of
from aklo.schedules import Schedule, as_schedule
from aklo.tasks import Features, check_seed, checked_task
from aklo.wording import count


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
        (N,), of the schedule, and of AKLO's weights.
    weights
        (N, T), p_t of AKLO.
    advice
        (N, T), clipped.
    drawn
        Sampling method -> (N,), index of the drawn expert; -1 if there are none.
    confidence
        Method -> (N,), the value whose sign is the prediction, for the methods that were asked for.
    errors
        Method -> (N,), True where the prediction is wrong.
    method_alpha
        Method -> (N,), the alpha that it uses: the schedule's, or 1 - p_t(learner) for a rule that sets its own; 0 for
        ITOL and TOL, and without experts.
    method_weights
        Method -> (N, T), how it shares alpha among the experts. The rows add up to 1, except for a rule that admits
        TOL's learner, whose share is what is missing; they are 0 for ITOL and TOL, and for a rule with alpha = 0.
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
    method_alpha: dict[str, np.ndarray]
    method_weights: dict[str, np.ndarray]
    expected: dict[str, np.ndarray]
    own: learner.Trace
    joint: learner.Trace
    before: tuple[np.ndarray, int]

    def __len__(self) -> int:
        return len(self.y)

    def __repr__(self) -> str:
        size = f"{count(len(self), 'example')}, {count(len(self.experts), 'expert')}"
        alpha = f"alpha={self.schedule.spec!r}, clip={self.clip!r}, horizon={self.horizon!r}"
        mistakes = ", ".join(f"{name} {int(wrong.sum())}" for name, wrong in self.errors.items())
        return f"<Replay: {size}, lam={self.lam:g}, {alpha}; mistakes: {mistakes}>"

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that were asked for."""
        return tuple(self.confidence)

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
    alpha: Schedule | str | None = None,
    clip: Clip = "sum",
    horizon: Horizon = "known",
    seed: int = 0,
    methods: Sequence[str] = METHODS,
) -> Replay:
    """Run the methods on one task with given experts.

    Parameters
    ----------
    X, y
        (N, d) and (N,).
    experts
        (T, d); none by default.
    lam
        Lambda > 0 of the learner.
    alpha, clip, horizon, seed, methods
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
        alpha=as_schedule(alpha),
        clip=clip,
        horizon=horizon,
        u=np.random.default_rng(seed).random((2, len(y))),
        own=own,
        joint=own,
        before=(np.zeros(X.shape[1]), 0),
        methods=methods,
    )


def replay_task(
    X: Features,
    y: np.ndarray,
    experts: np.ndarray,
    *,
    lam: float,
    alpha: Schedule | str,
    clip: Clip,
    horizon: Horizon,
    u: np.ndarray,
    own: learner.Trace,
    joint: learner.Trace,
    before: tuple[np.ndarray, int],
    methods: Sequence[str] = METHODS,
) -> Replay:
    """Run the methods on a task whose learners have run; u: (2, N), uniform in [0, 1), for the draws."""
    alpha = as_schedule(alpha)
    check_mixing(alpha, clip, horizon)
    names = checked_methods(methods)
    N, T = len(y), len(experts)
    values = alpha.values(N)
    confidence: dict[str, np.ndarray] = {}
    method_alpha, method_weights = dict.fromkeys(METHODS, np.zeros(N)), dict.fromkeys(METHODS, np.zeros((N, T)))
    if T:
        slab = knowledge.build_slab(
            y[:, None], lambda _, out: knowledge.scores(X, experts, out), n_experts=np.array([T])
        )
        eps = knowledge.epsilon(knowledge.alpha_total(values, horizon), slab.n_experts)
        O, drawn = knowledge_outputs(slab, eps, clip, horizon, u[:, :, None])
        P = knowledge.unnormalised_weights(slab, eps, horizon)[:, 0]
        weights, advice = P / P.sum(axis=1, keepdims=True), slab.advice()[:, 0]
        score, column = own.score[:, None], values[:, None]
        expected = expected_wrong(slab, eps, horizon, score, column, y[:, None])[:, :, 0]
        O, drawn, eps, mixing_alpha = O[:, :, 0], drawn[:, :, 0], eps[:, 0], values
        uniform = np.broadcast_to(1.0 / T, (N, T))
        for name in KNOWING:
            method_alpha[name], method_weights[name] = values, weights if name.startswith("AKLO") else uniform
        rules, tol = rules_of(names), joint.score[:, None]
        for rule, pool in rule_pools(rules, slab, y=y[:, None], learner=score, joint=tol, alpha=column):
            confidence[rule.name] = rule.confidence(pool)[:, 0]
            shares = _shares(rule.weights(pool)[:, 0], pool.first_expert)
            method_alpha[rule.name], method_weights[rule.name] = shares
    else:
        weights = advice = np.zeros((N, 0))
        O, drawn = np.zeros((len(KNOWING), N)), np.full((len(SAMPLING), N), -1)
        eps, mixing_alpha = np.zeros(N), np.zeros(N)
        expected = np.tile(wrong(own.score, y).astype(float), (len(SAMPLING), 1))
        for rule in rules_of(names):  # the learner predicts alone
            confidence[rule.name] = np.clip(own.score, -1.0, 1.0)
            method_alpha[rule.name], method_weights[rule.name] = np.zeros(N), np.zeros((N, 0))
    confidence |= dict(zip(METHODS, six_confidences(own.score, joint.score, mixing_alpha, O), strict=True))
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
        confidence={name: confidence[name] for name in names},
        errors={name: wrong(confidence[name], y) for name in names},
        method_alpha={name: method_alpha[name] for name in names},
        method_weights={name: method_weights[name] for name in names},
        expected=dict(zip(SAMPLING, expected, strict=True)),
        own=own,
        joint=joint,
        before=before,
    )


def _shares(p: np.ndarray, first_expert: int) -> tuple[np.ndarray, np.ndarray]:
    """Return alpha_t = 1 - p_t(learner), (N,), and its division among the experts, (N, T), from weights p (N, M)."""
    others, experts = p[:, 1:].sum(axis=1, keepdims=True), p[:, first_expert:]
    alpha = others[:, 0] / (p[:, 0] + others[:, 0])
    return alpha, np.divide(experts, others, out=np.zeros(experts.shape), where=others > 0)
