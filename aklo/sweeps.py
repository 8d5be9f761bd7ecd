"""Sweeps: many lambdas, schedules, clips and horizons on the same repetitions, here or on a cluster.

The work goes through joblib, so `joblib.parallel_config(backend="dask")`, or Ray's, carries it to a cluster.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, product
from typing import NamedTuple

import pandas as pd
from joblib import Parallel, delayed

from aklo.knowledge import Clip, Horizon
from aklo.repetition import Source, repeat_many
from aklo.schedules import Schedule

_MIXES = 8  # schedules a job takes: enough to pay for its learning, few enough to spread
COLUMNS = ("lambda", "alpha", "clip", "horizon", "method", "mean", "std", "repetitions", "seed")


class Cell(NamedTuple):
    """One point of a sweep."""

    lam: float
    alpha: Schedule
    clip: Clip
    horizon: Horizon

    @property
    def key(self) -> tuple[str, str, str, str]:
        """The cell as a table's first four columns write it."""
        return (repr(self.lam), self.alpha.spec, self.clip, self.horizon)


def grid(
    lams: Sequence[float],
    alphas: Sequence[Schedule],
    clips: Sequence[Clip] = ("sum",),
    horizons: Sequence[Horizon] = ("known",),
) -> list[Cell]:
    """Every combination that exists: a schedule that needs the horizon is left out where it is unknown."""
    cells = [
        Cell(float(lam), alpha, clip, horizon) for lam, alpha, clip, horizon in product(lams, alphas, clips, horizons)
    ]
    return [cell for cell in cells if not (cell.alpha.needs_horizon and cell.horizon == "unknown")]


def sweep(
    source: Source, cells: Sequence[Cell], *, n: int = 10, seed: int = 0, jobs: int = 1
) -> Iterator[pd.DataFrame]:
    """The cells' results as they come, in order: tables with one row a method and the columns COLUMNS.

    source, n, seed: as in `repeat`; jobs: how many processes (-1: all cores), where no other backend is set.
    Every cell sees the same repetitions, so their differences are paired, and no number depends on `jobs`.
    """
    work = []
    for lam, group in groupby(sorted(dict.fromkeys(cells), key=lambda cell: cell.lam), key=lambda cell: cell.lam):
        same = list(group)
        work += [(lam, same[i : i + _MIXES]) for i in range(0, len(same), _MIXES)]
    parallel = Parallel(n_jobs=jobs, return_as="generator")
    yield from parallel(delayed(_job)(source, n, seed, lam, part) for lam, part in work)


def _job(source: Source, n: int, seed: int, lam: float, cells: Sequence[Cell]) -> pd.DataFrame:
    """The rows of some cells that share a lambda."""
    results = repeat_many(source, n, lam=lam, mixes=[(c.alpha, c.clip, c.horizon) for c in cells], seed=seed)
    rows = []
    for cell, result in zip(cells, results, strict=True):
        for method, mean, std in result.table.itertuples():
            rows.append((cell.lam, *cell.key[1:], method, mean, std, n, seed))
    return pd.DataFrame(rows, columns=list(COLUMNS))
