"""The cache that visitors share: a result is made once, its size is bounded, and what is private never enters it."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Hashable
from dataclasses import dataclass

import pytest
import streamlit as st

import aklo
from aklo.lab.server import cache, work_rate
from aklo.lab.server.cache import Cache
from aklo.lab.session.cached import cached


def test_cache_is_bounded_and_releases_what_was_not_asked_for():
    gone: list[str] = []
    words: Cache[str] = Cache(10, size=len, release=gone.append)
    for word in ("aaaa", "bbbb", "aaaa", "cccc"):
        assert words.get(word, lambda word=word: word) == word
    assert gone == ["bbbb"]  # the one that was not asked for again
    assert words.get("large", lambda: "d" * 99) == "d" * 99 and len(words) == 1
    assert gone == ["bbbb", "aaaa", "cccc"]


def test_result_that_many_ask_for_at_once_is_made_once():
    made: list[int] = []
    numbers: Cache[int] = Cache(10, size=lambda number: 1)
    together = threading.Barrier(8)

    def make() -> int:
        time.sleep(0.02)
        made.append(1)
        return len(made)

    def visitor() -> None:
        together.wait()
        assert numbers.get("key", make) == 1

    threads = [threading.Thread(target=visitor) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1]


def test_visitor_who_asks_when_a_result_is_just_made_does_not_make_it_again():
    made: list[int] = []

    class Slow(Cache[int]):
        def _put(self, key: Hashable, result: int) -> None:
            late.start()
            time.sleep(0.05)  # meanwhile the late visitor asks
            super()._put(key, result)

    numbers = Slow(10, size=lambda number: 1)
    late = threading.Thread(target=lambda: numbers.get("key", lambda: made.append(2) or 2))
    assert numbers.get("key", lambda: made.append(1) or 1) == 1
    late.join()
    assert made == [1]


def test_result_that_could_not_be_made_can_be_asked_for_again():
    numbers: Cache[int] = Cache(10, size=lambda number: 1)
    with pytest.raises(ZeroDivisionError):
        numbers.get("key", lambda: 1 // 0)
    assert numbers.get("key", lambda: 5) == 5


def test_cleared_cache_makes_results_anew_and_has_all_its_room():
    words: Cache[str] = Cache(10, size=len)
    words.get("a", lambda: "aaaaaaaa")
    words.clear()
    assert len(words) == 0
    for word in ("bbbb", "cccc"):
        words.get(word, lambda word=word: word)
    assert len(words) == 2


@dataclass(frozen=True)
class Spec:
    name: str
    private: bool = False


def test_public_results_are_shared_and_private_ones_stay_in_the_session(monkeypatch):
    made: list[tuple[str, str]] = []
    asked: list[tuple] = []
    plain = cache.Cache.get
    monkeypatch.setattr(cache.Cache, "get", lambda self, key, make: asked.append(key) or plain(self, key, make))
    visitor = ""

    @cached(max_entries=16)
    def compute(spec: Spec, number: int) -> tuple[str, int]:
        made.append((visitor, spec.name))
        return visitor, number

    sessions: dict[str, dict] = {"first": {}, "second": {}}
    for visitor in ("first", "second", "first", "second"):
        monkeypatch.setattr(st, "session_state", sessions[visitor])
        assert compute(Spec("same", private=True), 1) == (visitor, 1)
        assert compute(Spec("same"), 1) == ("first", 1)
    assert made == [("first", "same"), ("first", "same"), ("second", "same")]
    assert {key[0].private for key in asked} == {False}


def test_private_cache_is_bounded_and_keeps_what_was_asked_for_last(monkeypatch):
    monkeypatch.setattr(st, "session_state", {})
    made: list[int] = []

    @cached(max_entries=24)  # of which a session has an eighth
    def compute(spec: Spec, number: int) -> int:
        made.append(number)
        return number

    for number in (1, 2, 3, 1, 4, 1, 2):
        assert compute(Spec("own", private=True), number) == number
    assert made == [1, 2, 3, 4, 2]


def test_rate_of_work_is_measured_and_work_cut_short_is_not_counted():
    work_rate.clear()
    assert work_rate.rate("some", 5.0) == 5.0
    with work_rate.measured("some", units=2):
        time.sleep(0.02)
    assert 0.01 <= work_rate.rate("some", 5.0) < 1
    with contextlib.suppress(ZeroDivisionError), work_rate.measured("other", units=1):
        time.sleep(0.01)
        1 // 0  # noqa: B018
    assert work_rate.rate("other", 5.0) == 5.0
    work_rate.clear()
    assert work_rate.rate("some", 5.0) == 5.0


def test_mixing_is_unchanged_after_forget():
    learned = aklo.learn(aklo.syn1(n_tasks=12, n_examples=20, seed=3), lam=0.01)
    before, size = aklo.mix(learned, seed=3), learned.nbytes
    learned.forget()
    after = aklo.mix(learned, seed=3)
    assert learned.nbytes < size / 5
    assert (after.wrong == before.wrong).all()
    assert (after.replay(7).weights == before.replay(7).weights).all()
