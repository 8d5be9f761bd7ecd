"""The learner: online gradient descent on the hinge loss, eta_t = 1/(lambda t), from w_1 = 0.

With this step size w_t = v_t / (lambda (t - 1)), where v_t is the sum of those y_s x_s, s < t, whose margin
y_s <w_s, x_s> was below 1. A learner is therefore a running sum v, and step t adds y_t x_t to it if
y_t <v_t, x_t> < lambda (t - 1); step 1, where w = 0, always does. There are three implementations:

- `step_together` steps many independent dense learners at a time, such as those of all tasks of all repetitions;
- `step_along` runs one dense chain: in two dimensions by the inner products themselves, otherwise in blocks whose
  Gram matrices hold all inner products, so that a step compares two numbers;
- `step_sparse` runs sparse rows task by task. Only features that occur in several rows of a task affect its later
  steps, so the rows are reduced to those; the contribution of earlier tasks is one matrix product.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import scipy.sparse as sp

from aklo.tasks import Features, TaskStream

BLOCK = 64  # examples in a Gram matrix: a larger one computes unused products, a smaller one needs more calls


@dataclass(frozen=True)
class Trace:
    """The steps of a learner on n examples.

    Parameters
    ----------
    score
        (..., n), <w_t, x_t> before step t.
    added
        (..., n), whether step t added y_t x_t. Determines every w_t: see `path`.
    """

    score: np.ndarray
    added: np.ndarray


def step_together(X: np.ndarray, y: np.ndarray, offsets: np.ndarray, lams: np.ndarray) -> Trace:
    """Run a new learner on each task and for each lambda, all of them in parallel.

    Parameters
    ----------
    X, y, offsets
        (n, d), (n,) and (T + 1,), as in `TaskStream`; dense.
    lams
        (l,)

    Returns
    -------
    A trace with arrays of shape (l, n).
    """
    lengths, since = np.diff(offsets), _since_start(offsets)
    longest_first = np.argsort(-lengths, kind="stable")  # so that the tasks which are still running come first
    rank = np.empty_like(longest_first)
    rank[longest_first] = np.arange(len(lengths))
    # Rows sorted by t, so that a step reads and writes contiguous memory: row (task, t) goes to `slot`.
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
    """Run one learner over n dense examples for each lambda.

    Parameters
    ----------
    X, y
        (n, d) and (n,).
    lams
        (l,)
    before
        (V, steps): continue learners with running sums V (l, d) after that many steps.

    Returns
    -------
    A trace with arrays of shape (l, n).
    """
    V, steps = before if before is not None else (np.zeros((len(lams), X.shape[1])), 0)
    since = np.arange(steps, steps + len(y))
    need = _thresholds(lams, since)
    score = _walk_plane(X, y, need, V) if X.shape[1] == 2 else _walk_blocks(X, y, need, V)
    return Trace(_scores(score.copy(), y, lams, since), score < need)


def step_sparse(parts: Sequence[Features], y: np.ndarray, lams: np.ndarray, *, joint: bool) -> tuple[Trace, Trace]:
    """Run a new learner on each task of a sparse stream, and if `joint` one learner over all tasks.

    Parameters
    ----------
    parts
        X of each task, (N, d) CSR.
    y
        (n,), the labels of all tasks.
    lams
        (l,)

    Returns
    -------
    Both traces, with arrays of shape (l, n); without `joint` the second is the first.
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
        indices = X.indices.astype(np.intp, copy=False)  # other integer types make indexing about five times slower
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
    """Reduce sparse rows to the features that occur in several of them, renumbered; also return their number.

    lookup: (d,), scratch memory of a small integer type; its content does not matter.
    """
    own = np.arange(len(indices), dtype=lookup.dtype)
    lookup[indices] = own
    last = lookup[indices]  # index of the last entry with the same feature
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
    """Return y_t <v_t, x_t> at each step: the part from `before` these rows, plus what they have added to v since."""
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
    """Return (l, n), the value from which on y_t <v_t, x_t> adds nothing: lambda (t - 1), infinite at t = 1.

    since: (n,), t - 1 of each example.
    """
    return np.where(since > 0, lams[:, None] * since, np.inf)


def _walk_plane(X: np.ndarray, y: np.ndarray, need: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Return (l, n), y_t <v_t, x_t> at each step, for thresholds `need` (l, n) and initial sums V (l, 2).

    In two dimensions, Python floats are faster than Gram matrices.
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
    """Return (l, n), y_t <v_t, x_t> at each step, for thresholds `need` (l, n) and initial sums V (l, d)."""
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
    """Run the steps within a block and return y_t <v_t, x_t> at each step.

    s holds y_t <v, x_t> for the v at the start of the block; each step below its threshold adds gram[t] to s.
    """
    seen: list[float] = []
    now = memoryview(s.data)  # faster to index than the array
    for t, (threshold, products) in enumerate(zip(need, gram, strict=True)):
        margin = now[t]
        seen.append(margin)
        if margin < threshold:
            s += products
    return seen


def _scores(signed: np.ndarray, y: np.ndarray, lams: np.ndarray, since: np.ndarray) -> np.ndarray:
    """Turn y_t <v_t, x_t> into <w_t, x_t>, (l, n): multiply by y_t / (lambda (t - 1)). since: (n,), t - 1."""
    signed *= y / np.maximum(since, 1)  # at t = 1 the score is 0 anyway
    signed /= lams[:, None]
    return signed


def _since_start(offsets: np.ndarray) -> np.ndarray:
    """Return (n,), t - 1 of each example within its task."""
    return np.arange(offsets[-1]) - np.repeat(offsets[:-1], np.diff(offsets))


def _times_rows(X: Features, c: np.ndarray) -> Features:
    """Multiply row t of X, dense or sparse, by c_t."""
    if sp.issparse(X):
        return sp.csr_array((X.data * np.repeat(c, np.diff(X.indptr)), X.indices, X.indptr), shape=X.shape)
    return X * c[:, None]


def final(stream: TaskStream, added: np.ndarray, lam: float) -> np.ndarray:
    """Return (T, d), w_{N+1} of each task: the sum of the added y_t x_t, divided by lambda N. added: (n,)."""
    W = np.empty((len(stream), stream.d))
    for row, w in zip(W, finals(stream, added, lam), strict=True):
        row[:] = w
    return W


def finals(stream: TaskStream, added: np.ndarray, lam: float) -> Iterator[np.ndarray]:
    """Yield w_{N+1} (d,) of one task after the other; each overwrites the memory of the one before."""
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
    """Return (N, d), w_t before each of N examples. before: (v, steps), the running sum and number of earlier steps."""
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
    """Return the lambdas as an array; raise ValueError, naming the first, if one is not a finite number above 0."""
    for lam in lams:
        number = isinstance(lam, (int, float, np.number))
        if not (number and np.isfinite(lam) and lam > 0):
            named = f"{lam:g}" if number else repr(lam)
            raise ValueError(f"lambda is {named}, where a finite number above 0 is needed.")
    return np.array(lams, dtype=float)
