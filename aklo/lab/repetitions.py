"""Repetitions in the background of a page: computed part by part, kept for all visitors, and stopped when asked.

Repetition i of a seed is the same whichever others are asked for, so parts can be kept: more repetitions cost only what
is missing, and what was done before a Cancel is not lost.
"""

from __future__ import annotations

import numpy as np
import streamlit as st

import aklo
from aklo.experiment import learn_together, mix_together
from aklo.lab.results import generator, spec
from aklo.lab.settings import Settings

CHEAP = 1.0  # seconds that a page spends without being asked
PART = 0.3  # seconds between two moves of the progress bar, where a single repetition is not longer

Key = tuple[object, ...]


def key(settings: Settings) -> Key:
    """All that repetitions depend on, but their number."""
    s = settings
    return (spec(s), s.seed, s.lam, s.alpha, s.clip, s.horizon)


def seconds_each(settings: Settings) -> float:
    """About how long one repetition takes, as measured on two cores: every expert is asked about every example."""
    each = 2.6e-7 if settings.dataset == "digits" else 1e-7
    return 0.02 + each * settings.n_tasks**2 * settings.n_examples


def seconds_left(settings: Settings) -> float:
    """About how long the repetitions that are still missing will take."""
    return max(0, settings.repetitions - _count(_shelf(key(settings)))) * seconds_each(settings)


def found(settings: Settings) -> aklo.Repeats | None:
    """The repetitions that there are, at most as many as the settings ask for."""
    shelf = _shelf(key(settings))
    if not shelf:
        return None
    return aklo.Repeats(np.concatenate([shelf[start] for start in sorted(shelf)])[: settings.repetitions])


def work(settings: Settings, bar=None) -> None:
    """Compute what is missing. Streamlit ends this at a move of the bar when the visitor has clicked on anything."""
    shelf, n = _shelf(key(settings)), settings.repetitions
    size = int(min(max(PART / seconds_each(settings), 1), 10))
    for start in range(0, n, size):
        if start not in shelf:
            if bar is not None:
                bar.progress(start / n, f"{start} of {n} repetitions")
            shelf[start] = _part(settings, range(start, start + size))


@st.cache_resource(max_entries=64, show_spinner=False)
def _shelf(key: Key) -> dict[int, np.ndarray]:
    """Where the parts of one key are kept: first repetition -> (repetitions, 6, T) task errors."""
    return {}


def _count(shelf: dict[int, np.ndarray]) -> int:
    return sum(len(part) for part in shelf.values())


def _part(settings: Settings, numbers: range) -> np.ndarray:
    """Some of the repetitions of `aklo.repeat`, by their numbers."""
    make, s = generator(spec(settings)), settings
    children = [np.random.SeedSequence(s.seed, spawn_key=(i,)).generate_state(2) for i in numbers]
    streams = [make(seed=int(data)) for data, _ in children]
    lessons = learn_together(streams, lam=s.lam, budget=0)
    run = mix_together(
        lessons, alpha=s.schedule, clip=s.clip, horizon=s.horizon, seeds=[int(draws) for _, draws in children]
    )
    return run.task_errors.reshape(len(aklo.METHODS), len(streams), -1).swapaxes(0, 1)
