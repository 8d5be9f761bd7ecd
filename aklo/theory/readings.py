"""Readings of the paper under which a counterexample is tried: conventions that a careful reader could take otherwise.

Four of them are options of `Reading`, which can be combined: the clip, the sign of 0, ties, and the losses behind p_t.
The others change the statement or the learner; tests/readings.py has them all, in a literal implementation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from aklo.knowledge import Clip
from aklo.replay import Replay

READINGS = (
    "clip after the sum",
    "clip on each expert",
    "sign(0) is −1",
    "a tie is right",
    "a tie is half a mistake",
    "losses up to t",
    "w* of the weighted loss",
    "learner projected to the ball",
    "logarithms to base 2",
)
TIES = ("by sign", "right", "half")


@dataclass(frozen=True)
class Reading:
    """How the mistakes of AKLO Sum are counted.

    Parameters
    ----------
    clip
        "sum" as printed, or "advice".
    zero
        The sign of 0: +1 or -1.
    ties
        What a value of exactly 0 counts: "by sign", "right" or "half" a mistake.
    peek
        Whether p_t uses the losses up to t, as the paper's prose says, instead of those before t.
    """

    clip: Clip = "sum"
    zero: int = 1
    ties: Literal["by sign", "right", "half"] = "by sign"
    peek: bool = False

    def __post_init__(self) -> None:
        if self.zero not in (1, -1):
            raise ValueError(f"The sign of 0 is {self.zero!r}, where +1 or -1 is needed.")
        if self.ties not in TIES:
            raise ValueError(f"ties is {self.ties!r}, which is not one of {', '.join(TIES)}.")


def count_mistakes(replay: Replay, reading: Reading) -> float:
    """Return the mistakes of AKLO Sum under a reading. The clip must be that of the replay."""
    if replay.clip != reading.clip:
        raise ValueError(f"The replay has clip={replay.clip!r}, and the reading {reading.clip!r}.")
    values = _peeking(replay) if reading.peek else replay.confidence["AKLO Sum"]
    said = np.where(values == 0, reading.zero, np.sign(values))
    wrong = (said != replay.y).astype(float)
    if reading.ties != "by sign":
        wrong[values == 0] = 0.5 if reading.ties == "half" else 0.0
    return float(wrong.sum())


def _peeking(replay: Replay) -> np.ndarray:
    """Return (N,), AKLO Sum's values with weights proportional to p_t(i) exp(-eps_t e_t(i))."""
    e = (replay.advice - replay.y[:, None]) ** 2
    shares = replay.weights * np.exp(-replay.eps[:, None] * (e - e.min(axis=1, keepdims=True)))
    scores = replay.X @ replay.experts.T if replay.clip == "sum" else replay.advice
    O = np.clip(np.vecdot(shares, scores) / shares.sum(axis=1), -1.0, 1.0)
    return replay.alpha * O + (1.0 - replay.alpha) * np.clip(replay.own.score, -1.0, 1.0)
