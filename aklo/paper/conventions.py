"""Conventions that the paper leaves open, and the effect of changing each of them alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from aklo.experiment import READINGS, Reading, Run, mix
from aklo.generators import syn1, syn2
from aklo.learned import learn
from aklo.methods import METHODS
from aklo.paper.reproduction import LAM, REPETITIONS, Study, study
from aklo.repeats import Repeats
from aklo.repetition import repeat
from aklo.replay import Replay
from aklo.schedules import Linear
from aklo.sources import child, one_repetition, seed_of_draws
from aklo.tasks import TaskStream

TABULATED = READINGS["as tabulated"]
BELOW = 3e-4  # the lambda at which all six cells of Landmine are near the paper's; its grid begins at 1e-3
USERS = tuple(f"inbox {k}" for k in range(14))  # u00 to u13, the first 14 of Spam's 15


@dataclass(frozen=True, eq=False)
class Choice:
    """A convention with an alternative.

    Parameters
    ----------
    convention
        Name to display.
    ours
        The choice in the reading "as tabulated".
    other
        The alternative.
    dataset
        The dataset on which it is tried.
    measure
        measure(n, seed) repeats the six methods under the alternative.
    """

    convention: str
    ours: str
    other: str
    dataset: str
    measure: Callable[[int, int], Repeats]


def choices(studies: Sequence[Study] = (), lams: Mapping[str, float] | None = None) -> list[Choice]:
    """Return all conventions that can be tried.

    Parameters
    ----------
    studies
        Real datasets; without them only conventions on synthetic data are returned.
    lams
        Dataset -> lambda by the paper's rule, if known already.
    """
    lams = {} if lams is None else lams
    given = {one.dataset: one for one in studies}
    make_syn1 = study("syn1").make
    by_sum, to_zero = Reading(Linear(end=0.5), "sum"), Reading(Linear(), "advice")
    noisy, shifted = partial(syn1, sd=math.sqrt(1e-3)), partial(syn2, mean=(12.0, 12.0))
    found = [
        Choice(
            "Where the clip stands",
            "on each expert",
            "after the sum",
            "syn1",
            partial(_repeat, make_syn1, reading=by_sum),
        ),
        Choice("Where alpha ends", "at ½", "at 0", "syn1", partial(_repeat, make_syn1, reading=to_zero)),
        Choice(
            "Losses behind p_t",
            "before t",
            "up to t, peeking at y_t",
            "syn1",
            partial(_repeat_by_task, make_syn1, peeking),
        ),
        Choice("0.001 for the wobble e", "standard deviation", "variance", "syn1", partial(_repeat, noisy)),
        Choice("syn2's mean μ", "[10, 10]", "[12, 12]", "syn2", partial(_repeat, shifted)),
        Choice("sign(0)", "+1", "−1", "syn1", partial(_repeat_by_task, make_syn1, zero_is_minus)),
    ]
    if "landmine" in given:
        make = given["landmine"].make
        natural, below = partial(_repeat, partial(make, share=None)), partial(_repeat, make, lam=BELOW)
        found.append(Choice("Share of +1", "10 %", "6.1 %, the file's", "landmine", natural))
        found.append(Choice("Lambda below the grid", f"{LAM:g}", f"{BELOW:g}, by a search", "landmine", below))
    if "spam" in given and (collection := given["spam"].collection) and set(USERS) <= set(collection.names):
        chosen = partial(given["spam"].make, tasks=USERS)
        by_prose = partial(_repeat_by_task, chosen, partial(peeking, eight=False))
        ours, other = "any 14; before t; with the 8", "u00 to u13; up to t; without the 8, by a search"
        found.append(Choice("Users; losses behind p_t; ε", ours, other, "spam", by_prose))
    if "shoes" in given:
        ones = partial(_repeat, partial(given["shoes"].make, bias=True))
        found.append(Choice("Column of ones", "none", "appended, as in demo code", "shoes", ones))
    for dataset in ("landmine", "spam", "shoes"):
        if dataset in given:
            make = given[dataset].make
            lam = lams[dataset] if dataset in lams else given[dataset].choose_lambda().lam
            if lam != LAM:
                again = partial(_repeat, make, lam=lam)
                found.append(Choice("Lambda", f"{LAM:g}", f"{lam:g}, the rule's", dataset, again))
    return found


def _repeat(
    make: Callable[..., TaskStream],
    n: int = REPETITIONS,
    seed: int = 0,
    *,
    reading: Reading = TABULATED,
    lam: float = LAM,
) -> Repeats:
    return repeat(make, n, lam=lam, alpha=reading.alpha, clip=reading.clip, seed=seed)


def _repeat_by_task(
    make: Callable[..., TaskStream], wrong: Callable[[Run, int], np.ndarray], n: int = REPETITIONS, seed: int = 0
) -> Repeats:
    """Repeat with errors computed task by task by `wrong(run, task)`, (6, N)."""
    errors = []
    for number in range(n):
        drawn = child(seed, number)
        stream = one_repetition(make, drawn)
        run = mix(learn(stream, lam=LAM), alpha=TABULATED.alpha, clip=TABULATED.clip, seed=seed_of_draws(drawn))
        errors.append(np.stack([wrong(run, k).mean(axis=1) for k in range(len(stream))], axis=1))
    return Repeats(np.stack(errors))


def zero_is_minus(run: Run, task: int) -> np.ndarray:
    """Return (6, N), the errors if sign(0) is −1."""
    replay = run.replay(task)
    values = np.stack([replay.confidence[method] for method in METHODS])
    return np.where(values > 0, 1.0, -1.0) != replay.y


def peeking(run: Run, task: int, *, eight: bool = True) -> np.ndarray:
    """Return (6, N), the errors if L_t sums e_k over k <= t, as in the paper's text, so that the weights depend on y_t.

    p_t is multiplied by exp(-eps_t e_t(i)), e_t(i) = (a_t(i) - y_t)^2; the random numbers of the draws are the same.
    eight: whether eps_t = sqrt(log T / (8 sum alpha)) has the 8 of the paper's formula; its text has none.
    """
    replay = run.replay(task)
    wrong = np.stack([replay.errors[method] for method in METHODS])
    if task == 0:
        return wrong
    e = (replay.advice - replay.y[:, None]) ** 2
    weights = replay.weights * np.exp(-replay.eps[:, None] * (e - e.min(axis=1, keepdims=True)))
    weights /= weights.max(axis=1, keepdims=True)
    if not eight:
        weights **= math.sqrt(8)  # a rate that is larger by this factor
    weights /= weights.sum(axis=1, keepdims=True)
    rows = slice(*run.learned.offsets[[task, task + 1]])
    drawn = (np.cumsum(weights, axis=1) < run.u[1, rows, None]).sum(axis=1).clip(max=weights.shape[1] - 1)
    outputs = {
        "AKLO Sample": replay.advice[np.arange(len(replay)), drawn],
        "AKLO Sum": (weights * replay.advice).sum(axis=1),
    }
    for method, O in outputs.items():
        wrong[METHODS.index(method)] = _sign(_mixture(replay, O)) != replay.y
    return wrong


def _mixture(replay: Replay, O: np.ndarray) -> np.ndarray:
    return (1 - replay.alpha) * replay.confidence["ITOL"] + replay.alpha * O


def _sign(values: np.ndarray) -> np.ndarray:
    return np.where(values >= 0, 1.0, -1.0)
