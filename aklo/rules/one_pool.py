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


def vote(plus: np.ndarray, minus: np.ndarray) -> np.ndarray:
    """Return (N, G), (q(+1) - q(-1)) / (q(+1) + q(-1)); plus, minus: (N, G), q(+1) and q(-1) up to a common factor.

    A difference that is 0 up to rounding is set to 0, a tie.
    """
    difference, both = plus - minus, plus + minus
    return np.where(np.abs(difference) <= 1e-14 * both, 0.0, difference / both)


def odds(advice: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """Return exp(-(a - 1)^2 / 2) / exp(-(a + 1)^2 / 2) = exp(2 a), a member's part of q(+1) over its part of q(-1)."""
    return np.exp(np.multiply(advice, 2.0, out=out), out=out)


class OnePool(Rule):
    name = "One pool"
    about = "The learner is one more expert: all weights are learnt, exp(−loss/2) each, and α with them."
    stroke = dashed("#15803d", "#5fd38a", 16, 3, width=3.0)
    votes = True

    def weights(self, pool: Pool) -> np.ndarray:
        return pool.exponential_weights(RATE)

    def confidence(self, pool: Pool) -> np.ndarray:
        plus = minus = np.zeros(pool.y.shape)
        for prior, absent, losses, a in pool.parts(RATE):
            # p_t(i) exp(-(a + 1)^2 / 2) is proportional to pi_i exp(-(L_t(i) + (a + 1)^2) / 2).
            part = np.add(a, 1.0, out=pool.scratch("vote", a.shape))
            np.square(part, out=part)
            part += losses
            part *= -RATE
            np.exp(part, out=part)
            if absent is not None:
                part[:, absent] = 0.0
            minus = minus + prior * np.vecdot(part, np.ones(a.shape[2]))
            plus = plus + prior * np.vecdot(part, odds(a, out=a))
        return vote(plus, minus)


class OnePoolWithTOL(OnePool):
    name = "One pool with TOL"
    about = "One pool that admits TOL's learner too, with as much trust at first as the learner."
    stroke = dashed("#7e22ce", "#c792ff", 10, 3, 2, 3, 2, 3)
    joint = True
