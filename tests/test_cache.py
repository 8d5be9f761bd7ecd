"""What many visitors share: the time that pages spend unasked, and the results that are kept for all."""

from __future__ import annotations

import contextlib
import threading
import time
from types import SimpleNamespace

import pytest
from aklo.lab.server.turns import Turns
from streamlit import config
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session

import aklo
from aklo.lab.server import load, theme, tidy
from aklo.lab.server.cache import Shelf
from aklo.lab.settings.schema import Settings
from tests.pages import opened

pytestmark = pytest.mark.usefixtures("_nobody")


@pytest.fixture
def _nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, float] = {}
    monkeypatch.setattr(load, "_visitors", lambda: seen)


def come(count: int, ago: float = 0.0) -> None:
    load._visitors().update({f"visitor {i}": time.monotonic() - ago for i in range(count)})


def test_unasked_time_is_shared_by_those_who_are_here():
    assert load.fair(3.0) == 3.0
    come(10)
    assert load.fair(3.0) == 0.3 and load.crowded()
    come(9, ago=2 * load.HERE)
    assert (load.here(), load.fair(3.0)) == (1, 3.0) and not load.crowded()


def test_a_rest_does_not_count_as_work():
    load.clear()
    with load.measured("resting", units=1):
        time.sleep(0.05)
        load.rested(0.03)
    assert 0.015 < load.rate("resting", 0.0) < 10
    with load.measured("all of it a rest", units=1):
        time.sleep(0.01)
        load.rested(60.0)
    assert load.rate("all of it a rest", -1.0) == -1.0  # nothing was measured


def test_what_visitors_left_is_let_go_of_when_it_is_quiet(monkeypatch):
    moves, tidied = [0], []  # other tests' pages may have begun to tidy up in this process, too: each by its thread
    collect = SimpleNamespace(collect=lambda: tidied.append(threading.current_thread()))
    monkeypatch.setattr(tidy, "gc", collect)
    monkeypatch.setattr(load, "moves", lambda: moves[0])
    monkeypatch.setattr(tidy, "QUIET", 0.02)
    monkeypatch.setattr(tidy.runtime, "exists", lambda: True)
    others = set(threading.enumerate())
    tidy.begin()
    (mine,) = {thread for thread in threading.enumerate() if thread.name == "tidy"} - others
    time.sleep(0.2)
    assert mine not in tidied  # nobody has been here
    moves[0] += 1
    until = time.monotonic() + 30
    while mine not in tidied and time.monotonic() < until:
        time.sleep(0.02)
    time.sleep(0.2)
    assert tidied.count(mine) == 1  # and once is enough


def test_the_most_urgent_goes_first():
    turns, went = Turns(1, seconds=60), []

    def wait(rank: int, name: str) -> None:
        number = turns.take(rank)
        went.append(name)
        turns.give_back(number)

    mine = turns.take()
    threads = []
    for rank, name in ((1, "rest"), (1, "another rest"), (0, "picture"), (0, "another picture")):
        threads.append(threading.Thread(target=wait, args=(rank, name)))
        threads[-1].start()
        while len(turns._waiting) < len(threads):
            time.sleep(0.001)
    assert not went
    turns.give_back(mine)
    for thread in threads:
        thread.join()
    assert went == ["picture", "another picture", "rest", "another rest"] and turns.taken == 0


def test_nobody_waits_longer_than_a_turn_for_heavy_work():
    turns = Turns(1, seconds=0.05)
    heavy = turns.take()
    start = time.monotonic()
    other = turns.take()
    assert time.monotonic() - start >= 0.05
    third = threading.Thread(target=lambda: turns.give_back(turns.take()))
    third.start()
    turns.give_back(heavy)  # which no longer counted: the third waits for the other alone
    turns.give_back(other)
    third.join()
    assert turns.taken == 0


def test_a_turn_is_given_back_when_drawing_fails():
    with contextlib.suppress(ZeroDivisionError), load.turn():
        assert load._turns.taken == 1
        1 // 0  # noqa: B018
    assert load._turns.taken == 0


def test_a_class_asks_for_its_repetitions(monkeypatch):
    monkeypatch.setattr(load, "rate", lambda kind, guess: guess)
    settings = Settings().change(seed=77)
    alone = opened("compare", settings)
    assert not [button for button in alone.button if button.key == "repeat"]
    come(1000)
    crowded = opened("compare", settings.change(seed=78))
    assert [button.label for button in crowded.button if button.key == "repeat"] == ["Repeat 10 times"]


def test_a_shelf_is_bounded_and_lets_go():
    gone: list[str] = []
    shelf: Shelf[str] = Shelf(10, size=len, let_go=gone.append)
    for word in ("aaaa", "bbbb", "aaaa", "cccc"):
        assert shelf.ask(word, lambda word=word: word) == word
    assert gone == ["bbbb"]  # the one that was not asked for again
    assert shelf.ask("large", lambda: "d" * 99) == "d" * 99 and len(shelf) == 1


def test_what_many_ask_for_at_once_is_made_once():
    made: list[int] = []
    shelf: Shelf[int] = Shelf(10, size=lambda number: 1)
    together = threading.Barrier(8)

    def make() -> int:
        time.sleep(0.02)
        made.append(1)
        return len(made)

    def visitor() -> None:
        together.wait()
        assert shelf.ask("key", make) == 1

    threads = [threading.Thread(target=visitor) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1]


def test_what_fails_can_be_asked_for_again():
    shelf: Shelf[int] = Shelf(10, size=lambda number: 1)
    with pytest.raises(ZeroDivisionError):
        shelf.ask("key", lambda: 1 // 0)
    assert shelf.ask("key", lambda: 5) == 5


def test_mixing_is_unchanged_after_forget():
    learned = aklo.learn(aklo.syn1(n_tasks=12, n_examples=20, seed=3), lam=0.01)
    before, size = aklo.mix(learned, seed=3), learned.nbytes
    learned.forget()
    after = aklo.mix(learned, seed=3)
    assert learned.nbytes < size / 5
    assert (after.wrong == before.wrong).all()
    assert (after.replay(7).weights == before.replay(7).weights).all()


def themes() -> list[CustomThemeConfig]:
    """The theme as Streamlit tells it to a browser, in light and dark."""
    found = [CustomThemeConfig() for _ in range(3)]
    for message, section in zip(found, ("theme", "theme.light", "theme.dark"), strict=True):
        app_session._populate_theme_msg(message, section)
    return found


def test_the_theme_is_read_once_until_the_configuration_is_read_anew(monkeypatch: pytest.MonkeyPatch):
    plain, asked = config.get_options_for_section, []
    monkeypatch.setattr(config, "get_options_for_section", lambda section: asked.append(section) or plain(section))
    before = themes()
    assert before[2].primary_color == "#7aa7ff" and len(asked) == 3
    undo = theme.read_once()
    assert themes() == themes() == before and len(asked) == 6
    config.get_config_options(force_reparse=True)
    assert themes() == before and len(asked) == 9
    undo()
    assert themes() == themes() == before and len(asked) == 15
