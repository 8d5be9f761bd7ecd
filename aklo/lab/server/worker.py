"""A worker process for long computations, so that one visitor's map does not make the others wait.

Python runs one thread at a time: a long computation in the server's own process would hold up every visitor's next
answer, and its memory would stay. The worker runs beside the server at a low priority, and ends when it is idle.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, wait
from threading import Lock
from typing import TypeVar

from joblib.externals.loky import ProcessPoolExecutor

from aklo.lab.server import worker_tasks

Result = TypeVar("Result")
CHECK_EVERY = 0.2  # seconds between two checks of whether the visitor still wants the result
IDLE = 30  # seconds without work after which the process ends
ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}

_pool: ProcessPoolExecutor | None = None
_lock = Lock()


class WorkerLost(Exception):
    """The worker process was killed twice by the system while it computed."""

    def __init__(self) -> None:
        super().__init__(
            "This computation was ended by the system twice, most likely because memory ran out. "
            "What was done before is kept. Fewer tasks or examples need less."
        )


def call(function: Callable[..., Result], *args: object, meanwhile: Callable[[], None], **kwargs: object) -> Result:
    """Call a function of the core in the worker process and wait for its result.

    Parameters
    ----------
    function, args, kwargs
        What to compute. Several visitors' computations take turns, call by call.
    meanwhile
        Called again and again until the result is there. It moves a progress bar; Streamlit raises an exception there
        when the visitor has stopped the computation.

    Raises
    ------
    WorkerLost
        If the process was killed, and then killed again in a second try.
    """
    try:
        return _submit(function, args, kwargs, meanwhile)
    except BrokenExecutor:  # the process was killed, by whom is not known: once more, in a new one
        try:
            return _submit(function, args, kwargs, meanwhile)
        except BrokenExecutor:
            raise WorkerLost from None


def _submit(function: Callable[..., Result], args: tuple, kwargs: dict, meanwhile: Callable[[], None]) -> Result:
    global _pool
    pool = _started()
    try:
        future = pool.submit(worker_tasks.at_low_priority, function, args, kwargs)
        while not wait([future], timeout=CHECK_EVERY).done:
            try:
                meanwhile()
            except BaseException:
                future.cancel()  # where it has not begun
                raise
        return future.result()
    except BrokenExecutor:
        with _lock:
            if _pool is pool:
                _pool = None
        raise


def _started() -> ProcessPoolExecutor:
    """The process pool, which starts its process when there is work."""
    global _pool
    with _lock:
        if _pool is None:
            start = {"initializer": worker_tasks.end_with_server, "initargs": (os.getpid(),)}
            _pool = ProcessPoolExecutor(max_workers=1, timeout=IDLE, env=ONE_THREAD, **start)
        return _pool
