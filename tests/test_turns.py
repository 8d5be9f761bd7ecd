"""Pages are drawn one at a time, and nobody keeps the turn who waits or has failed."""

from __future__ import annotations

import ast
import threading

import pytest

from aklo.lab.compute import transfer_map
from aklo.lab.frame import page as frame
from aklo.lab.server import turns
from aklo.lab.server.turns import pictures_first, turn, turn_given_up
from aklo.location import lab_folder
from tests import pages
from tests.pages import sound

SCRIPTS = sorted((lab_folder() / "pages").glob("*.py"))


def is_free() -> bool:
    """Whether another thread can take its turn now."""
    taken = threading.Event()

    def take() -> None:
        with turn():
            taken.set()

    thread = threading.Thread(target=take, daemon=True)
    thread.start()
    free = taken.wait(0.2)
    waiting.append(thread)
    return free


waiting: list[threading.Thread] = []


@pytest.fixture(autouse=True)
def _nobody_waits():
    yield
    for thread in waiting:
        thread.join(5)
        assert not thread.is_alive()
    waiting.clear()


def test_turn_makes_others_wait_until_it_ends():
    with turn():
        assert not is_free()
    assert is_free()


def test_turn_that_is_given_up_lets_others_draw():
    with turn():
        with turn_given_up():
            assert is_free()
        assert not is_free()
    assert is_free()


def test_giving_up_without_a_turn_does_nothing():
    with turn_given_up():
        assert is_free()
    assert is_free()


def wait_until(holds) -> None:
    """Wait until something holds, for five seconds at most."""
    for _ in range(500):
        if holds():
            return
        threading.Event().wait(0.01)
    raise AssertionError("It never held.")


def test_pictures_are_drawn_before_the_rest_of_other_pages():
    """One visitor has drawn a picture; two come meanwhile, and a third while the second draws."""
    drawn: list[str] = []

    def draw(name: str) -> None:
        with turn():
            drawn.append(f"picture {name}")
            pictures_first()
            drawn.append(f"rest {name}")

    with turn():
        for number, name in enumerate("abc", 1):
            thread = threading.Thread(target=draw, args=(name,), daemon=True)
            thread.start()
            waiting.append(thread)
            wait_until(lambda number=number: len(turns._pictures) == number)
        drawn.append("picture here")
        pictures_first()
        drawn.append("rest here")
    for thread in waiting:
        thread.join(5)
    assert drawn == [f"{what} {name}" for what in ("picture", "rest") for name in ("here", "a", "b", "c")]


def test_pictures_first_keeps_the_turn_where_nobody_waits():
    with turn():
        pictures_first()
        assert not is_free()
    assert is_free()


def test_pictures_first_without_a_turn_does_nothing():
    pictures_first()
    assert is_free()


def fail_in_a_turn(give_up: bool) -> None:
    with turn():
        if give_up:
            with turn_given_up():
                raise ZeroDivisionError
        raise ZeroDivisionError


@pytest.mark.parametrize("give_up", [True, False])
def test_turn_ends_when_the_page_fails(give_up):
    with pytest.raises(ZeroDivisionError):
        fail_in_a_turn(give_up)
    assert is_free()


@pytest.mark.parametrize("script", SCRIPTS, ids=[script.stem for script in SCRIPTS])
def test_page_draws_nothing_after_its_frame(script):
    """What a page draws after its turn is drawn while others are, and is missing in its export."""
    last = ast.parse(script.read_text(encoding="utf-8")).body[-1]
    assert isinstance(last, ast.With) and last.items[0].context_expr.func.id == "page"


@pytest.mark.parametrize(
    ("page", "query", "before", "after"),
    [
        (None, {}, {"home"}, set()),
        ("watch", {}, {"watch"}, set()),
        ("tasks", {}, {"overview"}, {"multiples"}),
        ("alpha", {}, {"alpha"}, {"schedules"}),
        ("compare", {}, {"race"}, {"ace"}),
        ("theory", {}, {"promise"}, {"voices", "price"}),
        ("world", {}, set(), set()),
        ("transfer", {"d": "conflict"}, {"along"}, {"bars", "weight"}),
        ("transfer", {"d": "syn1"}, {"bars"}, {"weight"}),
        ("lessons", {"lesson": "2"}, {"before_2-together"}, set()),
    ],
)
def test_others_draw_their_picture_as_soon_as_that_of_the_page_is_drawn(page, query, before, after, monkeypatch):
    """What has been drawn by then, of what the page exports: its picture, and nothing that comes later."""
    drawn: list[set[str]] = []
    monkeypatch.setattr(frame, "pictures_first", lambda: drawn.append(set(frame.exports.current().things)))
    at = pages.opened(page, **{"T": "8", "N": "30", "R": "1", "t": "3"} | query)
    assert drawn == [before]
    assert set(at.session_state["exports"].things) >= before | after


def test_others_draw_their_picture_as_soon_as_the_answer_of_a_lesson_is_drawn(monkeypatch):
    at = pages.opened("lessons", lesson="1")
    sound(at.slider[0].set_value(5).run())
    drawn: list[set[str]] = []
    monkeypatch.setattr(frame, "pictures_first", lambda: drawn.append(set(frame.exports.current().things)))
    sound(at.button(key="commit").click().run())
    assert drawn == [{"lesson_1-alone"}]


def test_others_draw_while_the_gain_over_the_angle_is_computed(monkeypatch):
    held: list[bool] = []
    compute = transfer_map.compute

    def look(*what, **options):
        held.append(turns._thread.holds)
        return compute(*what, **options)

    monkeypatch.setattr(transfer_map, "compute", look)
    pages.opened("transfer", d="conflict", T="7", N="21", R="1", s="17")
    assert held and not any(held)
