"""Counterexamples to the bounds of `bounds`.

Random data does not violate the stated bounds; these tasks were constructed to. Each case has the task, its experts and
settings, an explanation of the step of the argument that fails, and the readings of the paper (`readings`) that it does
not survive. All others were tried: the statement is broken under each of them.

>>> case = CASES["The last stretch"]()
>>> case.bound().broken, case.bound().applies
(True, True)
>>> case.mistakes(Reading(zero=-1)), case.survives("sign(0) is −1")
(62.0, True)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from aklo.knowledge import Clip, Horizon
from aklo.replay import Replay, play
from aklo.schedules import Constant, Linear, Power, Ramp, Schedule, Step
from aklo.theory.bounds import Bound, corollary1, corollary2, largest_norm, least_K, stated_lambda, theorem1, theorem2
from aklo.theory.readings import READINGS, Reading, count_mistakes


@dataclass(frozen=True, eq=False)
class Case:
    """A counterexample.

    Parameters
    ----------
    title
        Name to display.
    statement
        The statement that it violates, such as "Theorem 1".
    X, y, experts
        (N, d), (N,) and (T, d).
    lam, alpha, clip, horizon
        Settings of the methods.
    R, X_max
        The statement's R, and its bound X on the norms.
    data
        Description of the task.
    breaks
        The step of the argument that fails.
    unseen
        Why random data does not show it.
    gamma, delta
        Parameters of Corollary 1 and of Corollary 2.
    fails
        The readings under which the statement is not broken, from `READINGS`; the case survives all others.
    """

    title: str
    statement: str
    X: np.ndarray
    y: np.ndarray
    experts: np.ndarray
    lam: float
    alpha: Schedule
    R: float
    X_max: float
    data: str
    breaks: str
    unseen: str
    clip: Clip = "sum"
    horizon: Horizon = "known"
    gamma: float | None = None
    delta: float | None = None
    fails: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        unknown = set(self.fails) - set(READINGS)
        if unknown:
            raise ValueError(f"{', '.join(sorted(unknown))} is not a reading: choose from {'; '.join(READINGS)}.")

    def survives(self, reading: str) -> bool:
        """Return whether the statement is broken under a reading of `READINGS` as well."""
        return reading not in self.fails

    def replay(self, clip: Clip | None = None) -> Replay:
        """Run the methods on the task, with the case's clip or another one."""
        return play(
            self.X,
            self.y,
            experts=self.experts,
            lam=self.lam,
            alpha=self.alpha,
            clip=self.clip if clip is None else clip,
            horizon=self.horizon,
        )

    def mistakes(self, reading: Reading) -> float:
        """Return the mistakes of AKLO Sum under a reading; a tie may count one half."""
        return count_mistakes(self.replay(reading.clip), reading)

    def bound(self, replay: Replay | None = None) -> Bound:
        """Compute the bound of the statement, on `replay` or a new one."""
        replay = self.replay() if replay is None else replay
        if self.gamma is not None:
            return corollary1(replay, R=self.R, X=self.X_max, gamma=self.gamma)
        if self.delta is not None:
            return corollary2(replay, R=self.R, X=self.X_max, delta=self.delta)
        return (theorem2 if self.horizon == "unknown" else theorem1)(replay, R=self.R, X=self.X_max)


def clip_after_sum(B: float = 1e6, N: int = 100, clip: Clip = "sum") -> Case:
    """Return a case with a right expert and a wrong one of norm B, which dominates the sum of the raw scores.

    If the clip stands after the sum, predictions are wrong until the weight of the wrong expert is below 1/(B + 1).
    """
    y = np.where(np.arange(N) % 2 == 0, 1.0, -1.0)
    return Case(
        "A loud liar", "Theorem 1",
        X=np.column_stack([y, np.zeros(N)]), y=y, experts=np.array([[1.0, 0.0], [-B, 0.0]]),
        lam=stated_lambda(N, X=1.0, R=B), alpha=Constant(1.0), R=B, X_max=1.0, clip=clip,
        data="Two experts: (1, 0) is always right, (−B, 0) always wrong, and loud. Every example is x = (y, 0), and α "
        "is 1 throughout, so that the learner has no say.",
        breaks="The argument needs the loss of the average to be at most the average of the losses (Jensen's "
        "inequality). That holds if each expert's advice is cut to [−1, 1] before it is averaged. The printed rule "
        "averages the raw scores and cuts the sum: the liar then speaks with B times the voice, and is heard until "
        "its weight has sunk below 1/(B + 1).",
        unseen="Experts that were learnt on similar data have vectors of similar length: none drowns the others.",
        fails=("clip on each expert",),
    )  # fmt: skip


def last_stretch(N: int = 1000, m: int | None = None, origins: int | None = None, delta: float | None = None) -> Case:
    """Return a case that meets all conditions: alpha drops to 0 when the labelling has just changed.

    The difference between mistakes and bound grows like 0.03 N, so that no constant that is added mends the statement.

    Parameters
    ----------
    N
        Number of examples, at least 100.
    m
        Number of examples in the last stretch; by default 0.059 N, or fewer if the learner turns round before.
    origins
        Number of examples at the origin; by default 3, or as many as it takes to keep the learner's first step in the
        ball.
    delta
        If given, the statement is Corollary 2 with this delta instead of Theorem 1.
    """
    if N < 100:
        raise ValueError(f"N is {N}, where at least 100 examples are needed.")
    s = np.sqrt((np.log(N) + 1) / N)
    norm = float(np.sqrt(s / 0.11))
    if m is None:
        # It turns round after lambda (N - m) / (2 X^2) = share (N - m) steps.
        share = 0.055 * (1 + norm**2 / 2)
        m = min(round(0.059 * N), int(share / (1 + share) * N) - 1)
    if origins is None:
        origins = max(3, int(np.ceil(1 / (s * (norm + 2 / norm) / norm))) - 1)
    turn = norm * np.array([0.5, np.sqrt(3.0) / 2])
    X = np.array([[0.0, 0.0]] * origins + [[norm, 0.0]] * (N - m - origins) + [turn.tolist()] * m)
    y = np.array([1.0] * (N - m) + [-1.0] * m)
    R = 2 / norm
    return Case(
        "The last stretch" if delta is None else "The last stretch, drawn",
        "Theorem 1" if delta is None else "Corollary 2",
        X=X, y=y, experts=np.array([[1 / norm, 0.0]]), lam=stated_lambda(N, X=norm, R=R), alpha=Step(at=N - m),
        R=R, X_max=norm, delta=delta,
        data=f"One expert, (1/X, 0), with X = {norm:.3f} and R = 2/X. {origins} examples at the origin and "
        f"{N - m - origins} at (X, 0), all labelled +1, then {m} at X (½, √3/2), labelled −1. α is 1 until these come, "
        "then 0. One classifier within R, (1, −√3)/X, fits all but the origin."
        + ("" if delta is None else f" There is one expert, so nothing is left to chance; δ = {delta:g}."),
        breaks="The learner's regret is small over the whole task, and the argument weighs each step of it by 1 − α. "
        "But 1 − α grows: it picks out the last stretch, and a bound on the whole says nothing about a stretch. Here "
        f"the learner has grown used to the old examples while nobody asked it, and makes {m} mistakes before it has "
        "turned round.",
        unseen="In random tasks the examples of the end are like those of the beginning, so that the last stretch "
        "costs the learner less than the first, not more.",
        fails=() if delta is None else ("logarithms to base 2",),
    )  # fmt: skip


def last_stretch_drawn() -> Case:
    """Return the last stretch for Corollary 2, long enough to exceed the term for chance as well."""
    return last_stretch(30_000, m=1690, origins=4, delta=0.05)


def half_a_mistake() -> Case:
    """Return a case with the paper's alpha and two examples, in which a mistake costs less than 1."""
    X = np.array([[10.0, 14.0], [10.0, -16.0]])
    norm = largest_norm(X)
    return Case(
        "A mistake for 0.92", "Theorem 1",
        X=X, y=np.ones(2), experts=np.array([[0.086, 0.01]]), lam=stated_lambda(2, X=norm, R=0.1), alpha=Linear(),
        R=0.1, X_max=norm,
        data="The paper's own α, 1 then ½; one expert, (0.086, 0.01); two examples, (10, 14) and (10, −16), both "
        "labelled +1. The classifier (0.1, 0) fits both.",
        breaks="The argument charges every mistake at least 1: α e + (1 − α) l ≥ 1. But e is a squared loss. "
        "Knowledge says 0.70, the learner −0.71, and their mean is just below 0: a mistake. It costs ½ · 0.3² + ½ · "
        "1.71 = 0.90. With |a − y| in the place of its square it would cost 1.005.",
        unseen="It takes a near tie: an expert almost sure of the truth and a learner just as sure of the opposite. "
        "In random tasks the other terms are much larger than what is missing.",
        fails=("logarithms to base 2",),
    )  # fmt: skip


def half_a_mistake_unknown() -> Case:
    """Return the same for Theorem 2: two examples, N unknown, and a mistake that costs less than 1."""
    X = np.array([[10.0, 16.0], [10.0, -17.0]])
    norm = largest_norm(X)
    return Case(
        "A mistake for 0.89", "Theorem 2",
        X=X, y=np.ones(2), experts=np.array([[0.068, 0.02]]), lam=(norm + 0.1) / 0.1, alpha=Power(0.5), R=0.1,
        X_max=norm, horizon="unknown",
        data="N is unknown, α is 1, then 0.71; one expert, (0.068, 0.02); two examples, (10, 16) and (10, −17), both "
        "labelled +1. The classifier (0.1, 0) fits both.",
        breaks="As in the case before: a mistake is charged α e + (1 − α) l, which is less than 1 because e is a "
        "squared loss. With one expert there is nothing to find, and Theorem 2's other prices are too small to make up "
        "for it.",
        unseen="It takes a near tie between knowledge and learner. In random tasks the other terms are much larger "
        "than what is missing.",
    )  # fmt: skip


def two_against_one() -> Case:
    """Return a case with N = 1, for which the stated factor log N of the doubling trick is 0."""
    return Case(
        "Two against one", "Theorem 2",
        X=np.ones((1, 1)), y=-np.ones(1), experts=np.array([[1.0], [1.0], [-1.0]]), lam=2.0, alpha=Power(0.5),
        R=1.0, X_max=1.0, horizon="unknown",
        data="One example, x = 1, labelled −1, and three experts: two are w = 1, one is w = −1. N is unknown.",
        breaks="The price of finding the expert is multiplied by log N, which counts the doubling periods. There is "
        "always at least one, but log 1 = 0. So no mistake is allowed, because one of the experts is right, though "
        "nobody can know which.",
        unseen="From two examples on the price is above 0, and soon far above what is needed.",
        fails=("losses up to t",),
    )  # fmt: skip


def faint_experts(N: int = 100) -> Case:
    """Return a case for Corollary 1 with small alpha, in which the learner's losses are not covered."""
    R, gamma, X_max = 0.001, 0.5, 1.0
    X, y = np.full((N, 1), 0.2), np.where(np.arange(N) % 2 == 0, -1.0, 1.0)
    experts = np.array([[0.001], [0.0005]])
    zeta = float(((X @ experts.T - y[:, None]) ** 2).sum(axis=0).min())
    K = least_K(2, X=X_max, R=R, gamma=gamma, zeta=zeta)
    return Case(
        "Faint experts", "Corollary 1",
        X=X, y=y, experts=experts, lam=stated_lambda(N, X=X_max, R=R), alpha=Ramp(end=K / (1 + K), steps=1), R=R,
        X_max=X_max, gamma=gamma,
        data=f"{N} examples at x = 0.2, labelled −1, +1, −1 and so on; two experts, 0.001 and 0.0005; γ = ½, X = 1, "
        f"R = 0.001. α is 1 once, then K/(1 + K) = {K / (1 + K):.3f}, the least that the corollary allows.",
        breaks="The corollary wants (1 − α) times the learner's part to be at most γ α times the experts'. Summed "
        "over the task, K makes up for the learner's loss at one step, not for its loss at all N steps: K shrinks as "
        "the experts' total loss ζ grows with N, so that with a long, hard task α may be almost 0 while everybody "
        "errs.",
        unseen="The corollary's condition asks for a high α to the very end; common schedules do not meet it.",
    )  # fmt: skip


CASES: dict[str, Callable[[], Case]] = {
    "A loud liar": clip_after_sum,
    "The last stretch": last_stretch,
    "A mistake for 0.92": half_a_mistake,
    "A mistake for 0.89": half_a_mistake_unknown,
    "Two against one": two_against_one,
    "Faint experts": faint_experts,
    "The last stretch, drawn": last_stretch_drawn,
}
