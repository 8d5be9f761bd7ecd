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


class AdaHedge(Rule):
    name = "AdaHedge"
    about = "Hedge on the pool, with a rate that falls as the weights cost more than they should."
    stroke = dashed("#44403c", "#d6d3d1", 14, 3, 5, 3)

    def weights(self, pool: Pool) -> np.ndarray:
        N, G, _ = pool.shape
        p = np.empty(pool.shape)
        L, losses = np.where(pool.prior > 0, 0.0, np.inf), pool.loss
        top, Delta = np.log(pool.slab.n_experts + 1.0), np.zeros(G)
        for t in range(N):
            eta = np.divide(top, Delta, out=np.full(G, np.inf), where=Delta > 0)
            p[t], before = _mixed(pool.prior, L, eta)
            mean = np.vecdot(p[t], losses[t])
            L = L + losses[t]
            gap = mean - (_mixed(pool.prior, L, eta)[1] - before)
            Delta += np.where(gap > ROUNDING * np.maximum(1.0, mean), gap, 0.0)
        return p


def _mixed(prior: np.ndarray, L: np.ndarray, eta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return p (G, M) and the mix loss -ln(sum_i pi_i exp(-eta L_i)) / eta (G,); for an infinite eta their limits."""
    least = L.min(axis=1)
    endless = np.isinf(eta)
    rate = np.where(endless, 0.0, eta)
    above = np.where(np.isinf(L), 0.0, L - least[:, None])
    leads = above <= ROUNDING * np.maximum(1.0, least)[:, None]
    p = prior * np.where(endless[:, None], leads, np.exp(-rate[:, None] * above))
    total = p.sum(axis=1)
    mix = least - np.divide(np.log(total), rate, out=np.zeros(len(rate)), where=~endless)
    return p / total[:, None], mix
