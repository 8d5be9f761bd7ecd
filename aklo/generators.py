"""The generators of synthetic streams: syn1, syn2 and conflict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from aklo.tasks import LARGEST, TaskStream, check_seed

Order = Literal["shuffled", "blocks", "alternating"]
ORDERS: tuple[Order, ...] = ("shuffled", "blocks", "alternating")
Pair = tuple[float, float]
MOST_EXAMPLES = 50_000_000  # of a generated stream: 800 MB


def syn1(
    n_tasks: int = 50,
    n_examples: int = 100,
    *,
    mean1: Pair = (10.0, 10.0),
    mean2: Pair = (20.0, 5.0),
    vector1: Pair = (-1.0, 1.0),
    vector2: Pair = (-0.25, 1.0),
    spread: float = 1.0,
    sd: float = 1e-3,
    share: float = 0.5,
    order: Order = "shuffled",
    seed: int = 0,
) -> TaskStream:
    """Generate the paper's first synthetic stream: two groups of tasks in different regions of the plane.

    Group 0 (D1): x ~ N(mean1, spread^2 I), y = sign((vector1 + e).x); group 1 (D2): the same with mean2 and
    vector2. The noise e ~ N(0, sd^2) is one number for each task. A fraction `share` of the tasks belongs to D2.

    >>> stream = syn1(n_tasks=4, n_examples=3, order="alternating")
    >>> stream.groups, stream.X.shape
    ((0, 1, 0, 1), (12, 2))
    """
    return _two_groups(
        n_tasks,
        n_examples,
        (mean1, mean2),
        (vector1, vector2),
        0.0,
        spread=spread,
        sd=sd,
        share=share,
        order=order,
        seed=seed,
    )


def syn2(
    n_tasks: int = 50,
    n_examples: int = 100,
    *,
    mean: Pair = (10.0, 10.0),
    vector: Pair = (-1.0, 1.0),
    spread: float = 1.0,
    sd: float = 1e-3,
    share: float = 0.5,
    order: Order = "shuffled",
    seed: int = 0,
) -> TaskStream:
    """Generate the paper's second synthetic stream: two groups with opposite labels in one region of the plane.

    x ~ N(mean, spread^2 I); D1: y = sign(a.x), D2: y = sign(-a.x), a = vector + e. The paper does not state the
    mean. Equal to `conflict` at 180 degrees.
    """
    return conflict(
        180.0, n_tasks, n_examples, mean=mean, vector=vector, spread=spread, sd=sd, share=share, order=order, seed=seed
    )


def conflict(
    angle: float = 90.0,
    n_tasks: int = 50,
    n_examples: int = 100,
    *,
    mean: Pair = (0.0, 0.0),
    vector: Pair = (-1.0, 1.0),
    spread: float = 1.0,
    sd: float = 1e-3,
    share: float = 0.5,
    order: Order = "shuffled",
    seed: int = 0,
) -> TaskStream:
    """Generate two groups of tasks whose labelling vectors differ by an angle in degrees.

    x ~ N(mean, spread^2 I); D1: y = sign(a.x), a = vector + e; D2: the same with a rotated by `angle`. The default
    mean is the origin, because far from it a rotated vector would give all examples the same label.
    """
    if not np.isfinite(angle):
        raise ValueError(f"angle is {angle}, where a number of degrees is needed.")
    return _two_groups(
        n_tasks,
        n_examples,
        (mean, mean),
        (vector, vector),
        angle,
        spread=spread,
        sd=sd,
        share=share,
        order=order,
        seed=seed,
    )


def _two_groups(
    n_tasks: int,
    n_examples: int,
    means: tuple[Pair, Pair],
    vectors: tuple[Pair, Pair],
    angle: float,
    *,
    spread: float,
    sd: float,
    share: float,
    order: Order,
    seed: int,
) -> TaskStream:
    """Generate a stream of two groups; group 1's vectors are rotated by `angle` after e is added."""
    for name, number in (("n_tasks", n_tasks), ("n_examples", n_examples)):
        if not isinstance(number, (int, np.integer)) or number < 1:
            raise ValueError(f"{name} is {number}, where a whole number of at least 1 is needed.")
    if n_tasks * n_examples > MOST_EXAMPLES:
        raise ValueError(
            f"n_tasks and n_examples make {n_tasks * n_examples:,} examples, where at most {MOST_EXAMPLES:,} are made."
        )
    for name, value, most in (("spread", spread, np.inf), ("sd", sd, np.inf), ("share", share, 1.0)):
        if not 0 <= value <= most or not np.isfinite(value):
            raise ValueError(f"{name} is {value}, which is outside 0 to {most:g}.")
    for name, pair in zip(("mean", "mean", "vector", "vector"), (*means, *vectors), strict=True):
        if np.shape(pair) != (2,):
            raise ValueError(f"A {name} is {pair!r}, where a pair of numbers is needed.")
    check_seed(seed)
    noise = Noise.draw(n_tasks, n_examples, share=share, order=order, seed=seed)
    groups = noise.groups
    with np.errstate(all="ignore"):  # the check below reports values that are too large
        a = np.array(vectors, dtype=float)[groups] + sd * noise.e
        a = np.where(groups[:, None] == 1, a @ _rotation(angle).T, a)
        X = np.array(means, dtype=float)[groups][:, None, :] + spread * noise.z
    if not (np.abs(X) <= LARGEST).all() or not (np.abs(a) <= LARGEST).all():
        raise ValueError(f"The means, vectors, spread and sd of a stream must keep its numbers below {LARGEST:g}.")
    y = np.where(np.einsum("knd,kd->kn", X, a) >= 0, 1.0, -1.0)
    return TaskStream(
        X=X.reshape(-1, 2),
        y=y.ravel(),
        offsets=np.arange(n_tasks + 1) * n_examples,
        groups=tuple(groups.tolist()),
        names=tuple(f"task {k} (D{g + 1})" for k, g in enumerate(groups)),
        vectors=a,
    )


@dataclass(frozen=True, eq=False)
class Noise:
    """What is random in a stream of two groups; means, vectors, angle, spread and sd only move and scale it.

    Attributes
    ----------
    groups : (T,), the group of each task, 0 or 1.
    e : (T, 1), standard normal, the noise of each task's labelling vector.
    z : (T, N, 2), standard normal, the examples around their mean.
    """

    groups: np.ndarray
    e: np.ndarray
    z: np.ndarray

    @classmethod
    def draw(cls, n_tasks: int, n_examples: int, *, share: float, order: str, seed: int) -> Noise:
        """Draw the noise of a stream, as the generators do."""
        # One generator for each source of randomness, so that scaling the noise leaves everything else unchanged.
        by_order, by_e, by_x = (np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(3))
        groups = _group_sequence(n_tasks, share, order, by_order)
        return cls(groups, by_e.standard_normal((n_tasks, 1)), by_x.standard_normal((n_tasks, n_examples, 2)))


def _group_sequence(n_tasks: int, share: float, order: str, rng: np.random.Generator) -> np.ndarray:
    """Return (n_tasks,) group indices, round(share * n_tasks) of them 1 and the rest 0, in the given order."""
    n_ones = int(np.floor(share * n_tasks + 0.5))
    if order == "blocks":
        return np.repeat([0, 1], [n_tasks - n_ones, n_ones])
    if order == "alternating":
        # Task k is a 1 if the line of slope n_ones / n_tasks passes an integer there: the ones are evenly spread.
        return np.diff(np.arange(n_tasks + 1) * n_ones // n_tasks)
    if order == "shuffled":
        return rng.permutation(np.repeat([0, 1], [n_tasks - n_ones, n_ones]))
    raise ValueError(f"order is {order!r}, which is not one of {', '.join(ORDERS)}.")


def _rotation(angle: float) -> np.ndarray:
    """Return the (2, 2) rotation by `angle` degrees, rounded so that 180 degrees is exactly -I, as syn2 needs."""
    c, s = np.round([np.cos(np.radians(angle)), np.sin(np.radians(angle))], 15)
    return np.array([[c, -s], [s, c]])
