"""Long work in a process of its own: the same numbers, a lower rank, and a death that is survived."""

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
import streamlit as st

from aklo.lab.compute import alpha_map, paper
from aklo.lab.server import load, worker, worker_tasks
from aklo.lab.settings.schema import Settings
from aklo.schedules import Ramp


def elsewhere(function: Callable, *arguments: object) -> Any:
    return worker.call(function, *arguments, meanwhile=lambda: None)


def test_it_runs_elsewhere_behind_all_others_and_without_streamlit(monkeypatch):
    monkeypatch.setattr(worker, "_pools", [])
    monkeypatch.setattr(load, "here", lambda: 1)
    process = psutil.Process(elsewhere(os.getpid))
    assert process.pid != os.getpid() and process.nice() == worker_tasks.BEHIND
    monkeypatch.setattr(load, "here", lambda: 2)
    assert elsewhere(os.getpid) == process.pid and process.nice() == worker_tasks.LAST
    schedules = [Ramp(end=0.1 * i, steps=5) for i in range(3)]
    settings = Settings().change(n_tasks=4, n_examples=10)
    here, there = alpha_map._here(settings, schedules), alpha_map._apart(settings, schedules, lambda: None)
    for one, other in zip(here, there, strict=True):
        pd.testing.assert_series_equal(one, other)
    assert elsewhere(eval, f"'{worker_tasks.__name__}' in __import__('sys').modules")
    assert not elsewhere(eval, "'streamlit' in __import__('sys').modules")


def test_it_rests_the_longer_the_more_are_here(monkeypatch):
    rests: list[float] = []
    monkeypatch.setattr(worker, "_rest", lambda seconds, meanwhile: rests.append(seconds))
    for here in (50, 1, 2, 50):
        monkeypatch.setattr(load, "here", lambda here=here: here)
        elsewhere(time.sleep, 0.1)
    _, alone, two, crowd = rests
    assert alone == 0 and two >= 0.1 and crowd >= 0.1 * worker.RESTS


def test_what_is_done_is_not_lost_to_a_stop_in_the_rest(monkeypatch):
    class Stopped(Exception):
        pass

    def stop() -> None:
        raise Stopped

    monkeypatch.setattr(load, "here", lambda: 2)
    monkeypatch.setattr(worker, "LOOK", 0.5)
    monkeypatch.setattr(worker._mine, "took", 0.0, raising=False)
    assert elsewhere(int, 7) == 7  # the process is there
    worker._mine.took = 0.0
    assert worker.call(int, 8, meanwhile=stop) == 8
    worker._mine.took = 1.0
    with pytest.raises(Stopped):
        worker.call(int, 9, meanwhile=stop)


def test_every_job_of_the_reproduction_can_be_sent(monkeypatch):
    monkeypatch.setattr(paper, "REPETITIONS", 2)
    monkeypatch.setattr(paper, "_shelf", {name: {} for name in paper.GENERATED}.__getitem__)
    first = paper.jobs()
    paper.work(first, lambda done: None)
    todo = paper.jobs()
    assert {job.key[0] for job in first} == {"repetition", "lambda"} and {job.key[0] for job in todo} == {"convention"}
    told: list[int] = []
    paper.work(todo, told.append)
    assert sorted(set(told) - {0}) == list(range(1, len(todo) + 1)) and not paper.jobs()


def test_who_stops_does_not_wait_for_the_piece_that_has_begun():
    class Stopped(Exception):
        pass

    def stop() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        worker.call(time.sleep, 1, meanwhile=stop)
    assert elsewhere(os.getpid) != os.getpid()  # and the next work is done


def test_a_process_that_was_killed_is_followed_by_another():
    before = elsewhere(os.getpid)
    os.kill(before, signal.SIGKILL)
    assert elsewhere(os.getpid) != before


def test_it_does_not_outlive_a_server_that_was_killed():
    server = "import os, time; from aklo.lab.server import worker; "
    server += "print(worker.call(os.getpid, meanwhile=lambda: None), flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", server], stdout=subprocess.PIPE, text=True) as process:
        other = psutil.Process(int(process.stdout.readline()))
        process.kill()
    psutil.wait_procs([other], timeout=20)
    assert not other.is_running() or other.status() == psutil.STATUS_ZOMBIE


def test_work_that_cannot_be_done_is_said_in_a_sentence(monkeypatch):
    class Stopped(Exception):
        pass

    def stop() -> None:
        raise Stopped

    said: list[str] = []
    monkeypatch.setattr(st, "error", lambda text, **looks: said.append(text))
    monkeypatch.setattr(st, "stop", stop)
    with pytest.raises(Stopped):
        elsewhere(os.abort)
    assert said == [worker.LOST]
    assert elsewhere(os.getpid) != os.getpid()  # and the next work is done
