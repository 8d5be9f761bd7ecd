"""The learner: online gradient descent on the hinge loss, eta_t = 1/(lambda t), from w_1 = 0.

With that step size the shrinking telescopes: w_t = v_t / (lambda (t - 1)), where v_t is the plain sum of the y_s x_s
whose margin y_s <w_s, x_s> was below 1. So a learner is a running sum v, and a step asks one question,
"is y_t <v_t, x_t> < lambda (t - 1)?" (at t = 1, where w = 0, the answer is yes). Two ways to ask it fast:

- `step_together` takes one step of many dense learners at a time: the tasks of all repetitions do not depend on
  each other;
- `step_along` walks one dense chain: in the plane by the two products themselves; elsewhere in blocks, whose Gram
  matrices hold all inner products, so that a step is the comparison of two numbers;
- `step_sparse` walks sparse rows task by task. Within a task only the features that more than one of its rows has can
  carry anything from step to step: the rows shrink to those, and what came before the task is one product.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import scipy.sparse as sp

from aklo.tasks import Features, TaskStream

BLOCK = 64  # examples a Gram matrix spans: larger wastes products, smaller wastes calls


@dataclass(frozen=True)
class Trace:
    """What a learner did on n examples. score: (..., n), <w_t, x_t> before the step; added: (..., n), whether it took
    y_t x_t in. Every w_t follows from `added`: see `path`."""

    score: np.ndarray
    added: np.ndarray


def step_together(X: np.ndarray, y: np.ndarray, offsets: np.ndarray, lams: np.ndarray) -> Trace:
    """All tasks of a flat dense block, and all lambdas, one example at a time but all at once.

    X: (n, d), y: (n,), offsets: (T + 1,), lams: (l,); the trace's arrays are (l, n).
    """
    lengths, since = np.diff(offsets), _since_start(offsets)
    longest_first = np.argsort(-lengths, kind="stable")  # tasks that still run are then always the first ones
    rank = np.empty_like(longest_first)
    rank[longest_first] = np.arange(len(lengths))
    # Rows in the order of time, so that a step reads and writes one contiguous piece: row (task, t) goes to `slot`.
    running = np.cumsum(np.bincount(lengths)[:0:-1])[::-1]  # running[t]: how many tasks have more than t examples
    ends = np.cumsum(running)
    slot = (ends - running)[since] + np.repeat(rank, lengths)
    row = np.empty_like(slot)
    row[slot] = np.arange(len(y))
    y_in_time = y[row]
    score = np.empty((len(lams), len(y)))
    added = np.empty((len(lams), len(y)), dtype=bool)
    v = np.zeros((len(lams), len(lengths), X.shape[1]))
    for t, (end, n) in enumerate(zip(ends.tolist(), running.tolist(), strict=True)):
        z = np.take(X, row[end - n : end], axis=0)
        z *= y_in_time[end - n : end, None]
        s = np.einsum("ltd,td->lt", v[:, :n], z, out=score[:, end - n : end])  # y_t <v_t, x_t>
        violates = np.less(s, lams[:, None] * t if t else np.inf, out=added[:, end - n : end])
        v[:, :n] += violates[:, :, None] * z
    return Trace(_scores(np.take(score, slot, axis=1), y, lams, since), np.take(added, slot, axis=1))


def step_along(
    X: np.ndarray, y: np.ndarray, lams: np.ndarray, *, before: tuple[np.ndarray, int] | None = None
) -> Trace:
    """One chain of n dense examples, for each lambda. X: (n, d), y: (n,); the trace's arrays are (l, n).

    `before` = (V, steps) continues chains that took `steps` steps to the running sums V (l, d).
    """
    V, steps = before if before is not None else (np.zeros((len(lams), X.shape[1])), 0)
    since = np.arange(steps, steps + len(y))
    need = _thresholds(lams, since)
    score = _walk_plane(X, y, need, V) if X.shape[1] == 2 else _walk_blocks(X, y, need, V)
    return Trace(_scores(score.copy(), y, lams, since), score < need)


def step_sparse(parts: Sequence[Features], y: np.ndarray, lams: np.ndarray, *, joint: bool) -> tuple[Trace, Trace]:
    """The learners of all tasks of a sparse stream, and where `joint` that of all tasks joined, for each lambda.

    parts: for each task (N, d) CSR, y: (n,); both traces' arrays are (l, n); without `joint` the second is the first.
    """
    offsets, d = np.cumsum([0] + [X.shape[0] for X in parts]), parts[0].shape[1]
    since, once = _since_start(offsets), np.arange(len(y))
    chains: list[tuple[np.ndarray, np.ndarray | None]] = [(_thresholds(lams, since), None)]
    if joint:
        chains.append((_thresholds(lams, once), np.zeros((len(lams), d))))
    scores = [np.empty(need.shape) for need, _ in chains]
    lookup = np.empty(d, dtype=np.int32)
    for X, (start, end) in zip(parts, pairwise(offsets.tolist()), strict=True):
        labels, lengths = y[start:end], np.diff(X.indptr)
        data = X.data * np.repeat(labels, lengths)
        indices = X.indices.astype(np.intp, copy=False)  # numpy's own kind: any other is looked up five times as slowly
        rows, n_shared = _shared_features(data, indices, X.indptr, lookup)
        for (need, V), score in zip(chains, scores, strict=True):
            for i in range(len(lams)):
                before = np.zeros(end - start) if V is None else labels * (X @ V[i])
                score[i, start:end] = _walk_rows(rows, n_shared, before.tolist(), need[i, start:end].tolist())
                if V is not None:
                    took = np.repeat(score[i, start:end] < need[i, start:end], lengths)
                    np.add.at(V[i], indices[took], data[took])
    added = [score < need for score, (need, _) in zip(scores, chains, strict=True)]
    own = Trace(_scores(scores[0], y, lams, since), added[0])
    return own, Trace(_scores(scores[1], y, lams, once), added[1]) if joint else own


Row = tuple[np.ndarray, np.ndarray]  # the places of a sparse row's entries, and the entries


def _shared_features(
    data: np.ndarray, indices: np.ndarray, indptr: np.ndarray, lookup: np.ndarray
) -> tuple[list[Row], int]:
    """Sparse rows, cut down to the features that several of them have, numbered anew; and how many these are.

    lookup: (d,), room for a number for each feature, of a kind small enough for the cache; its content does not matter.
    """
    own = np.arange(len(indices), dtype=lookup.dtype)
    lookup[indices] = own
    last = lookup[indices]  # where the feature of each entry comes for the last time
    kept = last != own
    several = np.zeros(len(own), dtype=bool)
    several[last[kept].astype(np.intp)] = True
    features = np.flatnonzero(several)
    number = np.empty(len(own), dtype=np.intp)
    number[features] = np.arange(len(features))
    places = np.flatnonzero(kept | several)
    ends = np.searchsorted(places, indptr).tolist()
    entries, places = data[places], number[last[places].astype(np.intp)]
    return [(places[a:b], entries[a:b]) for a, b in pairwise(ends)], len(features)


def _walk_rows(rows: list[Row], n_shared: int, before: list[float], need: list[float]) -> list[float]:
    """y_t <v_t, x_t> as each step saw it: what v held `before` these rows, and what they have added since."""
    v = np.zeros(n_shared)
    seen: list[float] = []
    for (places, z), base, threshold in zip(rows, before, need, strict=True):
        there = v[places]
        margin = base + float(there.dot(z))
        seen.append(margin)
        if margin < threshold:
            there += z
            v[places] = there
    return seen


def _thresholds(lams: np.ndarray, since: np.ndarray) -> np.ndarray:
    """(l, n): what y_t <v_t, x_t> must reach for the step to add nothing: lambda (t - 1), and never at t = 1.

    since: (n,), t - 1 of each example.
    """
    return np.where(since > 0, lams[:, None] * since, np.inf)


def _walk_plane(X: np.ndarray, y: np.ndarray, need: np.ndarray, V: np.ndarray) -> np.ndarray:
    """(l, n): y_t <v_t, x_t> as each step saw it, for thresholds `need` (l, n), from V (l, 2) on.

    In the plane two products are cheaper than any Gram matrix: plain numbers all the way.
    """
    score = np.empty(need.shape)
    Z = (X * y[:, None]).T.tolist()
    for out, thresholds, (v0, v1) in zip(score, need, V.tolist(), strict=True):
        seen: list[float] = []
        for z0, z1, threshold in zip(*Z, thresholds.tolist(), strict=True):
            margin = v0 * z0 + v1 * z1
            seen.append(margin)
            if margin < threshold:
                v0 += z0
                v1 += z1
        out[:] = seen
    return score


def _walk_blocks(X: np.ndarray, y: np.ndarray, need: np.ndarray, V: np.ndarray) -> np.ndarray:
    """(l, n): y_t <v_t, x_t> as each step saw it, for thresholds `need` (l, n), from V (l, d) on."""
    score, V = np.empty(need.shape), V.copy()
    for start in range(0, need.shape[1], BLOCK):
        rows = slice(start, start + BLOCK)
        block = X[rows] * y[rows, None]
        gram = block @ block.T
        for v, seen, thresholds in zip(V, score[:, rows], need[:, rows], strict=True):
            seen[:] = _walk(gram, block @ v, thresholds.tolist())
            v += (seen < thresholds).astype(float) @ block
    return score


def _walk(gram: np.ndarray, s: np.ndarray, need: list[float]) -> list[float]:
    """Within a block: s holds y_t <v, x_t> for the v at its start; each violator t adds gram[t] to all of s.

    Returns s as each step saw it. Plain numbers, because a step is only one comparison.
    """
    seen: list[float] = []
    now = memoryview(s.data)  # reads a number a good deal faster than indexing the array does
    for t, (threshold, products) in enumerate(zip(need, gram, strict=True)):
        margin = now[t]
        seen.append(margin)
        if margin < threshold:
            s += products
    return seen


def _scores(signed: np.ndarray, y: np.ndarray, lams: np.ndarray, since: np.ndarray) -> np.ndarray:
    """(l, n): <w_t, x_t> from y_t <v_t, x_t>, i.e. times y_t, over lambda (t - 1), which `since` (n,) tells."""
    signed *= y / np.maximum(since, 1)  # at t = 1 the score is 0 anyway
    signed /= lams[:, None]
    return signed


def _since_start(offsets: np.ndarray) -> np.ndarray:
    """(n,): t - 1 of each example within its task."""
    return np.arange(offsets[-1]) - np.repeat(offsets[:-1], np.diff(offsets))


def _times_rows(X: Features, c: np.ndarray) -> Features:
    """Row t of X times c_t, dense or sparse."""
    if sp.issparse(X):
        return sp.csr_array((X.data * np.repeat(c, np.diff(X.indptr)), X.indices, X.indptr), shape=X.shape)
    return X * c[:, None]


def final(stream: TaskStream, added: np.ndarray, lam: float) -> np.ndarray:
    """(T, d): w_{N+1} of each task, the sum of what it took in over lambda N. added: (n,)."""
    W = np.empty((len(stream), stream.d))
    for row, w in zip(W, finals(stream, added, lam), strict=True):
        row[:] = w
    return W


def finals(stream: TaskStream, added: np.ndarray, lam: float) -> Iterator[np.ndarray]:
    """(d,): w_{N+1} of one task after the other, each in the memory of the one before."""
    taken = np.where(added, stream.y, 0.0) / (lam * np.repeat(stream.lengths, stream.lengths))
    w = np.zeros(stream.d)
    for X, (start, end) in zip(stream.parts, pairwise(stream.offsets.tolist()), strict=True):
        if sp.issparse(X):
            indices = X.indices.astype(np.intp, copy=False)
            np.add.at(w, indices, X.data * np.repeat(taken[start:end], np.diff(X.indptr)))
            yield w
            w[indices] = 0.0
        else:
            yield np.matmul(taken[start:end], X, out=w)


def path(
    X: Features, y: np.ndarray, added: np.ndarray, lam: float, *, before: tuple[np.ndarray, int] | None = None
) -> np.ndarray:
    """(N, d): w_t before each of N examples. `before` = (v, steps) continues a chain that took `steps` steps to v."""
    v, steps = before if before is not None else (np.zeros(X.shape[1]), 0)
    taken = _times_rows(X, np.where(added, y, 0.0))
    w = np.empty(X.shape)
    w[0] = v
    if len(y) > 1:
        np.cumsum(taken[:-1].toarray() if sp.issparse(taken) else taken[:-1], axis=0, out=w[1:])
        w[1:] += v
    w /= lam * np.maximum(np.arange(steps, steps + len(y)), 1)[:, None]
    return w


def checked_lams(lams: Sequence[float]) -> np.ndarray:
    """The lambdas as an array, or a ValueError that names the first bad one."""
    for lam in lams:
        if not (np.isfinite(lam) and lam > 0):
            raise ValueError(f"lambda is {lam:g}, where a finite number above 0 is needed.")
    return np.array(lams, dtype=float)
