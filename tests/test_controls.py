"""The lab's controls: what they are told, and which moves of the browser are obeyed."""

from __future__ import annotations

import json

import pytest
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from aklo.lab.server import visitors
from aklo.lab.settings.schema import Settings
from tests.pages import Control, control, opened, sound

SMALL = Settings().change(n_tasks=8, n_examples=12, task=3)


def send(moved: Control, *moves: object) -> AppTest:
    """Run the page after the browser has sent moves of a control, in one message."""
    at = moved.at
    states = at._tree.get_widget_states()
    sent = [
        move | {"value": {"control": moved.key, "value": move["value"]}}
        if isinstance(move, dict) and "value" in move
        else move
        for move in moves
    ]
    event = json.dumps([{"event": "move", "value": sent}])
    states.widgets.append(WidgetState(id=_make_trigger_id(moved.id, "events"), json_trigger_value=event))
    return sound(at._run(states))


def move(number: int, value: object, *, drag: int = 1, done: bool = False) -> dict:
    return {"id": number, "value": value, "drag": drag, "done": done}


def in_force(at: AppTest) -> Settings:
    return at.session_state["settings"]


def test_slider_is_told_range_value_and_words():
    at = opened("watch", SMALL)
    task, lam = control(at, "setting_task").told, control(at, "setting_lam").told
    assert (task["low"], task["high"], task["step"], task["value"], task["words"]) == (0, 7, 1, 3, None)
    assert task["help"] and control(at, "setting_task").heard is None
    assert (lam["words"][lam["value"]], lam["high"]) == ("0.001", len(lam["words"]) - 1)


def test_slider_shows_a_value_between_its_steps_and_outside_its_range():
    at = opened("tasks", Settings().change(dataset="conflict", angle=43.0))
    assert (control(at, "setting_angle").value, control(at, "setting_angle").told["step"]) == (43.0, 1.0)
    at = opened("watch", SMALL.change(alpha="exponential:half_life=1200"))
    assert (control(at, "alpha_Exponential_half_life").value, control(at, "alpha_Exponential_half_life").max) == (
        1200.0,
        1200.0,
    )


def test_a_drag_is_one_step_of_the_history_and_reaches_the_address_on_release():
    at = opened("watch", SMALL)
    before = dict(at.query_params)
    for number, value in ((11, 4), (12, 5), (13, 6)):
        send(control(at, "setting_task"), move(number, value))
        assert in_force(at).task == value and control(at, "setting_task").heard == number
        assert dict(at.query_params) == before  # Back should not go through each value of a drag
    send(control(at, "setting_task"), move(14, 6, done=True))
    assert at.query_params["t"] == "6"
    sound(at.button(key="undo").click().run())
    assert in_force(at) == SMALL and at.query_params["t"] == "3"
    assert at.button(key="undo").disabled


def test_two_drags_are_two_steps_of_the_history():
    at = opened("watch", SMALL)
    send(control(at, "setting_task"), move(1, 4, drag=1, done=True))
    send(control(at, "setting_task"), move(2, 5, drag=2, done=True))
    sound(at.button(key="undo").click().run())
    assert in_force(at).task == 4


def test_moves_of_one_message_are_each_a_step_of_the_history():
    """The browser sends together what it could not send while it waited for an answer."""
    at = opened("watch", SMALL)
    send(control(at, "setting_task"), move(1, 4, drag=1, done=True), move(2, 5, drag=2, done=True), move(3, 6, drag=3))
    assert in_force(at).task == 6 and control(at, "setting_task").heard == 3
    for task in (5, 4, 3):
        sound(at.button(key="undo").click().run())
        assert in_force(at).task == task


def test_moves_that_come_again_with_newer_ones_are_obeyed_once():
    at = opened("watch", SMALL)
    send(control(at, "setting_task"), move(1, 4, drag=1, done=True))
    sound(at.button(key="undo").click().run())
    send(control(at, "setting_task"), move(1, 4, drag=1, done=True), move(2, 6, drag=2, done=True))
    assert in_force(at).task == 6
    sound(at.button(key="undo").click().run())
    assert in_force(at).task == 3


def test_a_control_is_told_the_value_in_force_where_its_move_could_not_be_taken_as_it_is():
    """The number of tasks falls, and in the same moment the task is set to one that there is no more."""
    at = opened("watch", SMALL)
    before = control(at, "setting_task").told["revision"]
    send(control(at, "setting_n_tasks"), move(1, 5, done=True))
    send(control(at, "setting_task"), move(2, 7, drag=2, done=True))
    told = control(at, "setting_task").told
    assert (in_force(at).task, told["value"]) == (4, 4) and told["revision"] != before


def test_drags_of_two_sliders_are_two_steps_though_each_counts_from_one():
    at = opened("watch", SMALL)
    send(control(at, "setting_task"), move(1, 4, drag=1, done=False))
    send(control(at, "setting_n_examples"), move(1, 25, drag=1, done=True))
    sound(at.button(key="undo").click().run())
    assert in_force(at) == SMALL.change(task=4)


def test_a_move_that_comes_twice_is_obeyed_once():
    at = opened("watch", SMALL)
    send(control(at, "setting_task"), move(7, 5, done=True))
    sound(at.button(key="undo").click().run())
    send(control(at, "setting_task"), move(7, 5, done=True))
    assert in_force(at).task == 3


@pytest.mark.parametrize(
    "bad",
    [None, 5, "5", [], {"id": 1}, move(1, "5"), move(1, None), move(1, True), move(1, float("nan")), move(1, [4])],
    ids=str,
)
def test_a_move_that_is_none_changes_nothing(bad):
    at = opened("watch", SMALL)
    send(control(at, "setting_task"), bad)
    assert in_force(at) == SMALL


@pytest.mark.parametrize(("sent", "taken"), [(-5, 0), (1e9, 7), (4.4, 4)])
def test_a_move_outside_the_range_is_clamped_and_the_slider_is_told(sent, taken):
    at = opened("watch", SMALL)
    before = control(at, "setting_task").told["revision"]
    send(control(at, "setting_task"), move(1, sent, done=True))
    told = control(at, "setting_task").told
    assert in_force(at).task == taken == told["value"]
    assert told["revision"] != before  # so that the browser shows what came into force


def test_sliders_report_while_dragged_only_for_few_visitors(monkeypatch):
    here = {f"visitor {number}" for number in range(visitors.FEW)}
    monkeypatch.setattr(visitors, "_seen", here.copy())
    monkeypatch.setattr(visitors, "is_here", lambda session: session in here)
    assert control(opened("watch", SMALL), "setting_task").live
    here.add("one more")
    visitors._seen.update(here)
    assert not control(opened("watch", SMALL), "setting_task").live
    here.clear()  # they have left
    assert control(opened("watch", SMALL), "setting_task").live and not visitors._seen
