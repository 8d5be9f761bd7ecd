"""The best fixed classifier in hindsight, within a ball.

It minimises sum_t c_t max(0, 1 - y_t <w, x_t>) over ||w|| <= R. The problem is convex, but its optimum often lies on
kinks and on the sphere, where gradient descent is slow. A primal-dual interior-point method (Mehrotra's predictor and
corrector) solves the optimality conditions with products mu instead of 0, while mu decreases to 0:

    a_t (xi_t - 1 + y_t <w, x_t>) = mu,  (c_t - a_t) xi_t = mu,  nu (R^2 - ||w||^2) = mu,  sum_t a_t y_t x_t = 2 nu w

For any a_t in [0, c_t], sum_t a_t - R ||sum_t a_t y_t x_t|| is a lower bound of the minimum, so that the result comes
with a bound on its own error, the duality gap.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from aklo.tasks import Features

TOLERANCE = 1e-9  # gap at which to stop, relative to the sum of c
STEPS = 100  # most steps; about twenty are usual


@dataclass(frozen=True, eq=False)
class Best:
    """The best classifier in a ball.

    Parameters
    ----------
    w
        (d,)
    losses
        (N,), its hinge losses, not weighted.
    gap
        The most by which its weighted total loss can exceed the minimum.
    """

    w: np.ndarray
    losses: np.ndarray
    gap: float


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
    active = c > 0
    w, gap = np.zeros(X.shape[1]), 0.0
    if active.any():
        A, lift = _coordinates(X[active], y[active])
        v, gap = _interior_point(R * A, c[active])
        w = lift(R * v)
    return Best(w, np.maximum(0.0, 1.0 - y * (X @ w)), gap)


def _coordinates(X: Features, y: np.ndarray) -> tuple[np.ndarray, Callable[[np.ndarray], np.ndarray]]:
    """Return the y_t x_t as rows (n, k), k <= n, in an orthonormal basis, and the function that maps back."""
    Z = (X.toarray() if sp.issparse(X) else X) * y[:, None]
    if Z.shape[1] <= len(Z):
        return Z, lambda u: u
    Q, A = np.linalg.qr(Z.T)
    return A.T, lambda u: Q @ u


def _interior_point(Z: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, float]:
    """Minimise sum_t c_t max(0, 1 - <Z_t, v>) over the unit ball; return v and the gap. Z: (n, k), c: (n,), above 0."""
    (n, k), total = Z.shape, float(c.sum())
    best, least, highest = np.zeros(k), total, 0.0  # at 0 every hinge loss is 1
    point = _Point(Z, c, np.zeros(k), np.full(n, 2.0), c / 2, total / (2 * n))
    for _ in range(STEPS):
        value = float(c @ np.maximum(0.0, 1.0 - Z @ point.v))
        if value < least:
            best, least = point.v, value
        highest = max(highest, float(point.a.sum() - np.linalg.norm(point.combination)))
        if least - highest <= TOLERANCE * total:
            break
        try:
            with np.errstate(all="raise", under="ignore"):
                point = point.next()
        except (np.linalg.LinAlgError, FloatingPointError):
            break  # no progress beyond rounding; the gap says how much is left
    return best, max(0.0, least - highest)


Step = tuple[np.ndarray, np.ndarray, np.ndarray, float]  # changes of v, xi, a and nu


class _Point:
    """An iterate: v (k,), xi (n,), a (n,) and nu; r, xi, a, b, nu and g must stay positive."""

    def __init__(self, Z: np.ndarray, c: np.ndarray, v: np.ndarray, xi: np.ndarray, a: np.ndarray, nu: float) -> None:
        self.Z, self.c, self.v, self.xi, self.a, self.nu = Z, c, v, xi, a, nu
        self.r, self.b, self.g = xi - 1.0 + Z @ v, c - a, 1.0 - float(v @ v)
        self.combination = a @ Z

    def next(self) -> _Point:
        """Return the next iterate: the predictor estimates the new mu, the corrector adds the second-order terms."""
        a, b, r, xi, nu, g = self.a, self.b, self.r, self.xi, self.nu, self.g
        solve = self._solver()
        ahead = solve(-a * r, -b * xi, -nu * g)
        mu, left = self._mu((self.v * 0, xi * 0, a * 0, 0.0)), self._mu(_times(self._step_length(ahead), ahead))
        aim = mu * max(left / mu, 0.0) ** 3
        dv, dxi, da, dnu = ahead
        dr, dg = dxi + self.Z @ dv, -2.0 * float(self.v @ dv)
        move = solve(
            aim - a * r - da * dr, aim - b * xi + da * dxi, aim - nu * g - dnu * dg + nu * float(dv @ dv)
        )  # fmt: skip
        dv, dxi, da, dnu = _times(min(1.0, 0.99 * self._step_length(move)), move)
        return _Point(self.Z, self.c, self.v + dv, xi + dxi, a + da, nu + dnu)

    def _mu(self, move: Step) -> float:
        """Return the mean of the products after a step."""
        dv, dxi, da, dnu = move
        v, a = self.v + dv, self.a + da
        products = a @ (self.r + dxi + self.Z @ dv) + (self.c - a) @ (self.xi + dxi) + (self.nu + dnu) * (1.0 - v @ v)
        return float(products) / (2 * len(a) + 1)

    def _solver(self) -> Callable[[np.ndarray, np.ndarray, float], Step]:
        """Return the Newton step that changes a r by k1, b xi by k2 and nu g by k3, with sum_t a_t z_t = 2 nu v."""
        Z, v, a, b, nu, g = self.Z, self.v, self.a, self.b, self.nu, self.g
        both = a * self.xi + b * self.r
        D = a * b / both
        H = (Z.T * D) @ Z + 4.0 * nu / g * np.outer(v, v)
        H[np.diag_indices(len(v))] += 2.0 * nu

        def solve(k1: np.ndarray, k2: np.ndarray, k3: float) -> Step:
            push = (b * k1 - a * k2) / both
            dv = np.linalg.solve(H, self.combination - 2.0 * nu * v + push @ Z - 2.0 * k3 / g * v)
            da = push - D * (Z @ dv)
            return dv, (k2 + self.xi * da) / b, da, (k3 + 2.0 * nu * float(v @ dv)) / g

        return solve

    def _step_length(self, move: Step) -> float:
        """Return the largest fraction of a step, at most 1, that keeps r, xi, a, b, nu and g positive."""
        dv, dxi, da, dnu = move
        now = np.concatenate([self.r, self.xi, self.a, self.b, [self.nu]])
        change = np.concatenate([dxi + self.Z @ dv, dxi, da, -da, [dnu]])
        falls = change < 0
        most = float(np.min(now[falls] / -change[falls], initial=1.0))
        across, along = float(dv @ dv), float(self.v @ dv)
        ahead = along + np.sqrt(along**2 + across * self.g)  # where 1 - |v + s dv|^2 becomes 0, s = g / this
        return min(most, self.g / ahead) if ahead > 0 else most


def _times(length: float, move: Step) -> Step:
    dv, dxi, da, dnu = move
    return length * dv, length * dxi, length * da, length * dnu
