"""Mix many times: the errors of the methods for one schedule, from what was learned once (`aklo.learned`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from aklo import knowledge
from aklo.knowledge import Clip, Horizon
from aklo.learned import LearnedStream, draws, learn
from aklo.methods import (
    KNOWING,
    METHODS,
    SAMPLING,
    check_mixing,
    expected_wrong,
    index_of,
    knowledge_outputs,
    mixture,
    rule_pools,
)
from aklo.methods import wrong as is_wrong
from aklo.replay import Replay
from aklo.rules import checked_methods, rules_of
from aklo.schedules import Linear, Schedule, as_schedule
from aklo.tasks import TaskStream, check_seed
from aklo.wording import sizes


@dataclass(frozen=True)
class Reading:
    """One reading of the paper: the schedule, and the clip (after the sum, or on each expert)."""

    alpha: Schedule
    clip: Clip


# The paper's equations and its table do not agree; each reading fits one of them.
READINGS = {
    "as printed": Reading(Linear(), "sum"),
    "as tabulated": Reading(Linear(end=0.5), "advice"),
}


def mix(
    learned: LearnedStream,
    *,
    alpha: Schedule | str | None = None,
    clip: Clip = "sum",
    horizon: Horizon = "known",
    seed: int = 0,
    methods: Sequence[str] = METHODS,
) -> Run:
    """Compute the errors of the methods on a learned stream for one schedule.

    Parameters
    ----------
    learned
        The result of `learn`.
    alpha
        A schedule, or its text such as "linear:end=0.5"; Linear() by default.
    clip
        "sum": clip the weighted sum of scores, as the paper prints it; "advice": clip each expert's score.
    horizon
        "known", or "unknown" for the doubling trick.
    seed
        Seed of the sampling methods' draws.
    methods
        Names of methods, from `aklo.RULES`; the paper's six by default. What a method predicts does not depend on which
        others are asked for.

    >>> from aklo import METHODS, syn1
    >>> both = mix(learn(syn1(n_tasks=3, n_examples=20), lam=1e-3), methods=(*METHODS, "One pool"))
    >>> len(both.ace), both.wrong.shape
    (7, (7, 60))
    """
    return mix_together(learned, alpha=alpha, clip=clip, horizon=horizon, seeds=[seed], methods=methods)


def mix_together(
    learned: LearnedStream,
    *,
    alpha: Schedule | str | None = None,
    clip: Clip = "sum",
    horizon: Horizon = "known",
    seeds: Sequence[int],
    methods: Sequence[str] = METHODS,
) -> Run:
    """Run `mix` on several streams learned together, with one seed for each; the run's arrays hold all of them."""
    alpha = as_schedule(alpha)
    check_mixing(alpha, clip, horizon)
    names = checked_methods(methods)
    for seed in seeds:
        check_seed(seed)
    u = np.concatenate(
        [draws(seed, len(stream.y)) for seed, stream in zip(seeds, learned.streams, strict=True)], axis=1
    )
    wrong = _errors(learned, alpha, clip, horizon, u, names)
    return Run(learned, alpha, clip, horizon, u, wrong, names)


def _errors(
    learned: LearnedStream, alpha: Schedule, clip: Clip, horizon: Horizon, u: np.ndarray, names: tuple[str, ...]
) -> np.ndarray:
    """Return (m, n), True where the prediction of a method is wrong; u: (2, n), for the draws."""
    alphas = {n: alpha.values(n) for n in set(learned.lengths.tolist())}
    totals = {n: knowledge.alpha_total(values, horizon) for n, values in alphas.items()}
    # In a first task, without experts, the learner predicts alone: everybody is wrong where ITOL is.
    six = np.empty((len(METHODS), len(learned.y)), dtype=bool)
    six[:2] = learned.baseline_errors
    six[2:] = learned.baseline_errors[0]
    rules = [rule for rule in rules_of(names) if rule not in learned.rule_errors]
    by_rule = {rule: learned.baseline_errors[0].copy() for rule in rules}
    knowing = any(name in KNOWING for name in names)
    space = learned.workspace()
    for slab in learned.slabs() if knowing or rules else ():
        values, y, score = alphas[len(slab.S)], slab.pick(learned.y), slab.pick(learned.score)
        if knowing:
            eps = knowledge.epsilon(totals[len(slab.S)], slab.n_experts)
            O, _ = knowledge_outputs(slab, eps, clip, horizon, slab.pick(u), space.array("P", slab.S.shape))
            slab.put(six[2:], is_wrong(mixture(score, values[:, None], O), y))
        if rules:
            joint = slab.pick(learned.joint_score)
            pools = rule_pools(rules, slab, y=y, learner=score, joint=joint, alpha=values[:, None], space=space)
            for rule, pool in pools:
                slab.put(by_rule[rule], rule.mistakes(pool))
    learned.rule_errors.update({rule: found for rule, found in by_rule.items() if rule.sets_alpha})
    if names == METHODS:
        return six
    rows = dict(zip(METHODS, six, strict=True))
    rows |= {rule.name: found for rule, found in (learned.rule_errors | by_rule).items()}
    return np.stack([rows[name] for name in names])


def run(
    stream: TaskStream,
    *,
    lam: float,
    alpha: Schedule | str | None = None,
    clip: Clip = "sum",
    horizon: Horizon = "known",
    seed: int = 0,
    methods: Sequence[str] = METHODS,
) -> Run:
    """Run `learn` and `mix`; the parameters are theirs."""
    alpha = as_schedule(alpha)
    check_mixing(alpha, clip, horizon)  # before the work of learning
    names = checked_methods(methods)
    return mix(learn(stream, lam=lam), alpha=alpha, clip=clip, horizon=horizon, seed=seed, methods=names)


@dataclass(frozen=True, eq=False)
class Run:
    """The errors of the methods on a learned stream.

    Parameters
    ----------
    learned, alpha, clip, horizon, methods
        The arguments of `mix`.
    u
        (2, n), the uniform numbers for the draws.
    wrong
        (m, n), True where a prediction is wrong; a row for each of the methods.
    """

    learned: LearnedStream
    alpha: Schedule
    clip: Clip
    horizon: Horizon
    u: np.ndarray
    wrong: np.ndarray
    methods: tuple[str, ...] = METHODS

    def __repr__(self) -> str:
        aces = ", ".join(f"{name} {100 * ace:.1f} %" for name, ace in self.ace.items())
        alpha = f"alpha={self.alpha.spec!r}, clip={self.clip!r}, horizon={self.horizon!r}"
        return f"<Run: {sizes(self.learned.lengths)}, lam={self.learned.lam:g}, {alpha}; ACE: {aces}>"

    @cached_property
    def predictions(self) -> dict[str, list[np.ndarray]]:
        """Method -> for each task (N,), the predictions, -1 or +1.

        >>> from aklo import syn1
        >>> first, second = run(syn1(n_tasks=2, n_examples=3), lam=1e-3).predictions["ITOL"]
        >>> first.tolist()
        [1.0, -1.0, 1.0]
        """
        said = np.where(self.wrong, -self.learned.y, self.learned.y)
        return {name: self._by_task(row) for name, row in zip(self.methods, said, strict=True)}

    @cached_property
    def errors(self) -> dict[str, list[np.ndarray]]:
        """Method -> for each task (N,), True where the prediction is wrong."""
        return {name: self._by_task(row) for name, row in zip(self.methods, self.wrong, strict=True)}

    @cached_property
    def task_errors(self) -> np.ndarray:
        """(m, T), the share of wrong predictions in each task; a row for each of the methods."""
        counts = np.add.reduceat(self.wrong, self.learned.offsets[:-1], axis=1, dtype=np.intp)
        return counts / self.learned.lengths

    @property
    def ace(self) -> pd.Series:
        """Method -> average cumulative error: the mean over tasks of each task's share of wrong predictions."""
        return pd.Series(self.task_errors.mean(axis=1), index=index_of(self.methods), name="ACE")

    @cached_property
    def expected(self) -> dict[str, list[np.ndarray]]:
        """Sampling method -> for each task (N,), the exact probability of a mistake over the draw of the expert."""
        shares = np.tile(is_wrong(self.learned.score, self.learned.y).astype(float), (len(SAMPLING), 1))
        for slab in self.learned.slabs():
            alpha = self.alpha.values(len(slab.S))
            eps = knowledge.epsilon(knowledge.alpha_total(alpha, self.horizon), slab.n_experts)
            score, y = slab.pick(self.learned.score), slab.pick(self.learned.y)
            slab.put(shares, expected_wrong(slab, eps, self.horizon, score, alpha[:, None], y))
        return {name: self._by_task(row) for name, row in zip(SAMPLING, shares, strict=True)}

    def replay(self, task: int) -> Replay:
        """Return one task step by step; tasks count from 0, so task k has k experts, and -1 is the last one."""
        return self.learned.replay(
            task, alpha=self.alpha, clip=self.clip, horizon=self.horizon, u=self.u, methods=self.methods
        )

    def _by_task(self, row: np.ndarray) -> list[np.ndarray]:
        return np.split(row, self.learned.offsets[1:-1])
