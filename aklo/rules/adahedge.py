"""AdaHedge (de Rooij, van Erven, Grünwald and Koolen, JMLR 15, 2014): Hedge whose rate follows what it has cost so far.

    eta_t = ln(T + 1) / Delta_t,  Delta_1 = 0,  p_t(i) proportional to pi_i exp(-eta_t L_t(i)),
    Delta_{t+1} = Delta_t + sum_i p_t(i) e_t(i) + ln(sum_i p_t(i) exp(-eta_t e_t(i))) / eta_t

The last two terms are the gap between the mean loss and the mix loss. While Delta = 0 only the leaders, whose L is the
least, have weight; the mix loss is then its limit for an infinite rate, by which the least L grows. The prediction is
the sign of the weighted mean of the advice.
"""

from __future__ import annotations

import numpy as np

from aklo.rules.pool import Pool
from aklo.rules.rule import Rule
from aklo.styles import dashed

ROUNDING = 1e-12  # differences of losses below this, relative to them, are 0
NOTHING = 1e-200  # in the place of Delta = 0: with the rate ln(T + 1) / NOTHING only the leaders have weight


class AdaHedge(Rule):
    name = "AdaHedge"
    about = "Hedge on the pool, with a rate that falls as the weights cost more than they should."
    stroke = dashed("#44403c", "#d6d3d1", 14, 3, 5, 3)

    def weights(self, pool: Pool) -> np.ndarray:
        N, G, _ = pool.shape
        prior, top = pool.prior, np.log(pool.slab.n_experts + 1.0)
        # All that does not depend on the rate is computed before the loop, which has a step for each example.
        least = pool.losses.min(axis=2, where=prior > 0, initial=np.inf)
        above = pool.losses - least[:, :, None]
        above[above <= ROUNDING * np.maximum(1.0, least)[:, :, None]] = 0.0
        p, Delta = np.empty(pool.shape), np.full(G, NOTHING)
        for t in range(N):
            eta = top / Delta
            p[t] = prior * np.exp(-eta[:, None] * above[t])
            total = p[t].sum(axis=1)
            p[t] /= total[:, None]
            if t + 1 < N:
                # The mix loss is the growth of -ln(sum_i pi_i exp(-eta L_i)) / eta.
                after = np.vecdot(prior, np.exp(-eta[:, None] * above[t + 1]))
                mix = least[t + 1] - least[t] - np.log(after / total) / eta
                mean = np.vecdot(p[t], pool.loss[t])
                gap = mean - mix
                Delta += np.where(gap > ROUNDING * np.maximum(1.0, mean), gap, 0.0)
        return p
