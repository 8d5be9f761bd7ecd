"""The best fixed classifier in hindsight, within a ball.

It minimises sum_t c_t max(0, 1 - y_t <w, x_t>) over ||w|| <= R. The problem is convex, but its optimum often lies on
kinks and on the sphere, where gradient descent is slow. With z_t = R y_t x_t and w = R v it is solved by the barrier
method: for mu decreasing to 0, Newton's method minimises over the unit ball

    sum_t min over xi of [c_t xi - mu log xi - mu log(xi - 1 + <z_t, v>)]  -  n mu log(1 - ||v||^2).

The last term counts as much as the n others, so that v does not come near the sphere before it is near the minimum.
The minimum over xi has a closed form, so that only v is searched for. With r_t = xi_t - 1 + <z_t, v>, a_t = mu / r_t
lies in [0, c_t], and for any such a the sum of a_t minus ||sum_t a_t z_t|| is a lower bound of the minimum: every
result comes with a bound on its own error, the duality gap.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from aklo.tasks import Features

TOLERANCE = 1e-9  # gap at which to stop, relative to the sum of c
ACCURATE = 1e-6  # gap up to which a result counts as the minimum, relative to the sum of c
STEPS = 400  # most Newton steps; 40 to 80 are usual
NEAR = 0.1  # twice the gain of a step, over mu, at which v is near the minimum for its mu
SHRINK = 0.1  # by which mu falls then


@dataclass(frozen=True, eq=False)
class Best:
    """The best classifier in a ball.

    Parameters
    ----------
    w
        (d,), with ||w|| <= R.
    losses
        (N,), its hinge losses, not weighted.
    gap
        The most by which its weighted total loss can exceed the minimum.
    accurate
        Whether the gap is at most a millionth of the sum of the weights.
    """

    w: np.ndarray
    losses: np.ndarray
    gap: float
    accurate: bool = True


def best_in_ball(X: Features, y: np.ndarray, *, R: float, weights: np.ndarray | None = None) -> Best:
    """Find the w with ||w|| <= R of least total hinge loss.

    Parameters
    ----------
    X, y
        (N, d) and (N,).
    R
        Radius of the ball, above 0.
    weights
        (N,), c_t >= 0; 1 by default.

    >>> best_in_ball(np.array([[1.0], [0.5]]), np.array([1.0, 1.0]), R=1.0).w.round(3).tolist()
    [1.0]
    """
    if not (np.isfinite(R) and R > 0):
        raise ValueError(f"R is {R:g}, where a finite number above 0 is needed.")
    c = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
    active = np.flatnonzero(c > 0)
    if not len(active):
        w = np.zeros(X.shape[1])
        return Best(w, np.maximum(0.0, 1.0 - y * (X @ w)), 0.0)
    rows = X if len(active) == len(y) else X[active]
    A, lift = _coordinates(rows, y[active])
    v, a = _minimise(R * A, c[active])
    w = lift(R * v)
    norm = float(np.linalg.norm(w))
    w = w * (R / norm) if norm > R else w
    losses = np.maximum(0.0, 1.0 - y * (X @ w))
    # The gap is that of the data itself, whatever was lost in the change of coordinates.
    lowest = float(a.sum() - R * np.linalg.norm((a * y[active]) @ rows))
    gap = max(0.0, float(c @ losses) - max(0.0, lowest))
    return Best(w, losses, gap, gap <= ACCURATE * float(c.sum()))


def _coordinates(X: Features, y: np.ndarray) -> tuple[np.ndarray, Callable[[np.ndarray], np.ndarray]]:
    """Return the y_t x_t as rows (n, k), k <= n, in an orthonormal basis of their span, and the map back from it.

    Outside the span there is nothing to search for, and rounding errors there would cost accuracy.
    If there are more features than rows, the basis comes from the rows' Gram matrix, which is small even if X is wide.
    """
    n, d = X.shape
    if d <= n:
        U, lengths, axes = np.linalg.svd(X.toarray() if sp.issparse(X) else X, full_matrices=False)
        k = max(1, int((lengths > lengths[0] * 1e-12).sum()))
        return y[:, None] * (U[:, :k] * lengths[:k]), lambda u: u @ axes[:k]
    gram = X @ X.T
    values, vectors = np.linalg.eigh((gram.toarray() if sp.issparse(gram) else gram) * np.outer(y, y))
    found = values > max(values[-1], 0.0) * 1e-13
    if not found.any():
        return np.zeros((n, 1)), lambda u: np.zeros(d)
    lengths, basis = np.sqrt(values[found]), vectors[:, found]
    return basis * lengths, lambda u: (y * (basis @ (u / lengths))) @ X


def _minimise(Z: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Minimise sum_t c_t max(0, 1 - <Z_t, v>) over the unit ball; Z: (n, k), c: (n,), above 0.

    Returns
    -------
    The best v (k,), and the a (n,) with the highest lower bound.
    """
    (n, k), total = Z.shape, float(c.sum())
    mu = total / n
    best, least = np.zeros(k), total  # at 0 every hinge loss is 1
    dual, highest = np.zeros(n), 0.0
    point = _Point(Z, c, best, mu)
    for _ in range(STEPS):
        value = float(c @ np.maximum(0.0, point.margin))
        if value < least:
            best, least = point.v, value
        step, a, decrement = point.newton()
        bound = float(a.sum() - np.linalg.norm(a @ Z))
        if bound > highest:
            dual, highest = a, bound
        if least - highest <= TOLERANCE * total or mu * n < 1e-6 * TOLERANCE * total or not np.isfinite(decrement):
            break  # done, or no progress beyond rounding: the gap says how much is left
        point = point.moved(step, decrement)
        if decrement < NEAR:
            mu *= SHRINK
            point = _Point(Z, c, point.v, mu)
    return best, dual


class _Point:
    """A point v (k,) inside the ball, with what Newton's method needs there for one mu."""

    def __init__(self, Z: np.ndarray, c: np.ndarray, v: np.ndarray, mu: float) -> None:
        self.Z, self.c, self.v, self.mu = Z, c, v, mu
        self.margin = 1.0 - Z @ v
        self.g = 1.0 - float(v @ v)
        # xi and r are the positive roots of c = mu / xi + mu / r with xi - r = margin, without cancellation.
        reach = c * np.abs(self.margin)
        far = np.hypot(reach, 2.0 * mu) + reach
        large, small = (2.0 * mu + far) / (2.0 * c), (2.0 * mu + 4.0 * mu**2 / far) / (2.0 * c)
        self.xi, self.r = np.where(self.margin > 0, (large, small), (small, large))

    @property
    def value(self) -> float:
        """The function that Newton's method minimises, divided by mu."""
        logs = float(np.log(self.xi).sum() + np.log(self.r).sum()) + len(self.c) * float(np.log(self.g))
        return float(self.c @ self.xi) / self.mu - logs

    def newton(self) -> tuple[np.ndarray, np.ndarray, float]:
        """Return Newton's step (k,), the a (n,) after it, and how much it gains by its own estimate, times 2 / mu."""
        Z, v, mu, nu = self.Z, self.v, self.mu, len(self.c) * self.mu / self.g
        a = mu / self.r
        D = mu / (self.xi**2 + self.r**2)
        gradient = 2.0 * nu * v - a @ Z
        H = (Z.T * D) @ Z + 4.0 * nu / self.g * np.outer(v, v)
        H[np.diag_indices(len(v))] += 2.0 * nu
        try:
            step = -np.linalg.solve(H, gradient)
        except np.linalg.LinAlgError:
            return np.zeros(len(v)), np.minimum(a, self.c), np.nan
        return step, np.clip(a - D * (Z @ step), 0.0, self.c), float(-(gradient @ step)) / mu

    def moved(self, step: np.ndarray, decrement: float) -> _Point:
        """Return the point after as much of a step as pays. The function is self-concordant: small steps always do."""
        along, across = float(self.v @ step), float(step @ step)
        ahead = along + np.sqrt(along**2 + across * self.g)
        length = min(1.0, 0.9 * self.g / ahead) if ahead > 0 else 1.0  # with 1 for 0.9 it could reach the sphere
        if decrement > NEAR:
            now, safe = self.value, 1.0 / (1.0 + np.sqrt(decrement))
            while length > safe:
                tried = _Point(self.Z, self.c, self.v + length * step, self.mu)
                if tried.value <= now - 0.1 * length * decrement:
                    return tried
                length *= 0.5
            length = safe
        return _Point(self.Z, self.c, self.v + length * step, self.mu)


def best_line(X: Features, y: np.ndarray) -> int:
    """Return the fewest mistakes that any single line through the origin of the plane makes.

    While the vector w turns, its prediction for x changes only where w is at a right angle to x. So all lines are
    counted by a sweep over these angles.

    X: (n, 2), y: (n,) with labels -1 and +1. Examples at the origin are predicted +1 by every line.

    >>> best_line(np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.1]]), np.array([1.0, 1.0, 1.0]))
    0
    """
    X = np.asarray(X, dtype=float)
    if X.shape[1] != 2:
        raise ValueError(f"Lines are found in the plane, but the examples have {X.shape[1]} features.")
    at_origin = ~X.any(axis=1)
    fixed = int((y[at_origin] < 0).sum())
    X, y = X[~at_origin], y[~at_origin]
    if not len(y):
        return fixed
    direction = np.arctan2(X[:, 1], X[:, 0])
    # w enters the half-plane that predicts +1 at direction - 90 degrees, and leaves it at direction + 90 degrees.
    angles = np.concatenate([direction - np.pi / 2, direction + np.pi / 2]) % (2 * np.pi)
    change = np.concatenate([-y, y])
    angles, place = np.unique(angles.round(12), return_inverse=True)
    steps = np.bincount(place, weights=change)
    before = (angles[-1] - 2 * np.pi + angles[0]) / 2  # between the last angle and the first
    start = (np.where(X @ np.array([np.cos(before), np.sin(before)]) >= 0, 1.0, -1.0) != y).sum()
    return fixed + round(float(start + min(np.cumsum(steps).min(), 0.0)))
