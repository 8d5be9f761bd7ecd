"""The knowledge base at work: the experts' advice, their losses, the weights p_t, and the doubling trick.

Experts are frozen while a task runs, so one matrix product gives all their scores, one running sum all their losses so
far, and one exponential of these the weights for any alpha. Tasks of one length with about as many experts share a
`Slab`, whose arrays are small enough for the processor's cache; where a task has fewer experts than its slab is wide,
the rest are *absent*: score 0, weight 0.
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

SLAB = 1 << 17  # numbers in one array of a slab: a megabyte
SPREAD = 1.5  # how many times as many experts the last task of a slab may have as its first
TINY, FEW = 14, 64  # experts up to which `draw` goes through them one by one, and in small crowds
CROWD, LARGE_CROWD = 8, 32  # experts in one
_SAFE_EXPONENT = 600.0  # exp(-600) is still far from the smallest double


@dataclass(frozen=True, eq=False)
class Slab:
    """G tasks of one length N, side by side, K the most experts that any of them has.

    places: (N, G), where each example is in the flat stream; n_experts: (G,);
    S: (N, G, K), scores <w(i), x_t>; L: (N, G, K), losses before t: the sum of e_k(i) = (a_k(i) - y_k)^2 over k < t.
    """

    places: np.ndarray
    n_experts: np.ndarray
    S: np.ndarray
    L: np.ndarray

    @property
    def nbytes(self) -> int:
        """The bytes of its large arrays."""
        return self.S.nbytes + self.L.nbytes

    @cached_property
    def absent(self) -> np.ndarray | None:
        """(G, K): which experts a task does not have; None where it has them all."""
        absent = np.arange(self.S.shape[2]) >= self.n_experts[:, None]
        return absent if absent.any() else None

    @cached_property
    def mean_score(self) -> np.ndarray:
        """(N, G): the mean of the experts' scores."""
        return weighted_mean(np.ones(self.S.shape[2]), self.S, self.n_experts)

    @cached_property
    def mean_advice(self) -> np.ndarray:
        """(N, G): the mean of the experts' advice."""
        return weighted_mean(np.ones(self.S.shape[2]), self.advice(), self.n_experts)

    def pick(self, flat: np.ndarray) -> np.ndarray:
        """(..., N, G): what the flat (..., n) holds of the slab's tasks."""
        return flat.take(self.places, axis=-1)

    def put(self, flat: np.ndarray, values: np.ndarray) -> None:
        """Write values (..., N, G) into their places in flat (..., n)."""
        flat[..., self.places] = values

    def advice(self, out: np.ndarray | None = None) -> np.ndarray:
        """(N, G, K): a_t(i) = clip(<w(i), x_t>); 0 where absent."""
        return np.clip(self.S, -1.0, 1.0, out=out)


def plan(lengths: np.ndarray, n_experts: np.ndarray) -> list[np.ndarray]:
    """Which tasks share a slab: equal lengths, like numbers of experts, together no more than SLAB numbers.

    lengths, n_experts: (T,); tasks without experts are left out. A task too large for a slab gets one to itself.
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
            # Absent experts cost as much as present ones: few, unless the slab is so small that calls cost more.
            and (experts <= SPREAD * n_experts[group[0]] or (len(group) + 1) * n * experts <= SLAB // 8)
        ):
            group.append(k)
        else:
            slabs.append([k])
    return [np.array(group) for group in slabs]


class Workspace:
    """Arrays for slabs of up to `size` numbers, used again and again: fresh memory is slower than the sums in it."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._memory: dict[str, np.ndarray] = {}

    def array(self, name: str, shape: tuple[int, ...]) -> np.ndarray:
        """An array of this shape in the memory of this name; it holds what was left there."""
        if name not in self._memory:
            self._memory[name] = np.empty(self.size)
        return self._memory[name][: math.prod(shape)].reshape(shape)


def scores(X: Features, W: np.ndarray, out: np.ndarray) -> None:
    """Write <w(i), x_t> into out (N, T), for X (N, d), dense or sparse, and experts W (T, d)."""
    if sp.issparse(X):
        for i, w in enumerate(W):  # one by one: each w fits into the cache
            out[:, i] = X @ w
    else:
        np.matmul(X, W.T, out=out)


def consult(
    y: np.ndarray,
    ask: Callable[[int, np.ndarray], None],
    *,
    n_experts: np.ndarray,
    places: np.ndarray | None = None,
    space: Workspace | None = None,
) -> Slab:
    """Ask all experts about all examples of G tasks of one length.

    y: (N, G); ask(g, out) writes the scores of task g into out (N, T); n_experts: (G,), each at least 1;
    places: (N, G), those of the examples in a flat stream, where there is more than this task.
    Without a workspace the slab's arrays are its own.
    """
    shape = (*y.shape, int(n_experts.max()))
    S = np.empty(shape) if space is None else space.array("S", shape)
    L = np.empty(shape) if space is None else space.array("L", shape)
    for g, T in enumerate(n_experts.tolist()):
        ask(g, S[:, g, :T])
        S[:, g, T:] = 0.0
    E = np.clip(S[:-1], -1.0, 1.0, out=L[1:])
    E -= y[:-1, :, None]
    np.square(E, out=E)
    L[0] = 0.0
    for before, after in pairwise(L):  # numpy's own running sum is far slower here
        after += before
    return Slab(np.arange(len(y))[:, None] if places is None else places, n_experts, S, L)


def periods(n: int) -> np.ndarray:
    """(n,): the first t of the doubling period [2^m, 2^(m+1) - 1] that t = 1..n falls into.

    >>> periods(9).tolist()
    [1, 2, 2, 4, 4, 4, 4, 8, 8]
    """
    return 2 ** (np.frexp(np.arange(1, n + 1))[1] - 1)


def trusted(alpha: np.ndarray, horizon: Horizon) -> np.ndarray:
    """(N,): the sum of alpha (N,) that eps_t divides by.

    Known horizon: the sum over the whole task. Unknown: up to the first t of the doubling period, which is all that is
    known of it by then.
    """
    total = np.cumsum(alpha)
    return np.full(len(alpha), total[-1]) if horizon == "known" else total[periods(len(alpha)) - 1]


def temperature(total: np.ndarray, n_experts: np.ndarray) -> np.ndarray:
    """(N, G): eps_t = sqrt(log T / (8 total_t)) for G tasks of T = `n_experts` (G,) experts, total (N,) from `trusted`.

    With one expert or a zero sum it is 0: nothing to tell apart, or nobody asks.
    """
    inverse = np.divide(1.0, np.sqrt(8.0 * total), out=np.zeros(len(total)), where=total > 0)
    return inverse[:, None] * np.sqrt(np.log(n_experts))


def weigh(slab: Slab, eps: np.ndarray, horizon: Horizon, out: np.ndarray | None = None) -> np.ndarray:
    """(N, G, K): weights proportional to exp(-eps_t L_t(i)), not yet divided by their sum; 0 where absent.

    eps: (N, G). L_t(i) is the sum of e_k(i) over k < t, under an unknown horizon from the start of t's doubling period.
    """
    N, L = len(slab.L), slab.L
    P = np.empty(L.shape) if out is None else out
    if horizon == "unknown":
        starts = np.unique(periods(N)) - 1
        for start, end in pairwise([*starts.tolist(), N]):
            np.subtract(slab.L[start:end], slab.L[start], out=P[start:end])
        L = P
    if float(eps.max()) * 4.0 * N > _SAFE_EXPONENT:
        # All weights could underflow: count from the best expert, so that the largest weight is 1.
        best = (L if slab.absent is None else np.where(slab.absent, np.inf, L)).min(axis=2, keepdims=True)
        L = np.subtract(L, best, out=P)
    np.exp(np.multiply(L, -eps[:, :, None], out=P), out=P)
    if slab.absent is not None:
        P[:, slab.absent] = 0.0
    return P


def weighted_mean(P: np.ndarray, values: np.ndarray, total: np.ndarray) -> np.ndarray:
    """(N, G): sum_i P_i values_i / total, for P (N, G, K) or (K,), values (N, G, K), total (N, G) or (G,).

    A tie is a tie: what rounding leaves of a sum that cancels becomes 0, so that its sign is +1 on every machine.
    """
    mean = np.vecdot(P, values) / total
    if (tiny := np.abs(mean) < 1e-10).any():
        size = np.vecdot(np.broadcast_to(P, values.shape)[tiny], np.abs(values[tiny]))
        size /= np.broadcast_to(total, mean.shape)[tiny]
        mean[tiny] = np.where(np.abs(mean[tiny]) <= 1e-14 * size, 0.0, mean[tiny])
    return mean


def draw(P: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One expert (m,) for each row of the unnormalised weights P (m, K), by u (m,) in [0, 1); and the rows' sums (m,).

    It inverts the distribution function in two stages, first a crowd of experts, then an expert in it: one running
    sum over all K would cost as much as the exponentials do. Absent experts at the end change nothing.
    """
    P = np.ascontiguousarray(P)
    m, K = P.shape
    if K <= TINY:
        mass = P @ _up_to(K, 1)
        return _first_above(mass, u * mass[:, -1]), mass[:, -1]
    if K <= FEW:
        size, mass = CROWD, P @ _up_to(K, CROWD)  # with few crowds a product is faster than sums of rows
    else:
        size, mass = LARGE_CROWD, np.cumsum(np.add.reduceat(P, np.arange(0, K, LARGE_CROWD), axis=1), axis=1)
    total = mass[:, -1]
    level = u * total
    crowd = _first_above(mass, level)
    row = np.arange(m)
    start = np.minimum(crowd * size, K - size)  # the last crowd reaches back, to be as large as the others
    pieces = np.ndarray((P.size - size + 1, size), P.dtype, P, strides=(P.itemsize, P.itemsize))  # all, overlapping
    members = pieces[row * K + start] @ _up_to(size, 1)
    # Count the members from the crowd's end, whose sum is known, so that what the last one reaches back to drops out.
    level -= mass.take(row * mass.shape[1] + crowd) - members[:, -1]
    return start + _first_above(members, level), total


@lru_cache(maxsize=2 * FEW)
def _up_to(K: int, size: int) -> np.ndarray:
    """(K, ceil(K / size)): a row of K numbers times this gives its sums up to the end of each crowd of `size`."""
    return (np.arange(K)[:, None] < np.arange(size, K + size, size)).astype(float)


def _first_above(mass: np.ndarray, level: np.ndarray) -> np.ndarray:
    """(m,): in each row of the running sums `mass` (m, k) the first place above `level` (m,).

    The level is kept below the whole, so that rounding never leads to a place that weighs nothing.
    """
    return (mass > np.minimum(level, np.nextafter(mass[:, -1], 0.0))[:, None]).argmax(axis=1)
