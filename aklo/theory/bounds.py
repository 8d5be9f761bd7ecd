"""The paper's bounds on the number of mistakes, term by term along a task.

All are about one task of N examples with T >= 1 experts, ||x|| <= X and ||w|| <= R. S is the sum of alpha, w** the
expert with the least total squared loss e, and w* the classifier with ||w|| <= R and the least total hinge loss l. As
stated in the paper, the number of mistakes is at most

- Theorem 1:   sum alpha_t e_t(w**) + sum (1 - alpha_t) l_t(w*)
               + 4 sqrt(2 S log T) + R (X + R) sqrt((log N + 1)/N) sum (1 - alpha_t);
- Corollary 2: that plus sqrt(8 log(1/delta) sum alpha_t^2), with probability 1 - delta, for the sampling method;
- Theorem 2:   the same with 4 log(N) sqrt(2 S log T) + R (X + R) sum (1 - alpha_t) at the end, N being unknown;
- Corollary 1: (1 + gamma) (sum alpha_t e_t(w**) + 4 sqrt(2 S log T)), while alpha_t >= K/(1 + K).

They are computed here as stated, which does not mean that they hold: `counterexamples` has data that violates them,
`mended` a prediction rule with a bound that holds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import scipy.sparse as sp

from aklo.replay import Replay
from aklo.tasks import Features
from aklo.theory.hindsight import best_in_ball

STATEMENTS = ("Theorem 1", "Theorem 2", "Corollary 1", "Corollary 2")
# The terms, in the order in which they are stacked.
EXPERT = "best expert's loss"
CLASSIFIER = "best classifier's loss"
FINDING = "finding the expert"
LEARNING = "learning"
LUCK = "chance"

TILT = 1e-3  # by how much less an example with 1 - alpha = 1 counts in the search for the dearest classifier
TIED = 1e-8  # difference of two total losses, for each example, up to which they count as the same

_ROUNDING = 1e-9  # difference up to which the mistakes do not exceed a bound


@dataclass(frozen=True, eq=False)
class Bound:
    """A bound on the mistakes of one method in one task.

    Parameters
    ----------
    name
        The statement, such as "Theorem 1".
    method
        The method that it is about.
    terms
        One column for each term; row t holds the sums up to example t, the last row the bound for the whole task.
    conditions
        Condition of the statement -> whether it is met.
    mistakes
        (N,), mistakes of the method up to example t.
    numbers
        Other quantities of the statement, such as K and t0.
    """

    name: str
    method: str
    terms: pd.DataFrame
    conditions: dict[str, bool]
    mistakes: np.ndarray
    numbers: dict[str, float] = field(default_factory=dict)

    def __repr__(self) -> str:
        parts = " + ".join(f"{name} {value:.3g}" for name, value in self.terms.iloc[-1].items())
        failed = ", ".join(name for name, met in self.conditions.items() if not met)
        unmet = f"; not met: {failed}" if failed else ""
        mistakes = f"{self.mistakes[-1]:g} of {len(self.terms)} by {self.method}"
        return f"<{self.name}: {self.total:.3g} = {parts}; mistakes: {mistakes}{unmet}>"

    @property
    def total(self) -> float:
        """The bound for the whole task; NaN if the best classifier could not be found accurately, see `computed`."""
        return float(self.terms.iloc[-1].sum(skipna=False))

    @property
    def computed(self) -> bool:
        """Whether the total is a number: if not, the duality gap of the best classifier is above a millionth of N."""
        return bool(np.isfinite(self.total))

    @property
    def vacuous(self) -> bool:
        """Whether the bound is at least N, the largest possible number of mistakes."""
        return self.total >= len(self.terms)

    @property
    def applies(self) -> bool:
        """Whether all conditions are met."""
        return all(self.conditions.values())

    @property
    def broken(self) -> bool:
        """Whether the number of mistakes exceeds the bound."""
        return self.exceeded_by(self.mistakes[-1])

    def exceeded_by(self, mistakes: float) -> bool:
        """Return whether a number of mistakes, such as that under another reading, exceeds the bound."""
        return bool(mistakes > self.total + _ROUNDING)


def theorem1(replay: Replay, *, R: float, X: float | None = None) -> Bound:
    """Compute the bound of Theorem 1, for AKLO Sum and a known N.

    Parameters
    ----------
    replay
        A task with at least one expert.
    R
        Radius of the ball that contains the classifiers.
    X
        Bound on the norm of the examples; the largest norm of the data by default.

    >>> from aklo.replay import play
    >>> bound = theorem1(play([[1.0], [1.0]], [1, 1], experts=[[1.0]], lam=1.0), R=1.0)
    >>> round(bound.total, 3), bound.conditions["alpha starts at 1"], bound.vacuous
    (0.92, True, False)
    """
    X = largest_norm(replay.X) if X is None else X
    N = len(replay)
    terms = _comparator_losses(replay, R)
    terms[FINDING] = _finding_term(replay)
    terms[LEARNING] = R * (X + R) * np.sqrt((np.log(N) + 1) / N) * np.cumsum(1 - replay.alpha)
    lam = stated_lambda(N, X=X, R=R)
    return _bound("Theorem 1", "AKLO Sum", replay, terms, R, X, lam, "known")


def corollary2(replay: Replay, *, R: float, delta: float, X: float | None = None) -> Bound:
    """Compute the bound of Corollary 2, for AKLO Sample: Theorem 1 plus a term for the sampling.

    It is stated to hold with probability 1 - delta.
    """
    if not 0 < delta < 1:
        raise ValueError(f"delta is {delta:g}, where a number between 0 and 1 is needed.")
    first = theorem1(replay, R=R, X=X)
    luck = np.sqrt(8 * np.log(1 / delta) * np.cumsum(replay.alpha**2))
    return Bound(
        "Corollary 2",
        "AKLO Sample",
        first.terms.assign(**{LUCK: luck}),
        first.conditions,
        np.cumsum(replay.errors["AKLO Sample"]),
        {**first.numbers, "delta": delta},
    )


def theorem2(replay: Replay, *, R: float, X: float | None = None) -> Bound:
    """Compute the bound of Theorem 2, for AKLO Sum with the doubling trick.

    The last row is the statement. Row t has its terms summed up to t, with log t in the place of log N, but with the
    best expert and the best classifier of the whole task: it is not the bound of a task that ends there.
    """
    X = largest_norm(replay.X) if X is None else X
    terms = _comparator_losses(replay, R)
    terms[FINDING] = np.log(np.arange(1, len(replay) + 1)) * _finding_term(replay)
    terms[LEARNING] = R * (X + R) * np.cumsum(1 - replay.alpha)
    return _bound("Theorem 2", "AKLO Sum", replay, terms, R, X, (X + R) / R, "unknown")


def corollary1(replay: Replay, *, R: float, gamma: float, X: float | None = None) -> Bound:
    """Compute the bound of Corollary 1, in which the learner's terms are at most a share gamma of the experts'.

    K is the least that the corollary allows; t0 is the last t with alpha_t >= K/(1 + K), or 0.
    """
    if not 0 < gamma < 1:
        raise ValueError(f"gamma is {gamma:g}, where a number between 0 and 1 is needed.")
    X = largest_norm(replay.X) if X is None else X
    first = theorem1(replay, R=R, X=X)
    zeta = float(_squared_losses(replay).sum(axis=0).min())
    K = least_K(len(replay.experts), X=X, R=R, gamma=gamma, zeta=zeta)
    level = K / (1 + K) if np.isfinite(K) else 1.0
    t0 = int(np.count_nonzero(replay.alpha >= level - 1e-12))  # the first ones, because alpha does not rise
    conditions = {
        **first.conditions,
        "the best expert errs (zeta > 0)": zeta > 0,
        "alpha stays high to the end (N ≤ t0)": len(replay) <= t0,
    }
    terms = (1 + gamma) * first.terms[[EXPERT, FINDING]]
    numbers = {**first.numbers, "gamma": gamma, "zeta": zeta, "K": K, "K/(1+K)": level, "t0": t0}
    return Bound("Corollary 1", "AKLO Sum", terms, conditions, first.mistakes, numbers)


def stated_lambda(N: int, *, X: float, R: float) -> float:
    """Return the lambda of Theorem 1, (X + R)/R sqrt((log N + 1)/N).

    >>> round(stated_lambda(100, X=1.0, R=1.0), 3)
    0.474
    """
    return (X + R) / R * float(np.sqrt((np.log(N) + 1) / N))


def least_K(T: int, *, X: float, R: float, gamma: float, zeta: float) -> float:
    """Return the least K of Corollary 1, max((1 + X R)/(gamma zeta), R (X + R)/(4 gamma sqrt(2 log T))).

    It is infinite if T = 1 or zeta = 0.
    """
    if T == 1 or zeta == 0:
        return np.inf
    return max((1 + X * R) / (gamma * zeta), R * (X + R) / (4 * gamma * float(np.sqrt(2 * np.log(T)))))


def experts_half(replay: Replay) -> tuple[np.ndarray, float]:
    """Compute the regret of the weights p_t against each expert, and a bound on it that holds for a known N.

    The bound is 5/sqrt(2) sqrt(S log T) = 3.54 sqrt(S log T), better than the 5.66 sqrt(S log T) of the paper. Losses
    of range 4 give a regret of at most log T/eps + 2 eps n after any n steps; since alpha does not rise, summation by
    parts turns this into log T/eps + 2 eps S.

    Returns
    -------
    (T,), sum_t alpha_t (e_t(p_t) - e_t(i)) for each expert i, where e_t(p_t) is the weighted mean of the experts'
    losses; and the bound.
    """
    _check(replay)
    if replay.horizon == "unknown":
        raise ValueError("The horizon is unknown, and the bound on the weights' regret is for a known one only.")
    e = _squared_losses(replay)
    mean = np.vecdot(replay.weights, e)
    regret = replay.alpha @ (mean[:, None] - e)
    return regret, 5 / np.sqrt(2) * float(np.sqrt(replay.alpha.sum() * np.log(len(replay.experts))))


def largest_norm(X: Features) -> float:
    """Return the largest ||x_t|| of X (N, d), dense or sparse."""
    return float(np.sqrt(np.max(X.multiply(X).sum(axis=1) if sp.issparse(X) else np.vecdot(X, X))))


def _squared_losses(replay: Replay) -> np.ndarray:
    """Return (N, T), e_t(i)."""
    return (replay.advice - replay.y[:, None]) ** 2


def _comparator_losses(replay: Replay, R: float) -> pd.DataFrame:
    """Compute the first two terms: the losses of the best expert and of the best classifier, weighted by alpha."""
    _check(replay)
    e, alpha = _squared_losses(replay), replay.alpha
    totals = e.sum(axis=0)
    # Of several best ones the dearest, whose weighted loss is the largest: a bound that is called broken is so for all.
    tied = np.flatnonzero(totals <= totals.min() * (1 + 1e-12))
    best = int(tied[(alpha @ e[:, tied]).argmax()])
    hinge = _dearest_hinge_losses(replay, R)
    steps = pd.RangeIndex(1, len(replay) + 1, name="t")
    return pd.DataFrame(
        {EXPERT: np.cumsum(alpha * e[:, best]), CLASSIFIER: np.cumsum((1 - alpha) * hinge)}, index=steps
    )


def hinge_losses(replay: Replay, R: float, weights: np.ndarray | None = None) -> np.ndarray:
    """Return (N,), the losses of the best classifier in the ball; NaN if it could not be found accurately.

    weights: (N,), as in `best_in_ball`.
    """
    best = best_in_ball(replay.X, replay.y, R=R, weights=weights)
    return best.losses if best.accurate else np.full(len(replay), np.nan)


def _dearest_hinge_losses(replay: Replay, R: float) -> np.ndarray:
    """Return (N,), the losses of w*; of several with the least total that whose loss weighted by 1 - alpha is largest.

    Weights that are smaller by a little where 1 - alpha is large prefer the dearest of those that tie. Where there is
    no tie, what they find has a larger total than w*, and is not used.
    """
    hinge, share = hinge_losses(replay, R), 1 - replay.alpha
    if np.ptp(share) == 0:  # the weighted loss is a multiple of the total
        return hinge
    other = hinge_losses(replay, R, weights=1 - TILT * share)
    ties = other.sum() <= hinge.sum() + TIED * len(replay)
    return other if ties and share @ other > share @ hinge else hinge


def _finding_term(replay: Replay) -> np.ndarray:
    """Return (N,), 4 sqrt(2 S log T) with S the sum of alpha up to t."""
    return 4 * np.sqrt(2 * np.log(len(replay.experts)) * np.cumsum(replay.alpha))


def _bound(
    name: str, method: str, replay: Replay, terms: pd.DataFrame, R: float, X: float, lam: float, horizon: str
) -> Bound:
    """Create a bound with the conditions that all statements share. lam: the lambda of the statement."""
    conditions = {
        "alpha starts at 1": bool(replay.alpha[0] >= 1 - _ROUNDING),
        "lambda is as stated": bool(np.isclose(replay.lam, lam, rtol=1e-6, atol=0)),
        "no example is beyond X": largest_norm(replay.X) <= X * (1 + _ROUNDING),
        "the learner stays within R": largest_norm(replay.learner) <= R * (1 + _ROUNDING),
        "the experts are within R": largest_norm(replay.experts) <= R * (1 + _ROUNDING),
        f"N is {horizon}": replay.horizon == horizon,
    }
    return Bound(name, method, terms, conditions, np.cumsum(replay.errors[method]), {"R": R, "X": X, "lambda": lam})


def _check(replay: Replay) -> None:
    if not len(replay.experts):
        raise ValueError("The task has no experts, and the bounds compare with the best of them: take a later task.")
