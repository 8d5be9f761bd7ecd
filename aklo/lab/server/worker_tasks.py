"""What is computed `apart`. Nothing here knows Streamlit, which the other process need not load."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from threading import Thread
from typing import Any, TypeVar

import numpy as np
import pandas as pd

import aklo
from aklo.experiment import learn_together
from aklo.repetition import LearnedRepetitions
from aklo.schedules import Schedule

Result = TypeVar("Result")
BEHIND, LAST = 10, 19  # ranks for the processor: where others get ten times as much of it, and nearly all of it
BUDGET = 64 * 2**20  # bytes of a learned stream that are kept from one schedule to the next


def begin(server: int) -> None:
    """What the process does first: see to it that it does not outlive the server, given by its process id."""
    Thread(target=_end_with, args=(server,), daemon=True).start()


def _end_with(server: int) -> None:
    while os.getppid() == server:
        time.sleep(1)
    os._exit(0)


def do(rank: int, function: Callable[..., Result], arguments: tuple, words: dict[str, Any]) -> Result:
    """Do one piece of work, at this rank or behind it: a process cannot come forward again."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(max(0, rank - os.nice(0)))
    return function(*arguments, **words)


def aces(
    stream: aklo.TaskStream,
    schedules: Sequence[Schedule],
    *,
    lam: float,
    clip: aklo.Clip,
    horizon: aklo.Horizon,
    seed: int,
) -> list[pd.Series]:
    """The six methods' ACE on a stream, which is learnt once, under each schedule."""
    learned = aklo.learn(stream, lam=lam, budget=BUDGET)
    return [aklo.mix(learned, alpha=alpha, clip=clip, horizon=horizon, seed=seed).ace for alpha in schedules]


def repetitions(
    streams: Sequence[aklo.TaskStream], seeds: tuple[int, ...], *, lam: float, alpha: Schedule, clip: aklo.Clip,
    horizon: aklo.Horizon,
) -> np.ndarray:  # fmt: skip
    """(repetitions, 6, T): the task errors on streams of one shape. seeds: of the sampling methods' draws."""
    return LearnedRepetitions(learn_together(streams, lam=lam), seeds).mix(alpha, clip, horizon)
