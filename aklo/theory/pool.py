"""The bound of One pool, which holds for every N, lambda and data, without a schedule or anything to tune.

With a_t(i) the clipped advice of member i, e_t(i) = (a_t(i) - y_t)^2 and the prior pi, for every member i

    mistakes <= sum_t e_t(i) + 2 ln(1/pi_i).

Proof:

1. q_t(+1) + q_t(-1) = 2 e^(-1/2) sum_i p_t(i) e^(-a_t(i)^2 / 2) cosh a_t(i), because (a - y)^2 = a^2 - 2 a y + 1.
2. cosh a <= e^(a^2 / 2), so this is at most 2 e^(-1/2).
3. At a mistake q_t(y_t) is the smaller of the two, or they are equal: q_t(y_t) <= e^(-1/2). Always q_t(y_t) <= 1.
4. The update multiplies up: the product over t of q_t(y_t) is sum_i pi_i exp(-L(i) / 2), L(i) being the sum of e_t(i).
5. So pi_i exp(-L(i) / 2) <= e^(-mistakes / 2) for every i; the logarithm is the bound.

This is the argument of the aggregating algorithm (Vovk, 1990). The learner is a member with the prior 1/2, so One pool
makes at most 2 ln 2 = 1.4 mistakes more than its squared loss, however useless the experts are; the price of an expert
is 2 ln(2T).
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from aklo.replay import Replay, replay_task
from aklo.rules import rules_of
from aklo.theory.bounds import Bound

MEMBER = "best member's loss"
PRICE = "price of finding it"


def pool_bound(replay: Replay, *, method: str = "One pool") -> Bound:
    """Compute the bound of One pool on a task, for the member that makes it the least.

    Parameters
    ----------
    replay
        A task, with or without experts.
    method
        "One pool", or "One pool with TOL", which has TOL's learner as a member too.

    Returns
    -------
    A bound with one column for the member's loss and one for its price. `numbers` has the member, counted from 0 with
    the learner first, and its prior.

    >>> from aklo.replay import play
    >>> bound = pool_bound(play([[1.0], [1.0]], [1, 1], experts=[[1.0]], lam=1.0))
    >>> round(bound.total, 2), int(bound.mistakes[-1]), bound.applies
    (1.39, 0, True)
    """
    if method not in ("One pool", "One pool with TOL"):
        raise ValueError(f"The bound is about One pool, and {method!r} was asked for.")
    [rule] = rules_of([method])
    learners = [replay.own.score, replay.joint.score] if rule.joint else [replay.own.score]
    advice = np.column_stack([*(np.clip(score, -1.0, 1.0) for score in learners), replay.advice])
    T = len(replay.experts)
    prior = np.array([0.5 / len(learners)] * len(learners) + [0.5 / T] * T) if T else np.ones(1)
    advice = advice[:, : len(prior)]  # without experts the learner predicts alone
    losses = np.cumsum((advice - replay.y[:, None]) ** 2, axis=0)
    price = 2 * np.log(1 / prior)
    best = int((losses[-1] + price).argmin())
    terms = pd.DataFrame(
        {MEMBER: losses[:, best], PRICE: np.full(len(replay), price[best])},
        index=pd.RangeIndex(1, len(replay) + 1, name="t"),
    )
    errors = replay.errors[method] if method in replay.errors else _errors(replay, method)
    return Bound(method, method, terms, {}, np.cumsum(errors), {"member": best, "prior": float(prior[best])})


def _errors(replay: Replay, method: str) -> np.ndarray:
    """Return (N,), the errors of a rule that was not asked for in a replay."""
    again = replay_task(
        replay.X,
        replay.y,
        replay.experts,
        lam=replay.lam,
        alpha=replay.schedule,
        clip=replay.clip,
        horizon=replay.horizon,
        u=np.zeros((2, len(replay))),
        own=replay.own,
        joint=replay.joint,
        before=replay.before,
        methods=[method],
    )
    return again.errors[method]
