"""Counterexamples to the bounds of `bounds`.

Random data does not violate the stated bounds; these tasks were constructed to. Each case has the task, its experts and
settings, and an explanation of the step of the argument that fails.

>>> case = CASES["The last stretch"]()
>>> case.bound().broken, case.bound().applies
(True, True)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from aklo.knowledge import Clip, Horizon
from aklo.replay import Replay, play
from aklo.schedules import Constant, Linear, Power, Ramp, Schedule, Step
from aklo.theory.bounds import Bound, corollary1, largest_norm, least_K, stated_lambda, theorem1, theorem2


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
    gamma
        Parameter of Corollary 1.
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
    clip: Clip = "advice"
    horizon: Horizon = "known"
    gamma: float | None = None

    def replay(self) -> Replay:
        """Run the six methods on the task."""
        return play(
            self.X, self.y, experts=self.experts, lam=self.lam, alpha=self.alpha, clip=self.clip, horizon=self.horizon
        )

    def bound(self, replay: Replay | None = None) -> Bound:
        """Compute the bound of the statement, on `replay` or a new one."""
        replay = self.replay() if replay is None else replay
        if self.gamma is not None:
            return corollary1(replay, R=self.R, X=self.X_max, gamma=self.gamma)
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
        unseen="Experts that were learnt on like data have like norms; nobody shouts.",
    )  # fmt: skip


def last_stretch() -> Case:
    """Return a case that meets all conditions: alpha drops to 0 when the labelling has just changed."""
    X = np.array([[0.0, 0.0]] * 3 + [[2.0, 0.0]] * 203 + [[1.0, np.sqrt(3.0)]] * 14)
    y = np.array([1.0] * 206 + [-1.0] * 14)
    return Case(
        "The last stretch", "Theorem 1",
        X=X, y=y, experts=np.array([[1.0, 0.0]]), lam=stated_lambda(len(y), X=2.0, R=1.0), alpha=Step(at=206),
        R=1.0, X_max=2.0,
        data="One expert, (1, 0). Three examples at the origin, 203 at (2, 0), both labelled +1, then 14 at (1, √3), "
        "labelled −1. α is 1 until these come, then 0. One classifier within R = 1, (½, −√3/2), fits all but the "
        "origin.",
        breaks="The learner's regret is small over the whole task, and the argument weighs each step of it by 1 − α. "
        "But 1 − α grows: it picks out the last stretch, and a bound on the whole says nothing about a stretch. Here "
        "the learner has grown used to the old examples while nobody asked it, and needs 14 mistakes to turn round.",
        unseen="In random tasks the examples of the end are like those of the beginning, so that the last stretch "
        "costs the learner less than the first, not more.",
    )  # fmt: skip


def out_of_the_ball() -> Case:
    """Return a case in which the learner leaves the ball of radius R before alpha drops to 0."""
    X = np.array([-0.5] * 210 + [0.5] * 790)[:, None]
    y = np.array([-1.0] * 700 + [1.0] * 300)
    return Case(
        "Out of the ball", "Theorem 1",
        X=X, y=y, experts=np.zeros((2, 1)), lam=stated_lambda(1000, X=0.5, R=2.0), alpha=Step(at=700),
        R=2.0, X_max=0.5,
        data="Two experts that always say 0. 210 examples at −½ and 490 at ½ are labelled −1, then 300 at ½ are "
        "labelled +1. α is 1 for 700 steps, then 0. The best classifier in the ball is w = 2.",
        breaks="Besides the last stretch: nothing keeps the learner within R. Its steps do not project, and it has "
        "left the ball when it is asked; the regret that the argument quotes is that of a learner inside.",
        unseen="It takes 490 examples that all pull one way, and then a turn exactly when α falls.",
    )  # fmt: skip


def half_a_mistake() -> Case:
    """Return a case with the paper's alpha and two examples, in which a mistake costs less than 1."""
    X = np.array([[10.0, 14.0], [10.0, -16.0]])
    norm = largest_norm(X)
    return Case(
        "A mistake for 0.92", "Theorem 1",
        X=X, y=np.ones(2), experts=np.array([[0.086, 0.01]]), lam=stated_lambda(2, X=norm, R=0.1), alpha=Linear(),
        R=0.1, X_max=norm,
        data="The paper's own α, 1 then ½; one expert, (0.086, 0.01); two examples, (10, 14) and (10, −16), both "
        "labelled +1. The classifier (0.1, 0) fits both. With one example nothing can break, so two is the least. "
        "With one expert nothing is drawn either: Corollary 2 falls with it, for δ of 0.9994 or more.",
        breaks="The argument charges every mistake at least 1: α e + (1 − α) l ≥ 1. But e is a squared loss. "
        "Knowledge says 0.70, the learner −0.71, and their mean is just below 0: a mistake. It costs ½ · 0.3² + ½ · "
        "1.71 = 0.90. With |a − y| in the place of its square it would cost 1.005.",
        unseen="It takes a near tie: an expert almost sure of the truth and a learner just as sure of the opposite. "
        "In random tasks the other terms are much larger than what is missing.",
    )  # fmt: skip


def nothing_promised() -> Case:
    """Return a case with N = 1, for which the stated factor log N of the doubling trick is 0."""
    return Case(
        "Nothing for the first", "Theorem 2",
        X=np.ones((1, 1)), y=-np.ones(1), experts=np.array([[1.0], [-1.0]]), lam=2.0, alpha=Power(0.5),
        R=1.0, X_max=1.0, horizon="unknown",
        data="One example, x = 1, labelled −1, and two experts, w = 1 and w = −1. N is unknown.",
        breaks="The price of finding the expert is multiplied by log N, which counts the doubling periods. There is "
        "always at least one, but log 1 = 0. So no mistake is allowed, though nobody can know which of the two "
        "experts is right, and a tie is read as +1.",
        unseen="From two examples on the price is above 0, and soon far above what is needed.",
    )  # fmt: skip


def cheap_knowledge(N: int = 100) -> Case:
    """Return a case for Corollary 1 with small alpha, in which the learner's losses are not covered."""
    R, gamma, X = 0.001, 0.5, 1.0
    K = least_K(2, X=X, R=R, gamma=gamma, zeta=float(N))
    return Case(
        "Cheap knowledge", "Corollary 1",
        X=np.zeros((N, 1)), y=-np.ones(N), experts=np.zeros((2, 1)), lam=stated_lambda(N, X=X, R=R),
        alpha=Ramp(end=K / (1 + K), steps=1), R=R, X_max=X, gamma=gamma,
        data=f"{N} examples at x = 0, labelled −1, two experts that say 0, γ = ½, X = 1, R = 0.001. α is 1 once, then "
        f"K/(1 + K) = {K / (1 + K):.3f}, the least that the corollary allows. Everyone says 0, which is read as +1.",
        breaks="The corollary wants (1 − α) times the learner's part to be at most γ α times the experts'. Summed "
        "over the task, K makes up for the learner's loss at one step, not for its loss at all N steps: K shrinks as "
        "the experts' total loss ζ grows with N, so that with a long, hard task α may be almost 0 while everybody "
        "errs.",
        unseen="The corollary's condition asks for a high α to the very end; common schedules do not meet it.",
    )  # fmt: skip


CASES: dict[str, Callable[[], Case]] = {
    "A loud liar": clip_after_sum,
    "The last stretch": last_stretch,
    "Out of the ball": out_of_the_ball,
    "A mistake for 0.92": half_a_mistake,
    "Nothing for the first": nothing_promised,
    "Cheap knowledge": cheap_knowledge,
}
