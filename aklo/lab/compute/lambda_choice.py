"""The choice of lambda for the settings' stream by the paper's rule: the least ITOL error, ties to the smaller.

Each candidate is cached when it is computed, so that a stop loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import scipy.sparse as sp

from aklo.lab.compute import runs
from aklo.lab.compute.partial_results import PartialResults
from aklo.lab.compute.stream_spec import StreamSpec
from aklo.lab.server import worker, worker_tasks
from aklo.lab.session.cached import cached_dict
from aklo.lab.settings.schema import Settings
from aklo.lambda_choice import LAMBDAS, LambdaChoice

DENSE, SPARSE = 4e-9, 2e-6  # assumed seconds for a number, and for an example of a sparse stream; one lambda
UNASKED = 0.5  # such seconds up to which the choice is made without a click


def results(settings: Settings) -> PartialResults[float, float]:
    """Return the candidates: lambda -> ACE of ITOL. The unit of work is a second on a usual machine."""
    stream = runs.stream(settings)
    units = SPARSE * len(stream.y) if sp.issparse(stream.X) else DENSE * stream.X.size
    return PartialResults(LAMBDAS, _known(*key(settings)), units, UNASKED, "one lambda", guess=1.0)


def key(settings: Settings) -> tuple[StreamSpec, int]:
    """Return what the choice depends on."""
    return StreamSpec.of(settings), settings.seed


def compute(settings: Settings, progress: Callable[[float], None]) -> LambdaChoice:
    """Return the chosen lambda, and the ACE of ITOL for every candidate.

    progress: called with the share that is done.
    """
    found, stream = results(settings), runs.stream(settings)
    for lam in found.missing:
        if found.is_cheap:
            found.known[lam] = worker_tasks.itol_error(stream, lam)
        else:
            with found.measured():
                found.known[lam] = worker.call(
                    worker_tasks.itol_error, stream, lam, meanwhile=lambda: progress(found.share_done)
                )
        progress(found.share_done)
    errors = pd.Series([found.known[lam] for lam in LAMBDAS], index=pd.Index(LAMBDAS, name="lambda"), name="ACE")
    return LambdaChoice(lam=float(errors.idxmin()), errors=errors)


_known = cached_dict("lambda_choice", max_entries=64)
