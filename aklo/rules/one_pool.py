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
TIE = 1e-14  # a difference of q_t(+1) and q_t(-1) of at most this part of their sum is rounding
SURELY_WRONG, SURELY_RIGHT = -0.567, -0.499  # log q_t(y_t) below the first, and above the second


def vote(weights: np.ndarray, advice: np.ndarray) -> np.ndarray:
    """Return (...), (q(+1) - q(-1)) / (q(+1) + q(-1)); weights, advice: (..., M), the weights not normalised.

    A difference that is 0 up to rounding is set to 0, a tie.
    """
    plus = np.vecdot(weights, np.exp(-RATE * (advice - 1.0) ** 2))
    minus = np.vecdot(weights, np.exp(-RATE * (advice + 1.0) ** 2))
    difference, both = plus - minus, plus + minus
    return np.where(np.abs(difference) <= TIE * both, 0.0, difference / both)


class OnePool(Rule):
    name = "One pool"
    about = "The learner is one more expert: all weights are learnt, exp(−loss/2) each, and α with them."
    stroke = dashed("#15803d", "#5fd38a", 16, 3, width=3.0)
    votes = True

    def weights(self, pool: Pool) -> np.ndarray:
        return pool.exponential_weights(RATE)

    def confidence(self, pool: Pool) -> np.ndarray:
        return vote(self.weights(pool), pool.advice)

    def mistakes(self, pool: Pool) -> np.ndarray:
        """Most mistakes follow from Z_t = sum_i pi_i exp(-L_t(i) / 2) alone, which takes a fraction of the time of q_t.

        After the label, q_t(y_t) = Z_{t+1} / Z_t. By the proof of the bound, q_t(+1) + q_t(-1) is 2 exp(-1/2) times a
        mean of exp(-a^2/2) cosh(a), which is between exp(-1/2) cosh(1) > 0.935 and 1. So One pool is right where
        log q_t(y_t) is above -1/2, and wrong where it is below -1/2 + log(0.935). The few examples between these need
        q_t itself, and so does the last one, since Z_{N+1} is not known.
        """
        learners, experts, log_Z = pool.parts(RATE)
        log_q = np.full(log_Z.shape, np.nan)
        np.subtract(log_Z[1:], log_Z[:-1], out=log_q[:-1])
        wrong = log_q < SURELY_WRONG
        unsure = ~(wrong | (log_q > SURELY_RIGHT))
        weights = np.concatenate([learners[unsure], experts[unsure]], axis=-1)
        advice = np.concatenate([pool.learners[unsure], np.clip(pool.slab.S[unsure], -1.0, 1.0)], axis=-1)
        wrong[unsure] = (vote(weights, advice) >= 0) != (pool.y[unsure] > 0)
        return wrong


class OnePoolWithTOL(OnePool):
    name = "One pool with TOL"
    about = "One pool that admits TOL's learner too, with as much trust at first as the learner."
    stroke = dashed("#7e22ce", "#c792ff", 10, 3, 2, 3, 2, 3)
    joint = True
