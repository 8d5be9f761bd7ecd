"""Long work in the worker process: the same numbers, a low priority, and a killed process that is replaced."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pandas as pd
import psutil
import pytest
from streamlit.testing.v1 import AppTest

from aklo.lab.compute import alpha_map, paper
from aklo.lab.server import worker, worker_tasks
from aklo.lab.settings.schema import Settings
from aklo.schedules import Ramp
from tests import pages


class Stopped(Exception):
    """What a visitor's click raises at the next move of the progress bar."""


def stop(*_: object) -> None:
    raise Stopped


def call(function: Callable, *arguments: object) -> Any:
    return worker.call(function, *arguments, meanwhile=lambda: None)


def test_worker_is_another_process_at_low_priority_without_streamlit(monkeypatch):
    monkeypatch.setattr(worker, "_pool", None)
    process = psutil.Process(call(os.getpid))
    assert process.pid != os.getpid() and process.nice() == worker_tasks.NICE
    assert call(os.getpid) == process.pid and process.nice() == worker_tasks.NICE
    assert call(eval, f"'{worker_tasks.__name__}' in __import__('sys').modules")
    assert not call(eval, "'streamlit' in __import__('sys').modules")


def test_worker_computes_the_same_as_the_server():
    schedules = [Ramp(end=0.1 * i, steps=5) for i in range(3)]
    settings = Settings().change(n_tasks=4, n_examples=10)
    here = alpha_map._compute_here(settings, schedules)
    there = alpha_map._compute_in_worker(settings, schedules, lambda: None)
    for one, other in zip(here, there, strict=True):
        pd.testing.assert_series_equal(one, other)


def test_meanwhile_is_called_until_the_result_is_there():
    calls: list[float] = []
    assert call(int, 7) == 7  # the process is there
    worker.call(time.sleep, 5 * worker.CHECK_EVERY, meanwhile=lambda: calls.append(time.monotonic()))
    assert 2 <= len(calls) <= 6


def test_every_job_of_the_reproduction_can_be_sent(monkeypatch):
    monkeypatch.setattr(paper, "REPETITIONS", 2)
    monkeypatch.setattr(paper, "_SHARED", {name: {} for name in paper.GENERATED})
    first = paper.jobs()
    paper.work(first, lambda done: None)
    todo = paper.jobs()
    assert {job.key[0] for job in first} == {"repetition", "lambda"} and {job.key[0] for job in todo} == {"convention"}
    told: list[int] = []
    paper.work(todo, told.append)
    assert sorted(set(told) - {0}) == list(range(1, len(todo) + 1)) and not paper.jobs()


def test_stop_does_not_wait_for_a_computation_that_has_begun():
    with pytest.raises(Stopped):
        worker.call(time.sleep, 1, meanwhile=stop)
    assert call(os.getpid) != os.getpid()  # and the next work is done


def test_killed_worker_is_replaced():
    before = call(os.getpid)
    os.kill(before, signal.SIGKILL)
    assert call(os.getpid) != before


def test_worker_ends_with_a_killed_server():
    server = "import os, time; from aklo.lab.server import worker; "
    server += "print(worker.call(os.getpid, meanwhile=lambda: None), flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", server], stdout=subprocess.PIPE, text=True) as process:
        other = psutil.Process(int(process.stdout.readline()))
        process.kill()
    psutil.wait_procs([other], timeout=20)
    assert not other.is_running() or other.status() == psutil.STATUS_ZOMBIE


def test_worker_that_is_killed_twice_raises_worker_lost():
    with pytest.raises(worker.WorkerLost, match=r"ended by the system twice.*Fewer tasks or examples need less\.$"):
        call(os.abort)
    assert call(os.getpid) != os.getpid()  # and the next work is done


def _page_whose_worker_is_killed() -> None:
    import os

    import streamlit as st

    from aklo.lab.frame.progress import Work, run
    from aklo.lab.server import worker

    work = Work("work", "wanted", done=0, unasked=True, price="", start="Start", help="", doing="Working")
    found = run(work, st.empty(), lambda tell: worker.call(os.abort, meanwhile=lambda: tell(0.5)))
    st.caption(f"The rest of the page, with {found}.")


def test_page_whose_worker_was_lost_says_so_and_is_drawn_to_its_end():
    at = AppTest.from_function(_page_whose_worker_is_killed, default_timeout=60).run()
    assert not at.exception
    assert [error.value for error in at.error] == [str(worker.WorkerLost())]
    assert at.caption[-1].value == "The rest of the page, with None."
    assert [button.key for button in at.button] == ["work_start"]  # it can be tried again


def test_lost_work_is_begun_again_only_when_asked(monkeypatch):
    at = AppTest.from_function(_page_whose_worker_is_killed, default_timeout=60).run()
    begun: list[object] = []
    monkeypatch.setattr(worker, "call", lambda *words, **options: begun.append(words))
    at.run()
    assert not at.exception and not at.error and not begun
    at.button(key="work_start").click().run()
    assert not at.exception and len(begun) == 1


def test_frame_is_drawn_around_a_page_whose_worker_was_lost(monkeypatch):
    def lost(*words: object, **options: object) -> None:
        raise worker.WorkerLost

    monkeypatch.setattr(worker, "call", lost)
    monkeypatch.setattr(alpha_map, "UNASKED", 0)  # so that a small map goes to the worker, and waits for a click
    at = pages.opened("alpha", Settings().change(alpha_part="How low, how fast?", n_tasks=9, n_examples=20))
    pages.sound(at.button(key="map_start").click().run())
    assert [error.value for error in at.error] == [str(worker.WorkerLost())]
    assert "Shape alpha" in pages.menu_links(at) and pages.told(at, "aklo_share") is not None
    assert at.button(key="map_start").label.startswith("Go on")
