"""The mended rule: a variant of AKLO Sum with a bound that holds.

As in the paper, the prediction is sign[(1 - alpha_t) clip(<w_t, x_t>) + alpha_t sum_i p_t(i) a_t(i)], with the clip on
each expert. There are three changes: the experts' loss is |a_t(i) - y_t| instead of its square; p_t uses the losses
weighted by alpha_k; and the learner adds eta (1 - alpha_t) y_t x_t when its margin is below 1, without shrinking. Both
parts then minimise the loss with which the mixture weights them. With A = sum alpha_t^2 and B = sum (1 - alpha_t)^2,

    mistakes <= sum alpha_t |a_t(w**) - y_t| + sum (1 - alpha_t) l_t(w*) + sqrt(2 A log T) + R X sqrt(B)

for every expert w** and every w* with ||w*|| <= R, for eps = sqrt(2 log T / A) and eta = R / (X sqrt(B)). Proof:

1. At a mistake (1 - alpha) y clip(<w, x>) + alpha y O <= 0, so that (1 - alpha) l(w) + alpha sum p |a - y| >= 1,
   because 1 - y clip(s) is at most the hinge loss, and 1 - y a = |a - y| for advice in [-1, 1]. For squared losses
   this is false.
2. The weights are Hedge on losses alpha_t |a - y|, of range 2 alpha_t: regret <= log T / eps + eps A / 2.
3. The learner is gradient descent on (1 - alpha_t) l_t: regret <= R^2 / (2 eta) + eta X^2 B / 2.

Alpha may rise and start below 1, and neither learner nor experts have to stay in a ball. If N is unknown, eps and eta
use the sums so far, eps_t = sqrt(log T / A_t) and eta_t = R / (X sqrt(2 B_t)), and w_t is eta_t times the sum of the
steps; the last two terms of the bound then grow by a factor of sqrt(2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy.sparse as sp

from aklo.knowledge import weighted_mean
from aklo.methods import wrong
from aklo.replay import Replay
from aklo.schedules import Schedule, as_schedule
from aklo.tasks import Features
from aklo.theory.bounds import CLASSIFIER, EXPERT, FINDING, LEARNING, Bound, hinge_losses, largest_norm

NAME = "Mended rule"


@dataclass(frozen=True, eq=False)
class Mended:
    """The mended rule on one task.

    Parameters
    ----------
    weights, learner, confidence, errors
        (N, T), (N, d), (N,) and (N,), as in `Replay`.
    bound
        Its bound.
    """

    weights: np.ndarray
    learner: np.ndarray
    confidence: np.ndarray
    errors: np.ndarray
    bound: Bound


def mend(replay: Replay, *, R: float, X: float | None = None) -> Mended:
    """Run the mended rule on the data, experts and schedule of a replay.

    Parameters
    ----------
    replay
        A task with at least one expert.
    R
        Radius of the ball of the best classifier.
    X
        Bound on the norm of the examples; the largest norm of the data by default.

    >>> from aklo.replay import play
    >>> done = mend(play([[1.0], [1.0]], [-1, -1], experts=[[1.0], [-1.0]], lam=1.0), R=1.0)
    >>> done.errors.tolist(), round(done.bound.total, 2)
    ([True, False], 1.82)
    """
    if not len(replay.experts):
        raise ValueError("The task has no experts, and the bound compares with the best of them: take a later task.")
    X = largest_norm(replay.X) if X is None else X
    alpha, y, T = replay.alpha, replay.y, len(replay.experts)
    later = replay.horizon == "unknown"
    A, B = np.cumsum(alpha**2), np.cumsum((1 - alpha) ** 2)
    eps = _rate(np.sqrt((1 if later else 2) * np.log(T)), A if later else A[-1:], len(y))
    eta = _rate(R / (X * np.sqrt(2 if later else 1)) if X > 0 else 0.0, B if later else B[-1:], len(y))

    loss = np.abs(replay.advice - y[:, None])
    paid = np.cumsum(alpha[:, None] * loss, axis=0)
    before = np.vstack([np.zeros(T), paid[:-1]])
    P = np.exp(-eps[:, None] * (before - before.min(axis=1, keepdims=True)))
    w, score = _learn(replay.X, y, 1 - alpha, eta)
    O = weighted_mean(P[:, None], replay.advice[:, None], P.sum(axis=1, keepdims=True))[:, 0]
    confidence = alpha * O + (1 - alpha) * np.clip(score, -1.0, 1.0)
    errors = wrong(confidence, y)

    hinge = hinge_losses(replay, R, weights=1 - alpha)
    price = np.sqrt(2.0 if later else 1.0)
    terms = {
        EXPERT: paid[:, int(paid[-1].argmin())],
        CLASSIFIER: np.cumsum((1 - alpha) * hinge),
        FINDING: price * np.sqrt(2 * np.log(T) * A),
        LEARNING: price * R * X * np.sqrt(B),
    }
    steps = pd.RangeIndex(1, len(y) + 1, name="t")
    conditions = {"no example is beyond X": largest_norm(replay.X) <= X * (1 + 1e-9)}
    bound = Bound(NAME, NAME, pd.DataFrame(terms, index=steps), conditions, np.cumsum(errors), {"R": R, "X": X})
    return Mended(P / P.sum(axis=1, keepdims=True), w, confidence, errors, bound)


def _rate(top: float, sums: np.ndarray, n: int) -> np.ndarray:
    """Return (n,), top / sqrt(sums), or 0 where the sum is 0 and the rate does not matter."""
    rates = np.divide(top, np.sqrt(sums), out=np.zeros(len(sums)), where=sums > 0)
    return np.broadcast_to(rates, n)


def _learn(X: Features, y: np.ndarray, share: np.ndarray, eta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return w_t (N, d) and <w_t, x_t> (N,), w_t being eta_t times the sum of share_k y_k x_k over margins below 1."""
    rows = X.toarray() if sp.issparse(X) else X
    w, score = np.empty(rows.shape), np.empty(len(y))
    v = np.zeros(rows.shape[1])
    for t, (x, label, part, rate) in enumerate(zip(rows, y.tolist(), share.tolist(), eta.tolist(), strict=True)):
        w[t] = rate * v
        score[t] = w[t] @ x
        if label * score[t] < 1.0:
            v += part * label * x
    return w, score


def price_of_not_knowing(
    schedule: Schedule | str, lengths: Sequence[int], *, n_experts: int, X: float, R: float
) -> pd.DataFrame:
    """Compute the terms of the bounds for finding the expert and for learning, added up, for several N.

    A schedule that needs N uses it; "unknown" refers to the weights and the learner only.

    Returns
    -------
    A data frame with a row for each N and four columns: Theorem 1, Theorem 2, and the mended rule with N known and
    unknown.
    """
    schedule = as_schedule(schedule)
    rows = []
    for n in lengths:
        alpha, log_n = schedule.values(int(n)), float(np.log(n))
        S, rest = float(alpha.sum()), float((1 - alpha).sum())
        finding, learning = 4 * np.sqrt(2 * np.log(n_experts) * S), R * (X + R) * rest
        ours = np.sqrt(2 * np.log(n_experts) * (alpha @ alpha)) + R * X * np.sqrt((1 - alpha) @ (1 - alpha))
        rows.append(
            (finding + learning * np.sqrt((log_n + 1) / n), log_n * finding + learning, ours, np.sqrt(2.0) * ours)
        )
    columns = ["Theorem 1, N known", "Theorem 2, unknown", "Mended, N known", "Mended, unknown"]
    return pd.DataFrame(rows, index=pd.Index([int(n) for n in lengths], name="N"), columns=columns)
