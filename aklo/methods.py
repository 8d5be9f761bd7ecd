"""The six prediction rules: y^_t = sign[(1 - alpha_t) clip(<w_t, x_t>) + alpha_t O_t], sign(0) = +1.

They differ only in O_t, the knowledge base's word.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from aklo.knowledge import CLIPS, HORIZONS, Clip, Horizon, Slab, draw, weigh, weighted_mean
from aklo.schedules import SCHEDULES, Schedule

METHODS = ("ITOL", "TOL", "Unif Sample", "Unif Sum", "AKLO Sample", "AKLO Sum")
NAMES = pd.Index(METHODS)  # for tables; made once, since pandas takes longer for it than for the numbers
KNOWING = METHODS[2:]  # those that ask the knowledge base
SAMPLING = ("Unif Sample", "AKLO Sample")


def words(
    slab: Slab, eps: np.ndarray, clip: Clip, horizon: Horizon, u: np.ndarray, out: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """O_t of the four methods in KNOWING, (4, N, G), and the experts that SAMPLING drew, (2, N, G).

    eps: (N, G); u: (2, N, G), uniform in [0, 1), one number a draw; out: room for the weights, (N, G, K).
    """
    N, G, K = slab.S.shape
    P = weigh(slab, eps, horizon, out)
    drawn = np.empty((2, N, G), dtype=np.intp)
    np.multiply(u[0], slab.n_experts, out=drawn[0], casting="unsafe")  # floor(u T)
    aklo_drawn, total = draw(P.reshape(N * G, K), u[1].ravel())
    drawn[1] = aklo_drawn.reshape(N, G)
    total = total.reshape(N, G)
    O = np.empty((4, N, G))
    here = np.arange(0, N * G * K, K).reshape(N, G)
    O[0::2] = np.take(slab.S, here + drawn)
    if clip == "advice":
        O[1] = slab.mean_advice
        O[3] = weighted_mean(P, slab.advice(), total)
    else:
        O[1] = slab.mean_score
        O[3] = weighted_mean(P, slab.S, total)
    return np.clip(O, -1.0, 1.0, out=O), drawn


def confidence(learner: np.ndarray, joint: np.ndarray, alpha: np.ndarray, O: np.ndarray) -> np.ndarray:
    """(6, n): the values whose signs are the predictions, methods in the order of METHODS.

    learner, joint: (n,), the scores of ITOL's and TOL's w_t; alpha: (n,), 0 where there are no experts; O: (4, n).
    """
    return np.concatenate([np.clip([learner, joint], -1.0, 1.0), mixture(learner, alpha, O)])


def mixture(learner: np.ndarray, alpha: np.ndarray, O: np.ndarray) -> np.ndarray:
    """(4, ...): (1 - alpha_t) clip(<w_t, x_t>) + alpha_t O_t of the methods in KNOWING; learner: (...), O: (4, ...)."""
    return alpha * O + (1.0 - alpha) * np.clip(learner, -1.0, 1.0)


def wrong(values: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Where the sign of `values` (..., n), with sign(0) = +1, is not y (n,)."""
    return (values >= 0) != (y > 0)


def expected_wrong(
    slab: Slab, eps: np.ndarray, horizon: Horizon, learner: np.ndarray, alpha: np.ndarray, y: np.ndarray
) -> np.ndarray:
    """(2, N, G): the exact probability that each method in SAMPLING errs, over the draw of its expert.

    It is the share of the experts, counted by 1/T and by p_t, whose advice would lead to a mistake.
    learner: (N, G), the learner's score; alpha: (N, 1) or (N, G); y: (N, G).
    """
    P = weigh(slab, eps, horizon)
    led = alpha[:, :, None] * slab.advice() + ((1.0 - alpha) * np.clip(learner, -1.0, 1.0))[:, :, None]
    errs = ((led >= 0) != (y > 0)[:, :, None]).astype(float)
    if slab.absent is not None:
        errs[:, slab.absent] = 0.0
    return np.stack([errs.sum(axis=2) / slab.n_experts, np.vecdot(P, errs) / P.sum(axis=2)])


def check_mixing(alpha: Schedule, clip: str, horizon: str) -> None:
    """Raise ValueError for a clip or horizon that does not exist, or a schedule that needs what is not known."""
    if clip not in CLIPS:
        raise ValueError(f"clip is {clip!r}, which is not one of {', '.join(CLIPS)}.")
    if horizon not in HORIZONS:
        raise ValueError(f"horizon is {horizon!r}, which is not one of {', '.join(HORIZONS)}.")
    if not isinstance(alpha, Schedule):
        raise ValueError(f"alpha is {alpha!r}, where a schedule such as Linear() is needed.")
    if horizon == "unknown" and alpha.needs_horizon:
        free = ", ".join(kind.__name__ for kind in SCHEDULES.values() if not kind.needs_horizon)
        raise ValueError(
            f"{type(alpha).__name__} needs to know the number of examples N, which an unknown horizon does not give: "
            f"use {free}."
        )
