"""The paper's rule for lambda: the value with the least error of ITOL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from aklo.experiment import mix_together
from aklo.knowledge import Clip, Horizon
from aklo.learned import learn_together, traces
from aklo.learner import checked_lams
from aklo.methods import wrong as is_wrong
from aklo.rules import checked_methods
from aklo.schedules import Schedule
from aklo.sources import Source, checked_source, generated
from aklo.tasks import TaskStream, check_seed

LAMBDAS = tuple(10.0**power for power in range(-3, 4))


@dataclass(frozen=True, eq=False)
class LambdaChoice:
    """The chosen lambda, and the ACE for every candidate."""

    lam: float
    errors: pd.Series


def choose_lambda(
    source: Source,
    lams: Sequence[float] = LAMBDAS,
    *,
    method: str = "ITOL",
    alpha: Schedule | str | None = None,
    clip: Clip = "sum",
    horizon: Horizon = "known",
    seed: int = 0,
) -> LambdaChoice:
    """Choose lambda by the paper's rule: the least ITOL error, ties to the smaller lambda.

    Parameters
    ----------
    source
        A stream, or several (repetitions or training sets) over whose tasks the error is averaged; or a generator
        such as `aklo.syn1`, whose stream of `seed` is taken.
    lams
        The candidates.
    method
        The method whose error is to be least; ITOL is the paper's.
    alpha, clip, horizon, seed
        As in `aklo.mix`; they make no difference for ITOL, TOL and rules that set their own alpha.
    """
    if len(lams) == 0:
        raise ValueError("At least one lambda is needed to choose from.")
    ordered = np.sort(checked_lams(lams))
    check_seed(seed)
    source = checked_source(source)
    source = generated(source, seed) if callable(source) else source
    streams = [source] if isinstance(source, TaskStream) else list(source)
    checked_methods([method])
    if method == "ITOL":  # all lambdas at a time, and the learners only
        y = np.concatenate([stream.y for stream in streams])
        wrong = is_wrong(traces(streams, ordered, joint=False)[0].score, y)
    else:
        found = []
        for lam in ordered:
            learned = learn_together(streams, lam=lam, budget=0)
            seeds = [seed] * len(streams)
            run = mix_together(learned, alpha=alpha, clip=clip, horizon=horizon, seeds=seeds, methods=[method])
            found.append(run.wrong)
        wrong = np.concatenate(found)
    lengths = np.concatenate([stream.lengths for stream in streams])
    starts = np.cumsum(lengths) - lengths
    shares = np.add.reduceat(wrong, starts, axis=1, dtype=np.intp) / lengths
    errors = pd.Series(shares.mean(axis=1), index=pd.Index(ordered, name="lambda"), name="ACE")
    return LambdaChoice(lam=float(errors.idxmin()), errors=errors)
