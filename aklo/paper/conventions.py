"""What the paper leaves open, and what each choice does to its table: one convention is changed, all else stays."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from aklo.experiment import READINGS, Reading, Run, learn, mix
from aklo.methods import METHODS
from aklo.paper.reproduction import LAM, REPETITIONS, Study, study
from aklo.repetition import Repeats, child, one_repetition, repeat, seed_of_draws
from aklo.replay import Replay
from aklo.schedules import Linear
from aklo.tasks import TaskStream, syn1, syn2

TABULATED = READINGS["as tabulated"]


@dataclass(frozen=True, eq=False)
class Choice:
    """One convention. ours: how "as tabulated" settles it here; other: how else one could; measure(n, seed): the six
    methods under the other choice, all else being the same."""

    convention: str
    ours: str
    other: str
    dataset: str
    measure: Callable[[int, int], Repeats]


def choices(studies: Sequence[Study] = (), lams: Mapping[str, float] | None = None) -> list[Choice]:
    """Every convention that can be tried: those on synthetic data, and those on real data that `studies` bring.

    lams: dataset -> the lambda of the paper's rule, where it is known already.
    """
    lams = {} if lams is None else lams
    brought = {one.dataset: one for one in studies}
    one = study("syn1").make
    by_sum, to_zero = Reading(Linear(end=0.5), "sum"), Reading(Linear(), "advice")
    noisy, apart = partial(syn1, sd=math.sqrt(1e-3)), partial(syn2, mean=(12.0, 12.0))
    found = [
        Choice(
            "Where the clip stands", "on each expert", "after the sum", "syn1", partial(_repeat, one, reading=by_sum)
        ),
        Choice("Where alpha ends", "at ½", "at 0", "syn1", partial(_repeat, one, reading=to_zero)),
        Choice("Losses behind p_t", "before t", "up to t, peeking at y_t", "syn1", partial(_replayed, one, peeking)),
        Choice("0.001 for the wobble e", "standard deviation", "variance", "syn1", partial(_repeat, noisy)),
        Choice("syn2's mean μ", "[10, 10]", "[12, 12]", "syn2", partial(_repeat, apart)),
        Choice("sign(0)", "+1", "−1", "syn1", partial(_replayed, one, zero_is_minus)),
    ]
    if "landmine" in brought:
        natural = partial(brought["landmine"].make, share=None)
        found.append(Choice("Share of +1", "10 %", "6.1 %, the file's", "landmine", partial(_repeat, natural)))
    for dataset in ("landmine", "spam", "shoes"):
        if dataset in brought:
            make = brought[dataset].make
            lam = lams[dataset] if dataset in lams else brought[dataset].choose_lambda().lam
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


def _replayed(
    make: Callable[..., TaskStream], wrong: Callable[[Run, int], np.ndarray], n: int = REPETITIONS, seed: int = 0
) -> Repeats:
    """Repetitions whose errors are told by `wrong(run, task)`, (6, N), from a replay of each task."""
    errors = []
    for number in range(n):
        drawn = child(seed, number)
        stream = one_repetition(make, drawn)
        run = mix(learn(stream, lam=LAM), alpha=TABULATED.alpha, clip=TABULATED.clip, seed=seed_of_draws(drawn))
        errors.append(np.stack([wrong(run, k).mean(axis=1) for k in range(len(stream))], axis=1))
    return Repeats(np.stack(errors))


def zero_is_minus(run: Run, task: int) -> np.ndarray:
    """(6, N): errors where sign(0) is −1."""
    replay = run.replay(task)
    values = np.stack([replay.confidence[method] for method in METHODS])
    return np.where(values > 0, 1.0, -1.0) != replay.y


def peeking(run: Run, task: int) -> np.ndarray:
    """(6, N): errors where L_t sums e_k over k <= t, as the paper's prose has it: the weights then know y_t.

    p_t is multiplied by exp(-eps_t e_t(i)), e_t(i) = (a_t(i) - y_t)^2; the same numbers decide the draws.
    """
    replay = run.replay(task)
    wrong = np.stack([replay.errors[method] for method in METHODS])
    if task == 0:
        return wrong
    weights = replay.weights * np.exp(-replay.eps[:, None] * (replay.advice - replay.y[:, None]) ** 2)
    weights /= weights.sum(axis=1, keepdims=True)
    rows = slice(*run.learned.offsets[[task, task + 1]])
    drawn = (np.cumsum(weights, axis=1) < run.u[1, rows, None]).sum(axis=1).clip(max=weights.shape[1] - 1)
    words = {
        "AKLO Sample": replay.advice[np.arange(len(replay)), drawn],
        "AKLO Sum": (weights * replay.advice).sum(axis=1),
    }
    for method, word in words.items():
        wrong[METHODS.index(method)] = _sign(_mixed(replay, word)) != replay.y
    return wrong


def _mixed(replay: Replay, word: np.ndarray) -> np.ndarray:
    return (1 - replay.alpha) * replay.confidence["ITOL"] + replay.alpha * word


def _sign(values: np.ndarray) -> np.ndarray:
    return np.where(values >= 0, 1.0, -1.0)
