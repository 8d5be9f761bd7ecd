"""The six prediction rules: y^_t = sign[(1 - alpha_t) clip(<w_t, x_t>) + alpha_t O_t], sign(0) = +1.

They differ only in O_t, the output of the knowledge base.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from aklo.knowledge import CLIPS, HORIZONS, Clip, Horizon, Slab, draw, unnormalised_weights, weighted_mean
from aklo.schedules import SCHEDULES, Schedule

METHODS = ("ITOL", "TOL", "Unif Sample", "Unif Sum", "AKLO Sample", "AKLO Sum")
NAMES = pd.Index(METHODS)  # index of the tables; created once, because pandas is slow at it
KNOWING = METHODS[2:]  # the methods that use the knowledge base
SAMPLING = ("Unif Sample", "AKLO Sample")


def knowledge_outputs(
    slab: Slab, eps: np.ndarray, clip: Clip, horizon: Horizon, u: np.ndarray, out: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Compute the knowledge base's output O_t for each method that uses it.

    Parameters
    ----------
    slab
        Scores and losses of the experts.
    eps
        (N, G)
    clip, horizon
        As in `aklo.mix`.
    u
        (2, N, G), uniform in [0, 1), one number for each draw of the methods in SAMPLING.
    out
        (N, G, K), memory for the weights; allocated if None.

    Returns
    -------
    O_t of the methods in KNOWING, (4, N, G), and the experts drawn by those in SAMPLING, (2, N, G).
    """
    N, G, K = slab.S.shape
    P = unnormalised_weights(slab, eps, horizon, out)
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
    """Return (6, n), the values whose signs are the predictions, methods in the order of METHODS.

    learner, joint: (n,), scores of ITOL's and TOL's w_t; alpha: (n,), 0 if there are no experts; O: (4, n).
    """
    return np.concatenate([np.clip([learner, joint], -1.0, 1.0), mixture(learner, alpha, O)])


def mixture(learner: np.ndarray, alpha: np.ndarray, O: np.ndarray) -> np.ndarray:
    """Return (4, ...), (1 - alpha_t) clip(<w_t, x_t>) + alpha_t O_t, for the scores `learner` (...) and O (4, ...)."""
    return alpha * O + (1.0 - alpha) * np.clip(learner, -1.0, 1.0)


def wrong(values: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return (..., n), True where the sign of `values` (..., n) differs from y (n,); sign(0) = +1."""
    return (values >= 0) != (y > 0)


def expected_wrong(
    slab: Slab, eps: np.ndarray, horizon: Horizon, learner: np.ndarray, alpha: np.ndarray, y: np.ndarray
) -> np.ndarray:
    """Return (2, N, G), the exact probability of a mistake of each method in SAMPLING, over the draw of its expert.

    It is the total weight (1/T or p_t) of the experts whose advice leads to a wrong prediction.
    learner: (N, G), the learner's score; alpha: (N, 1) or (N, G); y: (N, G).
    """
    P = unnormalised_weights(slab, eps, horizon)
    values = alpha[:, :, None] * slab.advice() + ((1.0 - alpha) * np.clip(learner, -1.0, 1.0))[:, :, None]
    errs = ((values >= 0) != (y > 0)[:, :, None]).astype(float)
    if slab.absent is not None:
        errs[:, slab.absent] = 0.0
    return np.stack([errs.sum(axis=2) / slab.n_experts, np.vecdot(P, errs) / P.sum(axis=2)])


def check_mixing(alpha: Schedule, clip: str, horizon: str) -> None:
    """Raise ValueError if clip or horizon is not an option, or if the schedule needs N and the horizon is unknown."""
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
