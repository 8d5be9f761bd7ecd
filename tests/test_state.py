"""The settings in force for one visitor: one history for every change, and controls that show what is in force."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import aklo
from aklo import lab
from aklo.lab.components import player
from aklo.lab.components.player import PlayerView
from aklo.lab.content.transfer_cases import CASES
from aklo.lab.session import state, url
from aklo.lab.session.state import Drag
from aklo.lab.settings.presets import PRESETS
from aklo.lab.settings.schema import Settings, waiting_sentence
from tests.pages import (
    alpha_picture,
    assert_controls_are_true,
    closed,
    control,
    opened,
    report_move,
    shape_alpha,
    sound,
)  # fmt: skip

DRAWN = "custom:points=1/0.6/0.2"


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict:
    """A visitor's session, without a page."""
    found: dict = {}
    monkeypatch.setattr(st, "session_state", found)
    return found


def press(at: AppTest, key: str) -> AppTest:
    return sound(at.button(key=key).click().run())


def settings_of(at: AppTest) -> Settings:
    return at.session_state["settings"]


# ---------------------------------------------------------------------------------------------------------- history


@pytest.mark.usefixtures("session")
def test_undo_and_redo_go_through_all_changes():
    seen = [state.settings()]
    for change in ({"task": 3}, {"dataset": "conflict"}, {"alpha": DRAWN}, {"kept": "none"}):
        state.change(**change)
        seen.append(state.settings())
    for before in reversed(seen[:-1]):
        state.undo()
        assert state.settings() == before
    assert not state.can_undo()
    state.undo()
    assert state.settings() == seen[0]
    for after in seen[1:]:
        state.redo()
        assert state.settings() == after
    assert not state.can_redo() and state.can_undo()


@pytest.mark.usefixtures("session")
def test_a_drag_is_one_step_of_the_history_though_its_first_move_changes_nothing():
    for task in (14, 15, 17):
        state.change(Drag("slider 1", done=False), task=task)
    assert state.is_dragging()
    state.change(Drag("slider 1", done=True), task=17)
    assert not state.is_dragging()
    state.undo()
    assert state.settings() == Settings() and not state.can_undo()


@pytest.mark.usefixtures("session")
def test_a_drag_that_ends_where_it_began_is_no_step_of_the_history():
    """As a swipe that begins on a slider and scrolls the page."""
    state.change(task=3)
    for task, done in ((4, False), (9, False), (3, True)):
        state.change(Drag("slider 1", done=done), task=task)
    state.undo()
    assert state.settings() == Settings() and not state.can_undo()


@pytest.mark.usefixtures("session")
def test_undo_in_the_middle_of_a_drag():
    for task, done in ((4, False), (5, False)):
        state.change(Drag("slider 1", done=done), task=task)
    state.undo()
    state.change(Drag("slider 1", done=True), task=Settings().task)
    assert state.settings() == Settings() and not state.can_undo()


@pytest.mark.usefixtures("session")
def test_a_drag_that_has_ended_does_not_go_on():
    """A component that is mounted anew counts its drags from the beginning."""
    state.change(Drag("slider 1", done=True), task=3)
    state.change(Drag("slider 1", done=True), task=4)
    state.undo()
    assert state.settings().task == 3


@pytest.mark.usefixtures("session")
def test_new_change_clears_redo():
    state.change(task=3)
    state.undo()
    assert state.can_redo()
    state.change(seed=5)
    assert not state.can_redo()
    state.undo()
    assert state.settings() == Settings()


@pytest.mark.usefixtures("session")
def test_positions_are_not_in_the_history():
    state.change(task=3)
    state.undo()
    for position in ({"step": 7}, {"raced": 4}, {"case_step": 2}):
        state.change(**position)
        assert not state.can_undo() and state.can_redo(), position
    state.redo()
    assert state.settings().task == 3 and state.settings().step == 1  # another task begins at its first step


@pytest.mark.usefixtures("session")
def test_undo_keeps_the_step_where_the_task_stays_the_same():
    state.replace(Settings().change(clip="sum"))
    state.change(clip="advice")
    state.change(step=30)
    state.undo()
    assert (state.settings().clip, state.settings().step) == ("sum", 30)
    state.redo()
    assert (state.settings().clip, state.settings().step) == ("advice", 30)


@pytest.mark.usefixtures("session")
def test_change_that_changes_nothing_is_not_in_the_history():
    state.change(task=Settings().task)
    state.replace(Settings())
    assert not state.can_undo()


@pytest.mark.usefixtures("session")
def test_history_is_bounded():
    for seed in range(1, state.MOST_CHANGES + 20):
        state.change(seed=seed)
    for _ in range(state.MOST_CHANGES + 20):
        state.undo()
    assert state.settings().seed == 19


def _step_by_button(*_: object, on_view: Callable[[PlayerView], None], **__: object) -> None:
    """A stand-in for the player."""
    st.button("Step", key="step", on_click=on_view, args=(PlayerView(step=5),))
    st.button("Choose TOL", key="tol", on_click=on_view, args=(PlayerView(step=5, method="TOL"),))


def go_on_from_lesson(at: AppTest) -> None:
    sound(at.slider[0].set_value(9).run())
    for key in ("commit", "skip", "try"):
        press(at, key)
    sound(at.switch_page("pages/watch.py").run())  # AppTest itself does not follow to the page that was switched to


WAYS: dict[str, tuple[str, dict[str, str], Callable[[AppTest], object]]] = {
    "control": ("watch", {}, lambda at: sound(control(at, "setting_task").set_value(3).run())),
    "preset": ("compare", {}, lambda at: sound(control(at, "preset").set_value("Same rule for all tasks").run())),
    "dataset": ("tasks", {}, lambda at: sound(control(at, "setting_dataset").set_value("conflict").run())),
    "parameter of alpha": ("watch", {}, lambda at: sound(control(at, "alpha_Linear_end").set_value(0.25).run())),
    "drawn curve": ("alpha", {}, lambda at: shape_alpha(at, alpha=DRAWN)),
    "clip in the picture of alpha": ("alpha", {}, lambda at: shape_alpha(at, clip="sum")),
    "preset in the picture of alpha": (
        "alpha",
        {},
        lambda at: report_move(at, "aklo_alpha_picture", {"preset": "Same rule for all tasks"}),
    ),
    "schedule that is removed": ("alpha", {}, lambda at: shape_alpha(at, kept=["linear:end=0"])),
    "method in the player": ("watch", {}, lambda at: press(at, "tol")),
    "lesson": ("lessons", {"lesson": "4"}, go_on_from_lesson),
    "story": ("transfer", {}, lambda at: press(at, "case_2")),
    "reset": ("watch", {}, lambda at: press(at, "reset")),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_change_can_be_undone_and_redone(way: str, monkeypatch: pytest.MonkeyPatch):
    if way == "method in the player":
        monkeypatch.setattr(player, "player", _step_by_button)
    page, query, change = WAYS[way]
    mine = Settings().change(n_tasks=8, n_examples=20, task=5, seed=7, repetitions=2)
    at = opened(page, mine, **query)
    change(at)
    changed = settings_of(at)
    assert changed != mine
    assert_controls_are_true(at)
    press(at, "undo")
    assert settings_of(at).change(step=1) == mine
    assert_controls_are_true(at)
    assert at.button(key="undo").disabled and not at.button(key="redo").disabled
    press(at, "redo")
    assert settings_of(at) == changed
    assert_controls_are_true(at)
    assert at.button(key="redo").disabled and not at.button(key="undo").disabled


def test_step_of_the_player_is_in_the_address_and_not_in_the_history(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(player, "player", _step_by_button)
    at = opened("watch", Settings())
    press(at, "step")
    assert settings_of(at).step == 5 and at.query_params["i"] in ("5", ["5"])
    assert at.button(key="undo").disabled


# ------------------------------------------------------------------------------------------- a schedule that waits


def test_drawn_schedule_waits_for_a_known_horizon_and_comes_back():
    at = opened("alpha", Settings().change(n_tasks=6, n_examples=20, task=3, alpha=DRAWN))
    shape_alpha(at, horizon="unknown")
    waiting = waiting_sentence(settings_of(at))
    assert waiting.startswith("Custom, 3 points needs the number of examples")
    assert waiting.endswith("Power, exponent k 0.5 is used instead.")
    assert settings_of(at).schedule == aklo.Power(0.5) and at.query_params["a"] in (DRAWN, [DRAWN])
    told = alpha_picture(at)
    assert waiting == f"Custom, 3 points {told['waiting']}" and told["standIn"] == "power:k=0.5"
    assert told["view"]["alpha"] == DRAWN
    shape_alpha(at, horizon="known")
    assert settings_of(at).schedule == aklo.Schedule.parse(DRAWN)


def test_waiting_sentence_stands_under_the_control_of_every_page_that_has_it():
    waiting = Settings().change(n_tasks=6, n_examples=20, task=3, horizon="unknown", repetitions=1)
    for page in ("watch", "compare", "transfer", "theory"):
        at = opened(page, waiting)
        assert control(at, "setting_horizon").told["note"] == waiting_sentence(waiting), page


# ------------------------------------------------------------------------------------------------ controls are true


def test_task_control_shows_the_task_in_force_whatever_changes_the_tasks():
    at = opened("watch", Settings())

    def shows_the_task() -> None:
        assert control(at, "setting_task").value == settings_of(at).task
        assert control(at, "setting_task").max == settings_of(at).n_tasks - 1

    for n_tasks in (49, 50, 51, 14, 13, 12, 11, 12, 2, 50):
        sound(control(at, "setting_n_tasks").set_value(n_tasks).run())
        shows_the_task()
    assert settings_of(at).task == 1
    for task in (40, 15):
        sound(control(at, "setting_task").set_value(task).run())
        shows_the_task()
    for dataset in ("digits", "conflict", "syn1"):
        sound(control(at, "setting_dataset").set_value(dataset).run())
        shows_the_task()
    for preset in PRESETS:
        sound(control(at, "preset").set_value(preset).run())
        shows_the_task()
        assert_controls_are_true(at)


@pytest.mark.parametrize("case", range(len(CASES)))
def test_menu_navigation_keeps_control_values(case: int):
    at = opened("transfer", Settings().change(n_tasks=8, n_examples=20, repetitions=1))
    sound(at.button(key=f"case_{case}").click().run())
    small = CASES[case].settings.change(n_examples=10, repetitions=1)
    sound(control(at, "setting_n_examples").set_value(10).run())
    sound(control(at, "setting_repetitions").set_value(1).run())
    for page in ("watch", "tasks", "alpha", "compare", "theory", "world", "transfer"):
        sound(at.switch_page(f"pages/{page}.py").run())
        assert settings_of(at) == small
        assert_controls_are_true(at)


# ---------------------------------------------------------------------------------------------------------- the menu


def by_menu(at: AppTest, page: str) -> AppTest:
    """Go to a page as the menu does."""
    at.query_params.update([url.STAY])
    return sound(at.switch_page(f"pages/{page}.py").run())


def test_menu_keeps_the_settings_in_force_whatever_the_link_was_drawn_with():
    at = opened("watch", Settings().change(n_tasks=8, n_examples=20))
    sound(control(at, "setting_task").set_value(3).run())
    by_menu(at, "compare")
    assert settings_of(at) == Settings().change(n_tasks=8, n_examples=20, task=3)
    assert at.query_params == settings_of(at).address()
    assert_controls_are_true(at)


def test_menu_opens_negative_transfer_with_its_own_stream_and_undo_takes_that_back():
    at = opened("watch", Settings().change(n_tasks=8, n_examples=20, repetitions=1))
    by_menu(at, "transfer")
    assert settings_of(at).dataset == "conflict"
    press(at, "undo")
    assert settings_of(at).dataset == Settings().dataset


def test_menu_goes_back_to_an_open_lesson_and_from_there_to_the_list_of_lessons():
    at = opened("lessons", lesson="1")
    by_menu(at, "watch")
    assert "lesson" not in at.query_params
    by_menu(at, "lessons")
    assert at.query_params["lesson"] == "1"
    by_menu(at, "lessons")
    assert "lesson" not in at.query_params


def test_address_of_the_menu_is_read_after_a_lost_session():
    at, settings = closed(None), Settings().change(dataset="syn2", n_tasks=8, n_examples=20)
    at.query_params.update(settings.address())
    by_menu(at, "watch")
    assert settings_of(at) == settings
    assert at.query_params == settings.address()


def test_session_state_is_touched_in_session_and_frame_only():
    """And in the one function of the components that reads what they have sent."""
    folder = Path(lab.__file__).parent
    files = [*folder.rglob("*.py"), *(folder.parents[1] / "pages").glob("*.py"), folder.parents[1] / "app.py"]
    touching = {file for file in files if "session_state" in file.read_text(encoding="utf-8")}
    elsewhere = {file for file in touching if file.parent not in (folder / "session", folder / "frame")}
    assert elsewhere == {folder / "components" / "moves.py"}
