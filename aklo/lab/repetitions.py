"""Repetitions in the background of a page: computed part by part, kept for all visitors, and stopped when asked.

Repetition i of a seed is the same whichever others are asked for, so parts can be kept: more repetitions cost only what
is missing, and what was done before a Cancel is not lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

import aklo
from aklo.lab import shell, uploads
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
    each = 7e-8 if settings.dataset == "digits" else 4e-8
    return 0.01 + each * settings.n_tasks**2 * settings.n_examples


def seconds_left(settings: Settings) -> float:
    """About how long the repetitions that are still missing will take."""
    return len(_missing(settings)) * seconds_each(settings)


def found(settings: Settings) -> aklo.Repeats | None:
    """The repetitions that there are, at most as many as the settings ask for; one alone tells nothing of luck."""
    shelf = _shelf(*key(settings))
    parts = [shelf[i] for i in range(settings.repetitions) if i in shelf]
    return aklo.Repeats(np.array(parts)) if len(parts) > 1 else None


def offer() -> Callable[[], None]:
    """Draw one line: that it is done, what it would cost, or how far it is; and give the work, for the page's end.

    What is cheap is done unasked; what is not waits for a click, and can be cancelled by another.
    """
    settings = shell.settings()
    n, seconds, line = settings.repetitions, seconds_left(settings), st.empty()
    done = f":material/check: Repeated {n} times, each on fresh data, from seed {settings.seed} on."
    if n == 1:
        line.caption("Choose two or more repetitions in the sidebar to tell skill from luck.")
        return lambda: None
    if seconds <= CHEAP:
        line.caption(done)
        return partial(_work, settings)
    with line.container(horizontal=True, vertical_alignment="center"):
        if st.session_state.get("repeating") != key(settings):
            st.button(
                f"Repeat {n} times", type="primary", icon=":material/repeat:", on_click=_start, key="repeat",
                help="The same race on fresh data, from this seed on. It can be cancelled.",
            )  # fmt: skip
            have = n - len(_missing(settings))
            takes = f"{have} of {n} are there, and shown below; the rest takes" if have else "It takes"
            st.caption(f"{takes} about {seconds:.0f} s, so it waits to be asked.")
            return lambda: None
        st.button("Cancel", icon=":material/close:", on_click=_cancel, key="cancel", help="What is done is kept.")
        bar = st.progress(0.0, f"0 of {n} repetitions done")

    def work() -> None:
        _work(settings, bar)
        line.caption(done)

    return work


def _start() -> None:
    st.session_state["repeating"] = key(shell.settings())


def _cancel() -> None:
    st.session_state["repeating"] = None


def _work(settings: Settings, bar: Any = None) -> None:
    """Compute what is missing. Streamlit ends this at a move of the bar when the visitor has clicked on anything."""
    shelf, n, missing = _shelf(*key(settings)), settings.repetitions, _missing(settings)
    size = int(min(max(PART / seconds_each(settings), 1), 10))
    for at in range(0, len(missing), size):
        if bar is not None:
            done = n - len(missing) + at
            bar.progress(done / n, f"{done} of {n} repetitions done")
        numbers = missing[at : at + size]
        shelf.update(zip(numbers, _part(settings, numbers), strict=True))


@uploads.shared_unless_own(max_entries=64)
def _shelf(spec: str, *key: object) -> dict[int, np.ndarray]:
    """Where the repetitions of one key, which begins with the stream's, are kept: number -> (6, T) task errors."""
    return {}


def _missing(settings: Settings) -> list[int]:
    shelf = _shelf(*key(settings))
    return [i for i in range(settings.repetitions) if i not in shelf] if settings.repetitions > 1 else []


def _part(settings: Settings, numbers: Sequence[int]) -> np.ndarray:
    """(repetitions, 6, T): some of the repetitions of `aklo.repeat`, by their numbers, those in a row at once."""
    s = settings
    ask = partial(
        aklo.repeat, generator(spec(s)), lam=s.lam, alpha=s.schedule, clip=s.clip, horizon=s.horizon, seed=s.seed
    )
    rows = np.split(np.array(numbers), np.flatnonzero(np.diff(numbers) != 1) + 1)
    return np.concatenate([ask(n=len(row), first=int(row[0])).task_errors for row in rows])
