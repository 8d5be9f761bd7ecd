"""Repetitions in the background of a page: computed part by part, kept for all visitors, and stopped when asked.

Repetition i of a seed is the same whichever others are asked for, so parts can be kept: more repetitions cost only what
is missing, and what was done before a Cancel is not lost.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import streamlit as st

import aklo
from aklo.lab.compute.runs import generator, key, spec
from aklo.lab.frame import page
from aklo.lab.server import load, worker, worker_tasks
from aklo.lab.server.cache import Shelf
from aklo.lab.session import uploads
from aklo.lab.settings.schema import FIELDS, OWN, Settings
from aklo.repetition import LearnedRepetitions, child, learn_repetitions, one_repetition, repeat, seed_of_draws

CHEAP = 1.0  # seconds that a page spends on a lone visitor without being asked
AHEAD, PAUSE = 4, 0.5  # repetitions at a time that nobody has asked for, and seconds of quiet before the first
PART = 0.3  # seconds between two moves of the progress bar, where a single repetition is not longer

_LEARNED_REPETITIONS: Shelf[list[LearnedRepetitions]] = Shelf(
    32 * 2**20, size=lambda learnt: sum(part.nbytes for part in learnt)
)


def seconds_each(settings: Settings) -> float:
    """About how long one repetition takes, by those that this machine has done."""
    kind, units, guess = _effort(settings)
    return load.rate(kind, guess) * units


def _effort(settings: Settings) -> tuple[str, float, float]:
    """The kind of work, its units in one repetition, and a guess at the seconds for one. Every expert is asked about
    every example; and each task costs something by itself."""
    kind, guess = ("repetition, digits", 7e-8) if settings.dataset == "digits" else ("repetition", 4e-8)
    return kind, 2e5 + settings.n_tasks**2 * settings.n_examples, guess


def seconds_left(settings: Settings) -> float:
    """About how long the repetitions that are still missing will take."""
    return len(_missing(settings)) * seconds_each(settings)


def _unasked() -> float:
    """Seconds that may be spent unasked; in a crowd so few that the usual ten repetitions wait to be asked for."""
    return load.fair(CHEAP) / (4 if load.crowded() else 1)


def found(settings: Settings) -> aklo.Repeats | None:
    """The repetitions that there are, at most as many as the settings ask for; one alone tells nothing of luck."""
    shelf = _shelf(*key(settings))
    parts = [shelf[i] for i in range(settings.repetitions) if i in shelf]
    return aklo.Repeats(np.array(parts)) if len(parts) > 1 else None


def under_way(settings: Settings) -> bool:
    """Whether this visitor has asked for repetitions that take their time, and they are not all there."""
    return st.session_state.get("repeating") == key(settings) and seconds_left(settings) > _unasked()


def do_cheap(settings: Settings) -> None:
    """Do all that are missing, where that takes so little time that nobody need be asked."""
    if 0 < seconds_left(settings) <= _unasked():
        _work(settings)


def offer(settings: Settings) -> None:
    """One line: that all is done, what it would cost, or that it goes on."""
    n, seconds = settings.repetitions, seconds_left(settings)
    if n == 1:
        st.caption("Choose two or more repetitions in the sidebar to tell skill from luck.")
    elif not seconds:
        st.caption(f":material/check: Repeated {n} times, each on fresh data, from seed {settings.seed} on.")
    elif under_way(settings):
        st.caption(f"The repetitions that are there are shown; {len(_missing(settings))} are still to come.")
    else:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                f"Repeat {n} times", type="primary", icon=":material/repeat:", on_click=_start, key="repeat",
                help="The same race on fresh data, from this seed on. It can be cancelled.",
            )  # fmt: skip
            have = n - len(_missing(settings))
            takes = f"{have} of {n} are there, and shown below; the rest takes" if have else "It takes"
            st.caption(f"{takes} about {max(seconds, 1):.0f} s, so it waits to be asked.")


def look_ahead(settings: Settings) -> None:
    """While a lone visitor looks at what there is: do what the slider may ask for next, if all of it is cheap. Any move
    of anybody ends it."""
    most = settings.change(repetitions=int(FIELDS["repetitions"].high))
    if settings.dataset != OWN and load.here() <= 1 and 0 < seconds_left(most) <= CHEAP:
        _one_by_one().submit(_fill, most, _shelf(*key(most)), load.moves())


def _fill(settings: Settings, shelf: dict[int, np.ndarray], moves: int) -> None:
    """Put what is missing on a shelf, until anybody moves."""
    if load.moves() == moves:
        time.sleep(PAUSE)
    n = settings.repetitions
    while load.moves() == moves and (missing := [i for i in range(n) if i not in shelf]):
        numbers = range(missing[0], min(missing[0] + AHEAD, n))
        part = repeat(
            generator(spec(settings)), len(numbers), lam=settings.lam, alpha=settings.schedule, clip=settings.clip,
            horizon=settings.horizon, seed=settings.seed, first=numbers[0],
        )  # fmt: skip
        shelf.update(zip(numbers, part.task_errors, strict=True))


@st.cache_resource(show_spinner=False)
def _one_by_one() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="ahead")


def progress(settings: Settings) -> Any:
    """A bar, and Cancel beside it. Not to be drawn in a part: what happens there does not end the work."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Cancel", icon=":material/close:", on_click=_cancel, key="cancel", help="What is done is kept.")
        n = settings.repetitions
        done = n - len(_missing(settings))
        return st.progress(done / n, f"{done} of {n} repetitions done")


def work(settings: Settings, bar: Any) -> None:
    """Compute what was asked for, and draw the page again."""
    _work(settings, bar)
    st.rerun()


def _start() -> None:
    st.session_state["repeating"] = key(page.settings())
    st.rerun()


def _cancel() -> None:
    st.session_state["repeating"] = None


def _work(settings: Settings, bar: Any = None) -> None:
    """Compute what is missing, apart where it was asked for. Streamlit ends this at a move of the bar when the visitor
    has clicked on anything."""
    shelf, n, missing = _shelf(*key(settings)), settings.repetitions, _missing(settings)
    size = int(min(max(PART / seconds_each(settings), 1), 10))
    kind, units, _ = _effort(settings)

    def tell() -> None:
        if bar is not None:
            done = n - len(_missing(settings))
            bar.progress(done / n, f"{done} of {n} repetitions done")

    for at in range(0, len(missing), size):
        numbers = missing[at : at + size]
        with load.measured(kind, units * len(numbers)):
            part = _here(settings, numbers) if bar is None else _apart(settings, numbers, tell)
        shelf.update(zip(numbers, part, strict=True))
        tell()


@uploads.shared_unless_own(max_entries=64)
def _shelf(spec: str, *key: object) -> dict[int, np.ndarray]:
    """Where the repetitions of one key, which begins with the stream's, are kept: number -> (6, T) task errors."""
    return {}


def _missing(settings: Settings) -> list[int]:
    shelf = _shelf(*key(settings))
    return [i for i in range(settings.repetitions) if i not in shelf] if settings.repetitions > 1 else []


def _apart(settings: Settings, numbers: Sequence[int], meanwhile: Callable[[], None]) -> np.ndarray:
    """(repetitions, 6, T): some of the repetitions of `aklo.repeat`, by their numbers."""
    s, source = settings, generator(spec(settings))
    children = [child(s.seed, number) for number in numbers]
    streams, seeds = [one_repetition(source, one) for one in children], tuple(map(seed_of_draws, children))
    words = {"lam": s.lam, "alpha": s.schedule, "clip": s.clip, "horizon": s.horizon}
    return worker.call(worker_tasks.repetitions, streams, seeds, meanwhile=meanwhile, **words)


def _here(settings: Settings, numbers: Sequence[int]) -> np.ndarray:
    """The same, those in a row at once; what was learnt stays for the next alpha."""
    s = settings
    rows = np.split(np.array(numbers), np.flatnonzero(np.diff(numbers) != 1) + 1)
    learnt = [part for row in rows for part in _learned_repetitions(spec(s), s.seed, s.lam, int(row[0]), len(row))]
    return np.concatenate([part.mix(s.schedule, s.clip, s.horizon) for part in learnt])


@uploads.shared_unless_own(max_entries=32, shelf=_LEARNED_REPETITIONS)
def _learned_repetitions(spec: str, seed: int, lam: float, first: int, n: int) -> list[LearnedRepetitions]:
    """n repetitions from number `first` on, learnt: alpha can move, and they stay."""
    return list(learn_repetitions(generator(spec), n, lam=lam, seed=seed, first=first))
