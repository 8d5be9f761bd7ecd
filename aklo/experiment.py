"""Learn once, mix many times: `learn` computes what does not depend on alpha, `mix` the errors of the methods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from aklo import knowledge, learner
from aklo.knowledge import Clip, Horizon, Slab
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
from aklo.replay import Replay, replay_task
from aklo.rules import Rule, checked_methods, rules_of
from aklo.schedules import Linear, Schedule, as_schedule
from aklo.tasks import TaskStream, check_seed
from aklo.wording import count, sizes

BUDGET = 256 * 2**20  # bytes of scores and losses that a LearnedStream caches; larger ones are recomputed by every mix


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


@dataclass(frozen=True, eq=False)
class LearnedStream:
    """The result of `learn`: learners and experts of one or several streams, which do not depend on alpha.

    The arrays of the streams are concatenated: n examples and T tasks in all.

    Parameters
    ----------
    streams
        The streams that were learned.
    lam
        Lambda of the learners.
    score, added
        (n,), the trace of ITOL's learners.
    joint_score, joint_added
        (n,), the trace of TOL's learner.
    budget
        Bytes of scores and losses to cache.
    """

    streams: tuple[TaskStream, ...]
    lam: float
    score: np.ndarray
    added: np.ndarray
    joint_score: np.ndarray
    joint_added: np.ndarray
    budget: int = BUDGET

    def __repr__(self) -> str:
        streams = "" if len(self.streams) == 1 else f"{count(len(self.streams), 'stream')}, "
        return f"<LearnedStream: {streams}{sizes(self.lengths)}, lam={self.lam:g}>"

    @property
    def stream(self) -> TaskStream:
        """The first, and usually only, stream."""
        return self.streams[0]

    @cached_property
    def tasks(self) -> list[tuple[int, int]]:
        """The tasks as pairs (stream, task), in flat order; task k of a stream has k experts."""
        return [(r, k) for r, stream in enumerate(self.streams) for k in range(len(stream))]

    @cached_property
    def n_experts(self) -> np.ndarray:
        """(T,), number of experts of each task."""
        return np.concatenate([np.arange(len(stream)) for stream in self.streams])

    @cached_property
    def lengths(self) -> np.ndarray:
        """(T,), number of examples of each task."""
        return np.concatenate([stream.lengths for stream in self.streams])

    @cached_property
    def offsets(self) -> np.ndarray:
        """(T + 1,), index of the first example of each task, and n."""
        return np.concatenate([[0], np.cumsum(self.lengths)])

    @cached_property
    def y(self) -> np.ndarray:
        """(n,), the labels."""
        return _joined([stream.y for stream in self.streams])

    @cached_property
    def experts(self) -> tuple[np.ndarray, ...]:
        """For each stream (T, d), row k being the final learner w_{N+1} of task k."""
        return tuple(learner.final(s, added, self.lam) for s, added in zip(self.streams, self._added, strict=True))

    @property
    def _added(self) -> list[np.ndarray]:
        """`added` for each stream."""
        return np.split(self.added, np.cumsum([len(stream.y) for stream in self.streams])[:-1])

    @cached_property
    def baseline_errors(self) -> np.ndarray:
        """(2, n), True where ITOL and TOL are wrong."""
        return np.stack([is_wrong(score, self.y) for score in (self.score, self.joint_score)])

    @cached_property
    def rule_errors(self) -> dict[Rule, np.ndarray]:
        """Rule -> (n,), True where it is wrong: what `mix` has found for rules that set their own alpha.

        They depend on no setting of `mix`, so that they are computed once.
        """
        return {}

    @cached_property
    def _plan(self) -> list[np.ndarray]:
        return knowledge.group_tasks(self.lengths, self.n_experts)

    @cached_property
    def _sizes(self) -> list[int]:
        """Size of one array of each slab."""
        return [len(g) * int(self.lengths[g[0]]) * int(self.n_experts[g[-1]]) for g in self._plan]

    def workspace(self) -> knowledge.Workspace:
        """Return memory for the largest slab."""
        return knowledge.Workspace(max(self._sizes, default=0))

    @property
    def _needed(self) -> int:
        """Bytes of S and L of all slabs."""
        return 2 * 8 * sum(self._sizes)

    @cached_property
    def _cached_slabs(self) -> list[Slab] | None:
        return [self._slab(group) for group in self._plan] if self._needed <= self.budget else None

    @property
    def nbytes(self) -> int:
        """Memory of the traces and of the cached scores and losses, computed or to be computed, in bytes."""
        if "_cached_slabs" in self.__dict__:
            size = sum(slab.nbytes for slab in self._cached_slabs or [])
        else:
            size = self._needed if self._needed <= self.budget else 0
        found = [*(self.__dict__.get("_sparse_scores") or []), *self.rule_errors.values()]
        return size + sum(array.nbytes for array in found) + 2 * (self.score.nbytes + self.added.nbytes)

    def forget(self) -> None:
        """Drop the cached scores and losses; every later mix computes them again."""
        self.__dict__.update(_cached_slabs=None, _sparse_scores=None)

    def _slab(self, group: np.ndarray, space: knowledge.Workspace | None = None) -> Slab:
        """Compute the slab of a group of tasks of equal length."""
        places = np.arange(self.lengths[group[0]])[:, None] + self.offsets[group]
        return knowledge.build_slab(
            self.y[places],
            lambda g, out: self._write_scores(self.tasks[group[g]], out),
            n_experts=self.n_experts[group],
            places=places,
            space=space,
        )

    def _write_scores(self, task: tuple[int, int], out: np.ndarray) -> None:
        """Write the scores of the k experts of task k of stream r to out (N, k)."""
        r, k = task
        stream = self.streams[r]
        scores = self._sparse_scores
        if scores is not None:
            out[:] = scores[r][stream.offsets[k] : stream.offsets[k + 1], :k]
        else:
            knowledge.scores(stream.parts[k], self.experts[r][:k], out)

    @cached_property
    def _sparse_scores(self) -> list[np.ndarray] | None:
        """For sparse streams, the scores of each expert on all later tasks, (n, T); None if they exceed BUDGET."""
        n_scores = sum(len(stream.y) * len(stream) for stream in self.streams)
        if not all(sp.issparse(stream.X) for stream in self.streams) or 8 * n_scores > BUDGET:
            return None
        found = [np.empty((len(stream.y), len(stream)), order="F") for stream in self.streams]
        for stream, added, out in zip(self.streams, self._added, found, strict=True):
            experts = learner.finals(stream, added, self.lam)
            for w, scores, end in zip(experts, out.T, stream.offsets[1:].tolist(), strict=True):
                scores[end:] = _rows_from(stream.X, end) @ w
        return found

    def slabs(self) -> Iterator[Slab]:
        """Yield the slabs of all tasks with experts, cached or computed one after the other in the same memory."""
        cached = self._cached_slabs
        if cached is not None:
            yield from cached
            return
        space = self.workspace()
        for group in self._plan:
            yield self._slab(group, space)

    def replay(
        self,
        task: int,
        *,
        alpha: Schedule | str,
        clip: Clip,
        horizon: Horizon,
        u: np.ndarray,
        methods: Sequence[str] = METHODS,
    ) -> Replay:
        """Run the methods on one task of the first stream; u: (2, n), uniform in [0, 1), as in `Run`."""
        task = self.stream.position(task)
        here = self.stream[task]
        rows = slice(self.stream.offsets[task], self.stream.offsets[task + 1])
        before, y = self.stream.X[: rows.start], self.stream.y[: rows.start]
        return replay_task(
            here.X,
            here.y,
            self.experts[0][:task],
            lam=self.lam,
            alpha=alpha,
            clip=clip,
            horizon=horizon,
            u=u[:, rows],
            own=learner.Trace(self.score[rows], self.added[rows]),
            joint=learner.Trace(self.joint_score[rows], self.joint_added[rows]),
            before=(np.where(self.joint_added[: rows.start], y, 0.0) @ before, int(rows.start)),
            methods=methods,
        )


def draws(seed: int, n: int) -> np.ndarray:
    """Return (2, n), the uniform numbers for the draws of Unif Sample and AKLO Sample."""
    return np.random.default_rng(seed).random((2, n))


def _rows_from(X: Any, start: int) -> Any:
    """Return the rows of a CSR array from `start` on, without the copy that scipy's slicing makes."""
    at = X.indptr[start]
    rows = sp.csr_array((X.shape[0] - start, X.shape[1]))
    rows.data, rows.indices, rows.indptr = X.data[at:], X.indices[at:], X.indptr[start:] - at
    return rows


def learn(stream: TaskStream, *, lam: float, budget: int = BUDGET, ahead: bool = True) -> LearnedStream:
    """Run the learners of ITOL and TOL over a stream.

    Parameters
    ----------
    stream
        The tasks.
    lam
        Lambda > 0 of the learner.
    budget
        Bytes of the experts' scores and losses to cache for `mix`.
    ahead
        Whether to compute them now, or when they are first needed.

    Returns
    -------
    The learned stream, from which `mix` computes the errors for any schedule.
    """
    return learn_together([stream], lam=lam, budget=budget, ahead=ahead)


def learn_together(
    streams: Sequence[TaskStream], *, lam: float, budget: int = BUDGET, ahead: bool = True
) -> LearnedStream:
    """Run `learn` on several streams at a time."""
    lams = learner.checked_lams([lam])
    streams = tuple(streams)
    own, joint = traces(streams, lams, joint=True)
    learned = LearnedStream(
        streams=streams,
        lam=float(lam),
        score=own.score[0],
        added=own.added[0],
        joint_score=joint.score[0],
        joint_added=joint.added[0],
        budget=budget,
    )
    if ahead:
        learned._cached_slabs  # noqa: B018 - fills the cache
    return learned


def traces(streams: Sequence[TaskStream], lams: np.ndarray, *, joint: bool) -> tuple[learner.Trace, learner.Trace]:
    """Return the traces of ITOL's learners, (l, n), and if `joint` those of TOL's, the streams concatenated."""
    if any(sp.issparse(stream.X) for stream in streams):
        pairs = [learner.step_sparse([sp.csr_array(X) for X in s.parts], s.y, lams, joint=joint) for s in streams]
        return _joined_traces([own for own, _ in pairs]), _joined_traces([tol for _, tol in pairs])
    X, y = _joined([stream.X for stream in streams]), _joined([stream.y for stream in streams])
    offsets = np.concatenate([[0], np.cumsum(np.concatenate([stream.lengths for stream in streams]))])
    chains = [learner.step_along(stream.X, stream.y, lams) for stream in streams] if joint else []
    none = learner.Trace(np.empty((0, 0)), np.empty((0, 0), dtype=bool))
    return learner.step_together(X, y, offsets, lams), _joined_traces(chains) if joint else none


def _joined_traces(parts: Sequence[learner.Trace]) -> learner.Trace:
    """Concatenate the traces of several streams, (l, n)."""
    return learner.Trace(_joined([part.score for part in parts], 1), _joined([part.added for part in parts], 1))


def _joined(arrays: Sequence[np.ndarray], axis: int = 0) -> np.ndarray:
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays, axis=axis)


# ----------------------------------------------------------------------------------------------------- mixing


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
                slab.put(by_rule[rule], is_wrong(rule.confidence(pool), y))
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
