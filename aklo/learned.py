"""Learn once: learners and experts of a stream, which do not depend on alpha."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from aklo import knowledge, learner
from aklo.knowledge import Clip, Horizon, Slab
from aklo.methods import METHODS
from aklo.methods import wrong as is_wrong
from aklo.replay import Replay, replay_task
from aklo.rules import Rule
from aklo.schedules import Schedule
from aklo.tasks import TaskStream
from aklo.wording import count, sizes

BUDGET = 256 * 2**20  # bytes of scores and losses that a LearnedStream caches; larger ones are recomputed by every mix


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
    for stream in streams:
        if not isinstance(stream, TaskStream):
            raise ValueError(
                f"The stream is a {type(stream).__name__}, where a TaskStream is needed: TaskStream.of([(X, y), ...]) "
                "makes one of arrays."
            )
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
