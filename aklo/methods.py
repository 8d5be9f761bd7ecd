"""The paper's six methods: y^_t = sign[(1 - alpha_t) clip(<w_t, x_t>) + alpha_t O_t], sign(0) = +1.

They differ only in O_t, the output of the knowledge base. Other methods are classes in `aklo.rules`; `rule_values`
computes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import pandas as pd

from aklo.knowledge import CLIPS, HORIZONS, Clip, Horizon, Slab, Workspace, draw, unnormalised_weights, weighted_mean
from aklo.rules import METHODS, RULES, Pool, Rule
from aklo.schedules import SCHEDULES, Schedule

KNOWING = METHODS[2:]  # those of the six that use the knowledge base
SAMPLING = tuple(name for name in METHODS if name.endswith("Sample"))
# Method -> what it does, in plain words; an expert is the learner of an earlier task.
IN_WORDS = {name: about[0].lower() + about[1:].rstrip(".") for name, about in ((n, RULES[n].about) for n in METHODS)}


@lru_cache(maxsize=64)
def index_of(methods: tuple[str, ...]) -> pd.Index:
    """Return the index of tables with a row for each method; cached, because pandas is slow at creating it."""
    return pd.Index(methods)


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
    O_t of the methods in KNOWING, (len(KNOWING), N, G), and the experts drawn by those in SAMPLING, (2, N, G).
    """
    N, G, K = slab.S.shape
    P = unnormalised_weights(slab, eps, horizon, out)
    drawn = np.empty((len(SAMPLING), N, G), dtype=np.intp)
    np.multiply(u[0], slab.n_experts, out=drawn[0], casting="unsafe")  # floor(u T)
    aklo_drawn, total = draw(P.reshape(N * G, K), u[1].ravel())
    drawn[1] = aklo_drawn.reshape(N, G)
    total = total.reshape(N, G)
    outputs = np.empty((len(KNOWING), N, G))
    O = dict(zip(KNOWING, outputs, strict=True))
    here = np.arange(0, N * G * K, K).reshape(N, G)
    for method, chosen in zip(SAMPLING, drawn, strict=True):
        np.take(slab.S, here + chosen, out=O[method])
    O["Unif Sum"][:] = slab.mean_advice if clip == "advice" else slab.mean_score
    O["AKLO Sum"][:] = weighted_mean(P, slab.advice() if clip == "advice" else slab.S, total)
    return np.clip(outputs, -1.0, 1.0, out=outputs), drawn


def six_confidences(learner: np.ndarray, joint: np.ndarray, alpha: np.ndarray, O: np.ndarray) -> np.ndarray:
    """Return (6, n), the values whose signs are the predictions, methods in the order of METHODS.

    learner, joint: (n,), scores of ITOL's and TOL's w_t; alpha: (n,), 0 if there are no experts; O: that of the
    methods in KNOWING, (len(KNOWING), n).
    """
    return np.concatenate([np.clip([learner, joint], -1.0, 1.0), mixture(learner, alpha, O)])


def mixture(learner: np.ndarray, alpha: np.ndarray, O: np.ndarray) -> np.ndarray:
    """Return (1 - alpha_t) clip(<w_t, x_t>) + alpha_t O_t, (m, ...), for the scores `learner` (...) and O (m, ...)."""
    return alpha * O + (1.0 - alpha) * np.clip(learner, -1.0, 1.0)


def wrong(values: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return (..., n), True where the sign of `values` (..., n) differs from y (n,); sign(0) = +1."""
    return (values >= 0) != (y > 0)


def rule_pools(
    rules: Sequence[Rule],
    slab: Slab,
    *,
    y: np.ndarray,
    learner: np.ndarray,
    joint: np.ndarray,
    alpha: np.ndarray,
    space: Workspace | None = None,
) -> Iterator[tuple[Rule, Pool]]:
    """Yield each rule with the pool that it is to be asked about, on the tasks of a slab.

    Parameters
    ----------
    slab, space
        As in `Pool`; the memory is used again for the next slab.
    y, learner, joint
        (N, G), labels, and scores of ITOL's and TOL's w_t.
    alpha
        (N, 1), the schedule, for rules that do not set their own alpha.
    """
    pools: dict[bool, Pool] = {}  # rules with the same members share a pool, and what was computed in it
    for rule in rules:
        if rule.joint not in pools:
            scores = np.stack([learner, joint], axis=-1) if rule.joint else learner[:, :, None]
            pools[rule.joint] = Pool(slab, y, np.clip(scores, -1.0, 1.0), space)
        pool = pools[rule.joint]
        pool.alpha = None if rule.sets_alpha else alpha
        yield rule, pool


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
    if horizon == "unknown" and alpha.needs_horizon:
        free = ", ".join(kind.__name__ for kind in SCHEDULES.values() if not kind.needs_horizon)
        raise ValueError(
            f"{type(alpha).__name__} needs to know the number of examples N, which an unknown horizon does not give: "
            f"use {free}."
        )
