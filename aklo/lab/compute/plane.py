"""The plane in which a task is drawn: its two features, or its first two principal components."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from aklo.tasks import Features

DENSE_NUMBERS = 1_000_000  # sparse data up to this size is made dense for PCA, which subtracts the mean


@dataclass(frozen=True)
class Plane:
    """A plane in the feature space: the point u is mean + directions @ u.

    Attributes
    ----------
    mean : (d,).
    directions : (d, 2).
    U : (N, 2), the examples in the plane.
    axes : the names of the axes.
    caption : a sentence on the projection, or "" if there is none.
    """

    mean: np.ndarray
    directions: np.ndarray
    U: np.ndarray
    axes: tuple[str, str]
    caption: str

    @property
    def basis(self) -> np.ndarray:
        """(d, 3): w @ basis is (c0, c1, c2)."""
        return np.column_stack([self.mean, self.directions])

    @property
    def box(self) -> list[float]:
        """[left, right, bottom, top] of all examples, with a margin."""
        low, high = self.U.min(axis=0), self.U.max(axis=0)
        margin = np.maximum(0.12 * (high - low), 0.02 * np.maximum(np.abs(high), np.abs(low)))
        margin[high == low] += 1.0
        return [float(v) for pair in zip(low - margin, high + margin, strict=True) for v in pair]


def plane_of(X: Features) -> Plane:
    """Return the plane for data X (N, d): the features for d <= 2, else the first two principal components."""
    N, d = X.shape
    if d <= 2:
        U = np.zeros((N, 2))
        U[:, :d] = X.toarray() if sp.issparse(X) else X
        return Plane(np.zeros(d), np.eye(d, 2), U, ("x₁", "x₂" if d == 2 else ""), "")
    mean = np.asarray(X.mean(axis=0)).ravel()
    directions, kind = _leading_directions(X, mean)
    caption = (
        f"This task has {d:,} features: the plane shows its first two {kind}. Lines and region are the slice through "
        "the mean of the data; predictions and counts use every feature."
    )
    name = kind.removesuffix("s")
    return Plane(mean, directions, X @ directions - mean @ directions, (f"{name} 1", f"{name} 2"), caption)


def _leading_directions(X: Features, mean: np.ndarray) -> tuple[np.ndarray, str]:
    """Return the two orthonormal directions of largest variance of X (N, d), as (d, 2), and their name."""
    # Imported here because it takes long, and data with two features does not need it.
    from sklearn.decomposition import PCA, TruncatedSVD

    N, d = X.shape
    if sp.issparse(X) and N * d > DENSE_NUMBERS:
        return TruncatedSVD(2, random_state=0).fit(X).components_.T, "singular directions"
    dense = X.toarray() if sp.issparse(X) else X
    directions = np.eye(d, 2)
    if (dense != mean).any():  # otherwise all examples are equal, and any plane will do
        components = PCA(min(2, N), random_state=0).fit(dense).components_
        directions[:, : len(components)] = components.T
    return directions, "principal components"
