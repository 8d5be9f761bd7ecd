"""What the worker process computes. Nothing here imports Streamlit, which that process need not load."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from threading import Thread
from typing import Any, TypeVar

import numpy as np
import pandas as pd

import aklo
from aklo.learned import learn_together
from aklo.repetition import LearnedRepetitions
from aklo.rules import Method, adopt
from aklo.schedules import Schedule

Result = TypeVar("Result")
NICE = 19  # the lowest priority: the server gets nearly all of a core that both want
BUDGET = 64 * 2**20  # bytes of scores that are kept from one schedule to the next


def end_with_server(server: int) -> None:
    """See to it that this process does not outlive the server, given by its process id."""
    Thread(target=_wait_for_end, args=(server,), daemon=True).start()


def _wait_for_end(server: int) -> None:
    while os.getppid() == server:
        time.sleep(1)
    os._exit(0)


def at_low_priority(function: Callable[..., Result], args: tuple, kwargs: dict[str, Any]) -> Result:
    """Call a function, giving way to everything else on the machine."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(max(0, NICE - os.nice(0)))
    return function(*args, **kwargs)


def aces(
    stream: aklo.TaskStream | aklo.LearnedStream,
    schedules: Sequence[Schedule],
    *,
    lam: float,
    clip: aklo.Clip,
    horizon: aklo.Horizon,
    seed: int,
) -> list[pd.Series]:
    """The ACE of the six methods under each schedule, on a stream that is learned once, if it is not learned yet."""
    learned = aklo.learn(stream, lam=lam, budget=BUDGET) if isinstance(stream, aklo.TaskStream) else stream
    return [aklo.mix(learned, alpha=alpha, clip=clip, horizon=horizon, seed=seed).ace for alpha in schedules]


def repetitions(
    streams: Sequence[aklo.TaskStream], seeds: tuple[int, ...], *, lam: float, alpha: Schedule, clip: aklo.Clip,
    horizon: aklo.Horizon, methods: Sequence[Method],
) -> np.ndarray:  # fmt: skip
    """The task errors on streams of one shape, (repetitions, m, T).

    seeds: of the sampling methods' draws; methods: themselves, as a rule may have been registered by a script that this
    process has not run.
    """
    return LearnedRepetitions(learn_together(streams, lam=lam), seeds).mix(alpha, clip, horizon, adopt(methods))


def itol_error(stream: aklo.TaskStream, lam: float) -> float:
    """The ACE of ITOL with one lambda."""
    return float(aklo.choose_lambda(stream, [lam]).errors.iloc[0])


def repeat(*args: Any, methods: Sequence[Method], **options: Any) -> aklo.Repeats:
    """`aklo.repeat` with the methods themselves."""
    return aklo.repeat(*args, methods=adopt(methods), **options)
