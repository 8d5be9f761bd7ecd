"""What repetitions found: means, standard deviations and paired differences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from aklo.methods import METHODS, index_of
from aklo.significance import holm, paired_p
from aklo.wording import count


@dataclass(frozen=True, eq=False)
class Repeats:
    """The errors of m methods in R repetitions of T tasks.

    Parameters
    ----------
    task_errors
        (R, m, T), the share of wrong predictions in each task.
    methods
        The m methods; the paper's six by default.
    """

    task_errors: np.ndarray
    methods: tuple[str, ...] = METHODS

    def __repr__(self) -> str:
        n, _, n_tasks = self.task_errors.shape
        aces = ", ".join(f"{name} {100 * mean:.1f} %" for name, mean in zip(self.methods, self.moments[0], strict=True))
        return f"<Repeats: {count(n, 'repetition')} of {count(n_tasks, 'task')}; mean ACE: {aces}>"

    @cached_property
    def shares(self) -> np.ndarray:
        """(R, m), the average cumulative error of each repetition and method, in [0, 1]."""
        return self.task_errors.mean(axis=2)

    @cached_property
    def ace(self) -> pd.DataFrame:
        """(R, m), the same as a data frame with the methods as columns."""
        return pd.DataFrame(self.shares, columns=index_of(self.methods))

    @cached_property
    def moments(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean (m,) and standard deviation (m,) of each method's ACE, with divisor R - 1; NaN for one repetition."""
        std = self.shares.std(axis=0, ddof=1) if len(self.shares) > 1 else np.full(len(self.methods), np.nan)
        return self.shares.mean(axis=0), std

    @property
    def table(self) -> pd.DataFrame:
        """Data frame, method -> mean and std of its ACE, as in `moments`."""
        return pd.DataFrame(dict(zip(("mean", "std"), self.moments, strict=True)), index=index_of(self.methods))

    @property
    def ace_after(self) -> np.ndarray:
        """(R, m, T), the ACE of the tasks up to each one."""
        return np.cumsum(self.task_errors, axis=2) / np.arange(1, self.task_errors.shape[2] + 1)

    def differences(self, level: float = 0.95) -> pd.DataFrame:
        """Compare every pair of methods by their paired repetitions.

        The columns are first, second, the mean of first - second, and its confidence interval low to high. Both
        methods see the same data in the same order, so their difference varies less than either error. The interval
        is Student's, mean ± t(level, R - 1) s / sqrt(R); NaN for one repetition. It covers what the repetitions vary:
        if one stream was shuffled, as with data of one's own, the order alone and not other data of the kind.
        """
        rows = [
            (first, second, *row)
            for i, first in enumerate(self.methods)
            for second, row in zip(self.methods[i + 1 :], self._gaps(first, level)[i + 1 :], strict=True)
        ]
        return pd.DataFrame(rows, columns=["first", "second", "mean", "low", "high"])

    def minus(self, reference: str, level: float = 0.95) -> pd.DataFrame:
        """Return, for each method, its error minus the reference's: mean, low and high as in `differences`.

        A negative row is a method with fewer mistakes than the reference. The reference's own row is NaN.

        >>> repeats = Repeats(np.array([[[0.30], [0.20]], [[0.28], [0.20]]]), ("ITOL", "AKLO Sum"))
        >>> repeats.minus("ITOL").round(2)  # AKLO Sum makes 9 mistakes fewer in a hundred
        method minus ITOL  mean   low  high
        ITOL                NaN   NaN   NaN
        AKLO Sum          -0.09 -0.22  0.04
        """
        columns = dict(zip(("mean", "low", "high"), self.gaps(reference, level), strict=True))
        frame = pd.DataFrame(columns, index=index_of(self.methods))
        return frame.rename_axis(columns=f"method minus {reference}")

    def against(self, reference: str, level: float = 0.95) -> pd.DataFrame:
        """Return `minus(reference)`, whose name says which is subtracted from which; this one is kept for old code."""
        return self.minus(reference, level)

    def gaps(self, reference: str, level: float = 0.95) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the columns of `minus` as arrays (m,): mean, low, high."""
        mean, low, high = -self._gaps(reference, level).T
        for values in (mean, low, high):
            values[self._index(reference)] = np.nan
        return mean, high, low

    def p_values(self, reference: str) -> pd.DataFrame:
        """Return method -> p and corrected: whether its difference to the reference is more than chance.

        p is that of Student's paired test by itself. `corrected` takes into account that all methods are compared with
        the reference (Holm): if all were equal, some `corrected` would be below 0.05 in at most 5 % of cases. Both are
        NaN for the reference, and for one repetition.

        If the reference is the best method, it was chosen by the same repetitions, so that all pairs are compared:
        `corrected` is Holm's over these.
        """
        gaps = self.shares - self.shares[:, [self._index(reference)]]
        p = paired_p(gaps)
        p[self._index(reference)] = np.nan
        if self.shares.mean(axis=0).argmin() != self._index(reference):
            corrected = holm(p)
        else:
            i, j = np.triu_indices(len(self.methods), 1)
            pairs = holm(paired_p(self.shares[:, i] - self.shares[:, j]))
            corrected = np.full(len(p), np.nan)
            for first, second, value in zip(i, j, pairs, strict=True):
                if self._index(reference) in (first, second):
                    corrected[first + second - self._index(reference)] = value
        return pd.DataFrame({"p": p, "corrected": corrected}, index=index_of(self.methods))

    def _gaps(self, first: str, level: float) -> np.ndarray:
        """Return (m, 3), mean, low and high of first - method for each method."""
        if not 0 < level < 1:
            raise ValueError(f"The level is {level}, which is outside 0 to 1.")
        n = len(self.shares)
        gap = self.shares[:, [self._index(first)]] - self.shares
        mean = gap.mean(axis=0)
        half = np.full(len(mean), np.nan)
        if n > 1:
            half = stdtrit(n - 1, 0.5 + level / 2) * gap.std(axis=0, ddof=1) / np.sqrt(n)
        return np.stack([mean, mean - half, mean + half], axis=1)

    def _index(self, method: str) -> int:
        if method not in self.methods:
            raise ValueError(f"{method!r} was not repeated: choose from {'; '.join(self.methods)}.")
        return self.methods.index(method)
