"""Fixed share: One pool that gives a part of the weights back after every label, so that it can change its mind.

    v_t(i) proportional to p_t(i) exp(-(a_t(i) - y_t)^2 / 2),  p_{t+1} = (1 - s) v_t + s pi,  s = 1/(t + 1)

It predicts as One pool does, by the larger q_t. (Herbster and Warmuth, Machine Learning 32, 1998.)
"""

from __future__ import annotations

import numpy as np

from aklo.rules.one_pool import RATE, vote
from aklo.rules.pool import Pool
from aklo.rules.rule import Rule
from aklo.styles import dashed


class FixedShare(Rule):
    name = "Fixed share"
    about = "One pool that shares 1/(t+1) of the weights anew after each label, so that it can change its mind."
    stroke = dashed("#a04b00", "#ffb066", 3, 6)
    votes = True

    def weights(self, pool: Pool) -> np.ndarray:
        likelihood = np.exp(-RATE * pool.loss)
        p = np.empty(pool.shape)
        p[0] = pool.prior
        for t in range(1, len(p)):
            v = np.multiply(p[t - 1], likelihood[t - 1], out=p[t])
            v *= (1 - 1 / (t + 1)) / v.sum(axis=-1, keepdims=True)
            v += pool.prior / (t + 1)
        return p

    def confidence(self, pool: Pool) -> np.ndarray:
        return vote(self.weights(pool), pool.advice)
