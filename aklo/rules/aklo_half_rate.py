"""AKLO, rate 1/2: AKLO Sum with the weights of One pool, to see what the faster weights do alone."""

from __future__ import annotations

import numpy as np

from aklo.rules.one_pool import RATE
from aklo.rules.pool import Pool
from aklo.rules.rule import Rule
from aklo.styles import dashed


class AkloHalfRate(Rule):
    """p_t(i) proportional to exp(-L_t(i) / 2) over the experts, the clip on each, alpha from the schedule."""

    name = "AKLO, rate 1/2"
    about = "AKLO Sum with the clip on each expert and ε = ½: what the faster weights do alone, with the schedule's α."
    sets_alpha = False
    stroke = dashed("#0e7490", "#4cc9e8", 4, 2)

    def weights(self, pool: Pool) -> np.ndarray:
        assert pool.alpha is not None
        return pool.blend(pool.alpha, pool.expert_weights(RATE))
