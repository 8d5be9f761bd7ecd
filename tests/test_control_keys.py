"""Under which key a control is drawn: a new one exactly when the control has to be told its value."""

from __future__ import annotations

import pytest
import streamlit as st
from hypothesis import given
from hypothesis import strategies as some
from streamlit.testing.v1 import AppTest

from aklo.lab.session import control_keys
from aklo.lab.settings.schema import Settings
from tests.pages import assert_controls_are_true, closed, control, opened, sound


@pytest.fixture
def _session(monkeypatch: pytest.MonkeyPatch) -> None:
    """A visitor's session, without a page."""
    monkeypatch.setattr(st, "session_state", {})


@pytest.mark.usefixtures("_session")
def test_number_stays_while_page_and_value_stay():
    control_keys.begin_page("watch")
    first = control_keys.key("setting_task", 12)
    assert first == "setting_task-1"
    for _ in range(3):
        control_keys.begin_page("watch")
        assert control_keys.key("setting_task", 12) == first


@pytest.mark.usefixtures("_session")
def test_number_stays_when_the_control_reported_the_value():
    control_keys.begin_page("watch")
    first = control_keys.key("setting_task", 12)
    control_keys.record_component_value("setting_task", 5)
    assert control_keys.key("setting_task", 5) == first


@pytest.mark.usefixtures("_session")
def test_number_changes_when_something_else_changed_the_value():
    control_keys.begin_page("watch")
    first = control_keys.key("setting_task", 12)
    assert control_keys.key("setting_task", 5) != first
    control_keys.record_component_value("setting_task", 7)  # the visitor's value, which was not taken as it is
    second = control_keys.key("setting_task", 6)
    assert second not in (first, control_keys.key("setting_task", 12))


@pytest.mark.usefixtures("_session")
def test_number_changes_on_another_page_and_never_comes_again():
    seen = []
    for page in ("watch", "alpha", "watch"):
        control_keys.begin_page(page)
        seen.append(control_keys.key("setting_task", 12))
    assert len(set(seen)) == 3


@pytest.mark.usefixtures("_session")
def test_report_of_a_control_that_is_not_there_is_ignored():
    control_keys.begin_page("watch")
    control_keys.record_component_value("setting_task", 3)
    assert control_keys.key("setting_task", 3) == "setting_task-1"


MOVES = some.lists(
    some.one_of(
        some.tuples(some.just("enter"), some.sampled_from(["watch", "alpha"])),
        some.tuples(some.just("report"), some.integers(0, 2)),
        some.tuples(some.just("set"), some.integers(0, 2)),
    )
)


@given(MOVES)
def test_number_changes_exactly_when_page_or_unreported_value_change(moves: list[tuple[str, object]]):
    """Against a literal model: the value that the mounted control shows, or None where none is mounted."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(st, "session_state", {})
        follow(moves)


def follow(moves: list[tuple[str, object]]) -> None:
    page, value, shows, number = "watch", 0, None, None
    control_keys.begin_page(page)
    for move, what in [("set", 0), *moves]:
        if move == "enter":
            control_keys.begin_page(what)
            page, shows = what, shows if what == page else None
        elif move == "report" and shows is not None:
            control_keys.record_component_value("setting_task", what)
            value = shows = what
        elif move == "set":
            value = what
        found = control_keys.revision("setting_task", value)
        assert (found == number) == (shows == value)
        number, shows = found, value


# ------------------------------------------------------------------------------- a session that the server has lost


def _page_with_a_control_that_shows_nine() -> None:
    import streamlit as st

    from aklo.lab.frame import widgets
    from aklo.lab.session import control_keys, state

    def draw(*, key: str, value: int, on_change: object) -> int:
        st.session_state.setdefault("drawn", []).append((key, value))
        return 9  # what the browser says, whatever the server thinks

    control_keys.begin_page("watch")
    widgets.controlled_widget("setting_task", state.settings().task, draw, lambda task: state.change(task=task))
    st.caption(f"task {state.settings().task}")


def test_value_that_the_browser_shows_is_obeyed_without_a_callback():
    at = sound(AppTest.from_function(_page_with_a_control_that_shows_nine).run())
    assert [caption.value for caption in at.caption] == ["task 9"]
    # Drawn twice: with the value that the server had, then, in place, with the visitor's.
    assert at.session_state["drawn"] == [("setting_task-1", Settings().task), ("setting_task-1", 9)]


@pytest.mark.parametrize(
    ("page", "name", "value"),
    [
        ("watch", "task", 3),
        ("watch", "clip", "advice"),
        ("watch", "follow", True),
        ("watch", "horizon", "unknown"),
        ("watch", "n_tasks", 5),
        ("watch", "lam", 0.1),
        ("compare", "horizon", "unknown"),
        ("compare", "dataset", "conflict"),
        ("compare", "expected", True),
        ("alpha", "alpha_part", "In numbers"),
    ],
)
def test_new_session_obeys_a_control_that_was_moved_while_the_server_was_away(page: str, name: str, value: object):
    before = opened(page, Settings())
    moved = control(before, f"setting_{name}").set_value(value)
    after = closed(page)
    for key, text in Settings().address().items():
        after.query_params[key] = text
    # The browser's widgets come with the first request of the new session.
    sound(after._run(before._tree.get_widget_states()))
    # It sends the move again, since the new session has not heard of it.
    assert control(after, f"setting_{name}").heard is None
    moved.at = after
    sound(moved.run())
    assert after.session_state["settings"] == Settings().change(**{name: value})
    assert_controls_are_true(after)


# ----------------------------------------------------------------------- reports that bring an address of a moment ago


def test_move_that_is_sent_twice_does_not_bring_an_older_address_back():
    """The browser sends a move again if it has not been answered, with the address that it has at that moment."""
    at = opened("watch", Settings(task=3))
    older = dict(at.query_params)
    move = control(at, "setting_task").set_value(4)
    first = sound(move.run())
    assert first.query_params["t"] == "4"
    for key, text in older.items():
        first.query_params[key] = text
    sound(move.run(again=True))
    assert first.session_state["settings"].task == 4
    assert first.query_params["t"] == "4"


def test_address_of_a_moment_ago_is_read_when_no_control_was_moved():
    """As by the browser's Back."""
    at = opened("watch", Settings(task=3))
    older = dict(at.query_params)
    sound(control(at, "setting_task").set_value(4).run())
    for key, text in older.items():
        at.query_params[key] = text
    assert sound(at.run()).session_state["settings"].task == 3
