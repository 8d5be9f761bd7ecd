"""Two levels (HomOTL-I of Zhao, Hoi, Wang and Li, Artificial Intelligence 216, 2014, with a pool of experts).

The experts' weights are p_t(i) proportional to exp(-L_t(i) / 8), O_t is their mean, and alpha is learnt a level above:

    alpha_1 = 1/2,  alpha_{t+1} = alpha_t u / (alpha_t u + (1 - alpha_t) v),
    u = exp(-(O_t - y_t)^2 / 8),  v = exp(-(c_t - y_t)^2 / 8),  c_t the learner's clipped score.

Mistakes <= min(sum_t (c_t - y_t)^2, min_i L(i) + 8 ln T) + 8 ln 2.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from aklo.knowledge import weighted_mean
from aklo.rules.pool import Pool
from aklo.rules.rule import Rule
from aklo.styles import dashed


class TwoLevels(Rule):
    name = "Two levels"
    about = "HomOTL-I with a pool: one set of weights on the experts, and above it one on experts and learner."
    stroke = dashed("#9f1239", "#ff8fa3", 8, 3, 8, 3, 2, 3)

    def weights(self, pool: Pool) -> np.ndarray:
        P = pool.expert_weights(1 / 8)
        O = weighted_mean(P, pool.advice[:, :, 1:], P.sum(axis=-1))
        c, y = pool.advice[:, :, 0], pool.y
        odds = np.zeros(y.shape)  # log(alpha / (1 - alpha)), which a step changes by log(u / v)
        np.cumsum(((c - y) ** 2 - (O - y) ** 2)[:-1] / 8, axis=0, out=odds[1:])
        return pool.blend(expit(odds), P)
