"""Sweeps: grids of lambdas, schedules, clips and horizons on the same repetitions.

The work is done by joblib, so `joblib.parallel_config(backend="dask")` sends it to a cluster.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, product
from typing import NamedTuple

import pandas as pd
from joblib import Parallel, delayed

from aklo.knowledge import Clip, Horizon
from aklo.learner import checked_lams
from aklo.methods import METHODS
from aklo.repetition import repeat_many
from aklo.rules import RULES, Method, adopt, checked_methods
from aklo.schedules import Schedule, as_schedule
from aklo.sources import Source

_MIXES = 8  # schedules of one job: enough to make up for learning, few enough to distribute
COLUMNS = ("lambda", "alpha", "clip", "horizon", "method", "repetition", "ace", "seed")


class Cell(NamedTuple):
    """One combination of settings in a sweep."""

    lam: float
    alpha: Schedule
    clip: Clip
    horizon: Horizon

    @property
    def key(self) -> tuple[str, str, str, str]:
        """The cell as text, as in the first four columns of a table."""
        return (repr(self.lam), self.alpha.spec, self.clip, self.horizon)


def grid(
    lams: Sequence[float],
    alphas: Sequence[Schedule | str],
    clips: Sequence[Clip] = ("sum",),
    horizons: Sequence[Horizon] = ("known",),
) -> list[Cell]:
    """Return all combinations, except schedules that need N with an unknown horizon.

    >>> (cell,) = grid([0.1], ["linear:end=0.5", "power"], horizons=["unknown"])
    >>> cell.alpha
    Power(k=0.5)
    """
    schedules = [as_schedule(alpha) for alpha in alphas]
    cells = [
        Cell(float(lam), alpha, clip, horizon)
        for lam, alpha, clip, horizon in product(checked_lams(lams), schedules, clips, horizons)
    ]
    return [cell for cell in cells if not (cell.alpha.needs_horizon and cell.horizon == "unknown")]


def sweep(
    source: Source,
    cells: Sequence[Cell],
    *,
    n: int = 10,
    seed: int = 0,
    jobs: int = 1,
    methods: Sequence[str] = METHODS,
) -> Iterator[pd.DataFrame]:
    """Yield the results of the cells in order, as data frames with the columns COLUMNS.

    A row is one method in one repetition of one cell, `ace` its average cumulative error. All cells use the same
    repetitions, so that differences between rows of one repetition are paired; the results do not depend on `jobs`.

    Parameters
    ----------
    source, n, seed, methods
        As in `aklo.repeat`.
    cells
        The settings, for example from `grid`.
    jobs
        Number of processes, -1 for all cores, unless another joblib backend is active.

    >>> from aklo import syn1
    >>> table = pd.concat(sweep(syn1, grid([0.001], ["linear", "power"]), n=2))
    >>> paired = table.pivot_table(index=["method", "repetition"], columns="alpha", values="ace")
    >>> paired.shape
    (12, 2)
    """
    cells = [Cell(float(lam), as_schedule(alpha), clip, horizon) for lam, alpha, clip, horizon in cells]
    # The methods themselves rather than their names: another process has not run the script that defines a rule.
    asked = [RULES[name] for name in checked_methods(methods)]
    work = []
    for lam, group in groupby(sorted(dict.fromkeys(cells), key=lambda cell: cell.lam), key=lambda cell: cell.lam):
        same = list(group)
        work += [(lam, same[i : i + _MIXES]) for i in range(0, len(same), _MIXES)]
    parallel = Parallel(n_jobs=jobs, return_as="generator")
    yield from parallel(delayed(_job)(source, n, seed, lam, part, asked) for lam, part in work)


def _job(
    source: Source, n: int, seed: int, lam: float, cells: Sequence[Cell], methods: Sequence[Method]
) -> pd.DataFrame:
    """Compute the rows of cells with the same lambda."""
    names = adopt(methods)
    mixes = [(c.alpha, c.clip, c.horizon) for c in cells]
    results = repeat_many(source, n, lam=lam, mixes=mixes, seed=seed, methods=names)
    rows = []
    for cell, result in zip(cells, results, strict=True):
        for i, shares in enumerate(result.shares):
            rows += [
                (cell.lam, *cell.key[1:], method, i, ace, seed)
                for method, ace in zip(result.methods, shares, strict=True)
            ]
    return pd.DataFrame(rows, columns=list(COLUMNS))
