"""The knowledge base: the experts' advice, their losses, the weights p_t, and the doubling trick.

Experts do not change during a task, so one matrix product gives all their scores, one cumulative sum their losses, and
one exponential of the losses the weights for any alpha. Tasks of equal length with similar numbers of experts share a
`Slab`, whose arrays fit into the processor's cache. If a task has fewer experts than its slab has columns, the
remaining columns are *absent*: score 0, weight 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Literal

import numpy as np
import scipy.sparse as sp

from aklo.tasks import Features

Clip = Literal["sum", "advice"]
Horizon = Literal["known", "unknown"]
CLIPS: tuple[Clip, ...] = ("sum", "advice")
HORIZONS: tuple[Horizon, ...] = ("known", "unknown")

SLAB = 1 << 17  # most numbers in one array of a slab: a megabyte
SPREAD = 1.5  # largest ratio of the numbers of experts of the last and the first task of a slab
TINY, FEW = 14, 64  # numbers of experts up to which `draw` uses no buckets, and small ones
BUCKET, LARGE_BUCKET = 8, 32  # experts in a bucket
SAFE_EXPONENT = 600.0  # exp(-600) is still far from the smallest double


@dataclass(frozen=True, eq=False)
class Slab:
    """Scores and losses of the experts on G tasks of equal length N, where K is the largest number of experts.

    Parameters
    ----------
    places
        (N, G), index of each example in the flat stream.
    n_experts
        (G,), number of experts of each task.
    S
        (N, G, K), scores <w(i), x_t>.
    L
        (N, G, K), losses before t: the sum of e_k(i) = (a_k(i) - y_k)^2 over k < t.
    """

    places: np.ndarray
    n_experts: np.ndarray
    S: np.ndarray
    L: np.ndarray

    @property
    def nbytes(self) -> int:
        """Memory of S and L in bytes."""
        return self.S.nbytes + self.L.nbytes

    @cached_property
    def absent(self) -> np.ndarray | None:
        """(G, K), True for absent experts; None if every task has K experts."""
        absent = np.arange(self.S.shape[2]) >= self.n_experts[:, None]
        return absent if absent.any() else None

    @cached_property
    def mean_score(self) -> np.ndarray:
        """(N, G), the mean of the experts' scores."""
        return weighted_mean(np.ones(self.S.shape[2]), self.S, self.n_experts)

    @cached_property
    def mean_advice(self) -> np.ndarray:
        """(N, G), the mean of the experts' advice."""
        return weighted_mean(np.ones(self.S.shape[2]), self.advice(), self.n_experts)

    def pick(self, flat: np.ndarray) -> np.ndarray:
        """Return the slab's part (..., N, G) of a flat array (..., n)."""
        return flat.take(self.places, axis=-1)

    def put(self, flat: np.ndarray, values: np.ndarray) -> None:
        """Write values (..., N, G) to the slab's part of a flat array (..., n)."""
        flat[..., self.places] = values

    def advice(self, out: np.ndarray | None = None) -> np.ndarray:
        """Return (N, G, K), the advice a_t(i) = clip(<w(i), x_t>); 0 for absent experts."""
        return np.clip(self.S, -1.0, 1.0, out=out)


def group_tasks(lengths: np.ndarray, n_experts: np.ndarray) -> list[np.ndarray]:
    """Group tasks into slabs: equal lengths, similar numbers of experts, and at most SLAB numbers each.

    Parameters
    ----------
    lengths, n_experts
        (T,)

    Returns
    -------
    Indices of the tasks of each slab. Tasks without experts are omitted; a task too large for a slab has its own.
    """
    by_size = np.lexsort((n_experts, lengths))
    by_size = by_size[n_experts[by_size] > 0]
    slabs: list[list[int]] = []
    for k in by_size.tolist():
        n, experts = int(lengths[k]), int(n_experts[k])
        group = slabs[-1] if slabs else []
        if (
            group
            and n == lengths[group[0]]
            and (len(group) + 1) * n * experts <= SLAB
            # Absent experts cost as much as others, so there should be few, unless the slab is too small to matter.
            and (experts <= SPREAD * n_experts[group[0]] or (len(group) + 1) * n * experts <= SLAB // 8)
        ):
            group.append(k)
        else:
            slabs.append([k])
    return [np.array(group) for group in slabs]


class Workspace:
    """Reusable arrays for slabs, because allocating memory takes longer than filling it.

    size: numbers to allocate for an array at first; one that turns out to need more is allocated again.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._memory: dict[str, np.ndarray] = {}

    def array(self, name: str, shape: tuple[int, ...]) -> np.ndarray:
        """Return an array of this shape in the memory of this name, not initialised."""
        size = math.prod(shape)
        if name not in self._memory or len(self._memory[name]) < size:
            self._memory[name] = np.empty(max(self.size, size))
        return self._memory[name][:size].reshape(shape)


def scores(X: Features, W: np.ndarray, out: np.ndarray) -> None:
    """Write <w(i), x_t> to out (N, T), for X (N, d), dense or sparse, and experts W (T, d)."""
    if sp.issparse(X):
        for i, w in enumerate(W):  # one by one, so that w fits into the cache
            out[:, i] = X @ w
    else:
        np.matmul(X, W.T, out=out)


def build_slab(
    y: np.ndarray,
    write_scores: Callable[[int, np.ndarray], None],
    *,
    n_experts: np.ndarray,
    places: np.ndarray | None = None,
    space: Workspace | None = None,
) -> Slab:
    """Compute the experts' scores and losses on G tasks of equal length.

    Parameters
    ----------
    y
        (N, G)
    write_scores
        write_scores(g, out) writes the scores of task g to out (N, T).
    n_experts
        (G,), each at least 1.
    places
        (N, G), indices of the examples in a flat stream; by default that of a single task.
    space
        Memory for the slab's arrays; allocated if None.
    """
    shape = (*y.shape, int(n_experts.max()))
    S = np.empty(shape) if space is None else space.array("S", shape)
    L = np.empty(shape) if space is None else space.array("L", shape)
    for g, T in enumerate(n_experts.tolist()):
        write_scores(g, S[:, g, :T])
        S[:, g, T:] = 0.0
    E = np.clip(S[:-1], -1.0, 1.0, out=L[1:])
    E -= y[:-1, :, None]
    np.square(E, out=E)
    L[0] = 0.0
    for before, after in pairwise(L):  # much faster here than np.cumsum
        after += before
    return Slab(np.arange(len(y))[:, None] if places is None else places, n_experts, S, L)


def periods(n: int) -> np.ndarray:
    """Return (n,), for t = 1..n the first step 2^m of its doubling period [2^m, 2^(m+1) - 1].

    >>> periods(9).tolist()
    [1, 2, 2, 4, 4, 4, 4, 8, 8]
    """
    return 2 ** (np.frexp(np.arange(1, n + 1))[1] - 1)


def alpha_total(alpha: np.ndarray, horizon: Horizon) -> np.ndarray:
    """Return (N,), the sum of alpha (N,) in the denominator of eps_t.

    With a known horizon it is the sum over the whole task, otherwise over the steps up to the first of t's doubling
    period.
    """
    total = np.cumsum(alpha)
    return np.full(len(alpha), total[-1]) if horizon == "known" else total[periods(len(alpha)) - 1]


def epsilon(total: np.ndarray, n_experts: np.ndarray) -> np.ndarray:
    """Return (N, G), eps_t = sqrt(log T / (8 total_t)) for G tasks with T = `n_experts` (G,) experts.

    total: (N,), from `alpha_total`. eps_t is 0 for one expert, and where the total is 0.
    """
    inverse = np.divide(1.0, np.sqrt(8.0 * total), out=np.zeros(len(total)), where=total > 0)
    return inverse[:, None] * np.sqrt(np.log(n_experts))


def unnormalised_weights(slab: Slab, eps: np.ndarray, horizon: Horizon, out: np.ndarray | None = None) -> np.ndarray:
    """Return (N, G, K), weights proportional to exp(-eps_t L_t(i)), not normalised; 0 for absent experts.

    eps: (N, G). L_t(i) is the sum of e_k(i) over k < t; with an unknown horizon, over the k < t of t's doubling period.
    """
    N, L = len(slab.L), slab.L
    P = np.empty(L.shape) if out is None else out
    if horizon == "unknown":
        starts = np.unique(periods(N)) - 1
        for start, end in pairwise([*starts.tolist(), N]):
            np.subtract(slab.L[start:end], slab.L[start], out=P[start:end])
        L = P
    if float(eps.max()) * 4.0 * N > SAFE_EXPONENT:
        # All weights could underflow: subtract the least loss, so that the largest weight is 1.
        best = (L if slab.absent is None else np.where(slab.absent, np.inf, L)).min(axis=2, keepdims=True)
        L = np.subtract(L, best, out=P)
        if slab.absent is not None:
            L[:, slab.absent] = 0.0  # their losses may be less than the least, and overflow
    np.exp(np.multiply(L, -eps[:, :, None], out=P), out=P)
    if slab.absent is not None:
        P[:, slab.absent] = 0.0
    return P


def weighted_mean(P: np.ndarray, values: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Return (N, G), sum_i P_i values_i / total, for P (N, G, K) or (K,), values (N, G, K), total (N, G) or (G,).

    A sum that is 0 up to rounding is set to 0, so that its sign is +1 on every machine.
    """
    mean = np.vecdot(P, values) / total
    if (tiny := np.abs(mean) < 1e-10).any():
        size = np.vecdot(np.broadcast_to(P, values.shape)[tiny], np.abs(values[tiny]))
        size /= np.broadcast_to(total, mean.shape)[tiny]
        mean[tiny] = np.where(np.abs(mean[tiny]) <= 1e-14 * size, 0.0, mean[tiny])
    return mean


def draw(P: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Draw one expert for each row of the unnormalised weights P (m, K).

    The inverse of the distribution function is found in two stages, first a bucket of experts, then an expert in it,
    because a cumulative sum over all K would cost as much as the exponentials. Absent experts do not matter.

    Parameters
    ----------
    P
        (m, K)
    u
        (m,), uniform in [0, 1).

    Returns
    -------
    The experts (m,) and the sums of the rows (m,).
    """
    P = np.ascontiguousarray(P)
    m, K = P.shape
    if K <= TINY:
        mass = P @ _up_to(K, 1)
        return _first_above(mass, u * mass[:, -1]), mass[:, -1]
    if K <= FEW:
        size, mass = BUCKET, P @ _up_to(K, BUCKET)  # with few buckets a product is faster than sums of rows
    else:
        size, mass = LARGE_BUCKET, np.cumsum(np.add.reduceat(P, np.arange(0, K, LARGE_BUCKET), axis=1), axis=1)
    total = mass[:, -1]
    level = u * total
    bucket = _first_above(mass, level)
    row = np.arange(m)
    start = np.minimum(bucket * size, K - size)  # the last bucket overlaps the one before, to be of full size
    pieces = np.ndarray((P.size - size + 1, size), P.dtype, P, strides=(P.itemsize, P.itemsize))  # all windows
    members = pieces[row * K + start] @ _up_to(size, 1)
    # Subtract the sum before the bucket, found from its end, which also removes the overlap of the last one.
    level -= mass.take(row * mass.shape[1] + bucket) - members[:, -1]
    return start + _first_above(members, level), total


@lru_cache(maxsize=2 * FEW)
def _up_to(K: int, size: int) -> np.ndarray:
    """Return (K, ceil(K / size)): a row of K numbers times this matrix gives its sums up to the end of each bucket."""
    return (np.arange(K)[:, None] < np.arange(size, K + size, size)).astype(float)


def _first_above(mass: np.ndarray, level: np.ndarray) -> np.ndarray:
    """Return (m,), in each row of the cumulative sums `mass` (m, k) the first index above `level` (m,).

    The level is limited to less than the total, so that rounding never leads to an expert of weight 0.
    """
    return (mass > np.minimum(level, np.nextafter(mass[:, -1], 0.0))[:, None]).argmax(axis=1)
