"""Tests of differences: Student's for pairs, Welch's for two means, and Holm's correction for several at a time."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtr


def paired_p(gaps: np.ndarray) -> np.ndarray:
    """Return (k,), the two-sided p-values of Student's test that the mean of each column of gaps (R, k) is 0.

    Columns that do not vary have p = 1 if they are 0, else p = 0. For one repetition all are NaN.

    >>> paired_p(np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]])).round(3).tolist()
    [0.074, 1.0]
    """
    n = len(gaps)
    if n < 2:
        return np.full(gaps.shape[1], np.nan)
    mean, error = gaps.mean(axis=0), gaps.std(axis=0, ddof=1) / np.sqrt(n)
    flat = error <= 1e-15 * np.maximum(1.0, np.abs(mean))
    t = np.divide(np.abs(mean), error, out=np.where(np.abs(mean) > 1e-15, np.inf, 0.0), where=~flat)
    return 2 * stdtr(n - 1, -t)


def holm(p: np.ndarray) -> np.ndarray:
    """Return (k,), p-values corrected for k comparisons by Holm's method; NaN are left out of the count.

    The smallest is multiplied by k, the next by k - 1 and so on; none becomes smaller than one before it, or above 1.
    Calling those below 0.05 different errs for any of them in at most 5 % of cases.

    >>> holm(np.array([0.01, 0.04, 0.03, np.nan])).tolist()
    [0.03, 0.06, 0.06, nan]
    """
    corrected = np.full(len(p), np.nan)
    order = np.argsort(p)[: np.count_nonzero(~np.isnan(p))]  # NaN are last
    factors = np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(p[order] * factors), 1.0)
    return corrected


def welch_p(mean: float, std: float, n: int, other_mean: float, other_std: float, other_n: int) -> float:
    """Return the two-sided p-value of Welch's test that two means are equal, from means, deviations and numbers.

    NaN if a number is below 2, or if neither varies.

    >>> round(welch_p(11.0, 2.0, 10, 12.8, 2.5, 10), 3)
    0.093
    """
    if min(n, other_n) < 2:
        return float("nan")
    a, b = std**2 / n, other_std**2 / other_n
    if not a + b > 0:
        return float("nan")
    freedom = (a + b) ** 2 / (a**2 / (n - 1) + b**2 / (other_n - 1))
    return float(2 * stdtr(freedom, -abs(mean - other_mean) / np.sqrt(a + b)))
