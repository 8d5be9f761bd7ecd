"""One pool: the learner is a member among the experts, and nobody has to choose alpha.

With a_t(i) the clipped advice of member i, p_1 = pi and y = +1, -1,

    q_t(y) = sum_i p_t(i) exp(-(a_t(i) - y)^2 / 2);  predict the y with the larger q, +1 if they are equal;
    p_{t+1}(i) proportional to p_t(i) exp(-(a_t(i) - y_t)^2 / 2).

For every member i, mistakes <= sum_t (a_t(i) - y_t)^2 + 2 ln(1/pi_i): see `aklo.pool_bound` for the proof.
"""

from __future__ import annotations

import numpy as np

from aklo.rules.pool import Pool
from aklo.rules.rule import Rule
from aklo.styles import dashed

RATE = 0.5


def vote(pool: Pool, own: np.ndarray, experts: np.ndarray) -> np.ndarray:
    """Return (N, G), the vote (q_t(+1) - q_t(-1)) / (q_t(+1) + q_t(-1)).

    It is computed from q_t(y_t) = sum_i v_i and q_t(-y_t) = sum_i v_i exp(-2 a_i y_t), which takes one exponential for
    each member instead of two. A difference that is 0 up to rounding is set to 0, a tie.

    Parameters
    ----------
    pool
        Advice and labels.
    own, experts
        (N, G, learners) and (N, G, K), v_i = p_t(i) exp(-(a_t(i) - y_t)^2 / 2), up to a factor for each t.
    """
    S, y = pool.slab.S, pool.y
    other = np.multiply(S, -2.0 * y[:, :, None], out=pool.scratch("vote", S.shape))
    np.exp(np.clip(other, -2.0, 2.0, out=other), out=other)
    right = np.vecdot(experts, np.ones(S.shape[2])) + own.sum(axis=2)
    wrong = np.vecdot(experts, other)
    for i, a in enumerate(pool.learners):
        wrong += own[:, :, i] * np.exp(-2.0 * a * y)
    difference, both = right - wrong, right + wrong
    return np.where(np.abs(difference) <= 1e-14 * both, 0.0, y * difference / both)


class OnePool(Rule):
    name = "One pool"
    about = "The learner is one more expert: all weights are learnt, exp(−loss/2) each, and α with them."
    stroke = dashed("#15803d", "#5fd38a", 16, 3, width=3.0)
    votes = True

    def weights(self, pool: Pool) -> np.ndarray:
        return pool.exponential_weights(RATE)

    def confidence(self, pool: Pool) -> np.ndarray:
        return vote(pool, *pool.updated_weights(RATE))


class OnePoolWithTOL(OnePool):
    name = "One pool with TOL"
    about = "One pool that admits TOL's learner too, with as much trust at first as the learner."
    stroke = dashed("#7e22ce", "#c792ff", 10, 3, 2, 3, 2, 3)
    joint = True
