"""Long work, in a process of its own that gives way to everything else: one visitor's map is nobody else's wait.

Python runs one thread at a time, so long work in the server's own process would hold up every visitor's next answer,
and its memory would stay. Here it runs beside them, and all of it is gone when nobody has asked for a while.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, wait
from threading import Lock, local
from typing import NoReturn, TypeVar

import streamlit as st
from joblib.externals.loky import ProcessPoolExecutor

from aklo.lab.server import load, worker_tasks

Result = TypeVar("Result")
LOOK = 0.2  # seconds between two looks at whether the visitor still wants it
RESTS = 3  # at most so many times as long as it works does it rest, once for every visitor beside its own
IDLE = 30  # seconds without work after which the process ends
ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
LOST = (
    "This computation was ended by the system twice, most likely for want of memory. "
    "What was done before is kept. Fewer tasks or examples need less."
)

_pools: list[ProcessPoolExecutor] = []  # one, or none yet
_one_at_a_time = Lock()
_mine = local()  # took: the seconds of this thread's last piece


def call(function: Callable[..., Result], *arguments: object, meanwhile: Callable[[], None], **words: object) -> Result:
    """What a function of the core gives for these arguments, computed there.

    meanwhile: is called again and again until it has come, and moves a bar: there Streamlit ends what a visitor has
    stopped. Several visitors' work is done in turn, piece by piece.
    """
    try:
        return _sent(function, arguments, words, meanwhile)
    except BrokenExecutor:  # the process was killed, by whom is not known: once more, in a new one
        try:
            return _sent(function, arguments, words, meanwhile)
        except BrokenExecutor:
            return _give_up()


def _sent(function: Callable[..., Result], arguments: tuple, words: dict, meanwhile: Callable[[], None]) -> Result:
    pool = _pool()
    try:
        others = max(load.here() - 1, 0)
        _rest(min(others, RESTS) * getattr(_mine, "took", 0.0), meanwhile)
        start = time.monotonic()
        answer = pool.submit(
            worker_tasks.do, worker_tasks.LAST if others else worker_tasks.BEHIND, function, arguments, words
        )
        while not wait([answer], timeout=LOOK).done:
            try:
                meanwhile()
            except BaseException:
                answer.cancel()  # where it has not begun
                raise
        _mine.took = time.monotonic() - start
        return answer.result()
    except BrokenExecutor:
        with _one_at_a_time:
            if _pools and _pools[0] is pool:
                _pools.clear()
        raise


def _rest(seconds: float, meanwhile: Callable[[], None]) -> None:
    """Leave the machine to the others: even a process that stands last slows them, by the memory that they share. This
    comes before a piece and not after one, which would be lost if it were stopped here."""
    load.rested(seconds)
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        time.sleep(min(left, LOOK))
        meanwhile()


def _pool() -> ProcessPoolExecutor:
    """The process, or what starts it when there is work."""
    with _one_at_a_time:
        if not _pools:
            begin = {"initializer": worker_tasks.begin, "initargs": (os.getpid(),)}
            _pools.append(ProcessPoolExecutor(max_workers=1, timeout=IDLE, env=ONE_THREAD, **begin))
        return _pools[0]


def _give_up() -> NoReturn:
    st.error(LOST, icon=":material/memory:")
    st.stop()
