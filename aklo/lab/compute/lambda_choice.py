"""The choice of lambda for the settings' stream by the paper's rule: the least ITOL error, ties to the smaller.

Each candidate is cached when it is computed, so that a stop loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import scipy.sparse as sp

from aklo.lab.compute import runs
from aklo.lab.compute.stream_spec import StreamSpec
from aklo.lab.server import work_rate, worker, worker_tasks
from aklo.lab.session.cached import cached
from aklo.lab.settings.schema import Settings
from aklo.lambda_choice import LAMBDAS, LambdaChoice

DENSE, SPARSE = 4e-9, 2e-6  # assumed seconds for a number, and for an example of a sparse stream; one lambda
UNASKED = 0.5  # such seconds up to which the choice is made without a click
KIND = "one lambda"  # of work, for `work_rate`


def units(settings: Settings) -> float:
    """Return the work for one lambda, as the seconds that it takes on a usual machine."""
    stream = runs.stream(settings)
    return SPARSE * len(stream.y) if sp.issparse(stream.X) else DENSE * stream.X.size


def is_cheap(settings: Settings) -> bool:
    """Return whether lambda is chosen without a click."""
    return len(LAMBDAS) * units(settings) <= UNASKED


def seconds(settings: Settings) -> float:
    """Return an estimate of the seconds for the missing candidates, from measurements on this machine."""
    return work_rate.rate(KIND, 1.0) * units(settings) * len(_missing(settings))


def share_done(settings: Settings) -> float:
    """Return the share of the candidates whose errors are cached."""
    return 1 - len(_missing(settings)) / len(LAMBDAS)


def key(settings: Settings) -> tuple[StreamSpec, int]:
    """Return what the choice depends on."""
    return StreamSpec.of(settings), settings.seed


def compute(settings: Settings, progress: Callable[[float], None]) -> LambdaChoice:
    """Return the chosen lambda, and the ACE of ITOL for every candidate.

    progress: called with the share that is done.
    """
    known, stream = _known(*key(settings)), runs.stream(settings)
    for lam in _missing(settings):
        if is_cheap(settings):
            known[lam] = worker_tasks.itol_error(stream, lam)
        else:
            with work_rate.measured(KIND, units(settings)):
                known[lam] = worker.call(
                    worker_tasks.itol_error, stream, lam, meanwhile=lambda: progress(share_done(settings))
                )
        progress(share_done(settings))
    errors = pd.Series([known[lam] for lam in LAMBDAS], index=pd.Index(LAMBDAS, name="lambda"), name="ACE")
    return LambdaChoice(lam=float(errors.idxmin()), errors=errors)


def _missing(settings: Settings) -> list[float]:
    known = _known(*key(settings))
    return [lam for lam in LAMBDAS if lam not in known]


@cached(max_entries=64)
def _known(spec: StreamSpec, seed: int) -> dict[float, float]:
    """Return the cache of computed candidates: lambda -> ACE of ITOL."""
    return {}
