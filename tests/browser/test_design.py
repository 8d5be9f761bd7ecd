"""Tasks designed by hand: while something is dragged, the points are those that Python generates."""

from __future__ import annotations

import json

import numpy as np
import pytest

import aklo
from aklo.lab.components.stream_overview import CLOUD
from aklo.lab.settings.schema import FIELDS
from tests.browser.steps import arrive, settle, until_query

SIZE = {"n_tasks": 12, "n_examples": 30, "seed": 3}
LINK = "T=12&N=30&s=3"


def generated(dataset: str, shown: dict[str, float]) -> list[dict]:
    """The drawn examples of each group by label, as the core makes them for the settings shown."""
    pair = lambda name: (shown[f"{name}_x"], shown[f"{name}_y"])  # noqa: E731
    common = {"spread": shown["spread"], "sd": shown["sd"], **SIZE}
    if dataset == "syn1":
        places = {name: pair(name) for name in ("mean1", "mean2", "vector1", "vector2")}
        stream = aklo.syn1(**places, **common)
    elif dataset == "syn2":
        stream = aklo.syn2(mean=pair("mean1"), vector=pair("vector1"), **common)
    else:
        stream = aklo.conflict(shown["angle"], mean=pair("mean1"), vector=pair("vector1"), **common)
    of_row, found = np.repeat(stream.task_groups, stream.lengths), []
    for group in sorted(set(stream.task_groups)):
        rows = np.flatnonzero(of_row == group)
        some = rows[:: -(-len(rows) // CLOUD)]
        found.append({"group": group} | {
            name: stream.X[some[stream.y[some] == sign]].tolist() for name, sign in (("plus", 1), ("minus", -1))
        })  # fmt: skip
    return found


def check_equal(page, dataset: str) -> dict[str, float]:
    """Assert that what is drawn is what Python generates; return the settings shown."""
    shown, points = page.locator("[data-aklo=overview]").evaluate("e => [JSON.parse(e.dataset.design), e.akloPoints()]")
    assert points == generated(dataset, shown)
    return shown


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("dataset", "grip", "names"),
    [
        ("syn1", "Mean of D1", ("mean1_x", "mean1_y")),
        ("syn1", "Labelling vector of D2", ("vector2_x", "vector2_y")),
        ("syn2", "Mean", ("mean1_x", "mean1_y")),
        ("conflict", "Angle between D1 and D2", ("angle",)),
        ("conflict", "Spread of the examples", ("spread",)),
    ],
)
def test_points_follow_a_drag_and_are_those_that_python_generates(page, serve, dataset, grip, names):
    arrive(page, f"{serve('app.py')}/tasks?d={dataset}&{LINK}")
    slider = page.get_by_role("slider", name=grip, exact=True)
    before = check_equal(page, dataset)
    box = slider.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    seen = []
    for k in range(1, 7):
        page.mouse.move(x + 9 * k, y + 7 * k)
        page.wait_for_timeout(60)
        seen.append(check_equal(page, dataset))
    assert len({json.dumps(shown) for shown in seen}) > 3
    page.mouse.up()
    after = check_equal(page, dataset)
    assert all(after[name] == before[name] for name in before if name not in names)
    assert any(after[name] != before[name] for name in names)
    changed = {FIELDS[name].key: f"{after[name]:.12g}" for name in names if after[name] != before[name]}
    until_query(page, **changed)
    settle(page)
    assert check_equal(page, dataset) == after
    page.get_by_role("button", name="Undo").click()
    until_query(page, **dict.fromkeys(changed))
    assert check_equal(page, dataset) == before


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("tasks?d=syn1&T=1&N=1", 3),  # mean and vector of its group, and the spread
        ("tasks?d=syn1&sh=1", 3),
        ("tasks?d=conflict&sh=0", 3),  # mean, vector of D1, spread
        ("transfer?d=conflict&sh=0&T=6&N=20&R=1", 0),  # the angle would turn a group that is not there
    ],
)
def test_a_stream_of_one_group_has_the_grips_of_that_group(page, serve, path, shown):
    arrive(page, f"{serve('app.py')}/{path}")
    page.locator("[data-drawn]").wait_for()
    assert page.get_by_text("Error").filter(has_text="BidiComponent").count() == 0
    assert page.locator(".design-grip:visible").count() == shown


def test_grips_are_moved_by_keyboard(page, serve):
    arrive(page, f"{serve('app.py')}/tasks?d=conflict&{LINK}")
    angle = page.get_by_role("slider", name="Angle between D1 and D2")
    assert [angle.get_attribute(f"aria-value{end}") for end in ("min", "max", "now")] == ["0", "180", "90"]
    angle.focus()
    for key in ("ArrowUp", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
    until_query(page, an="93")
    for _ in range(5):
        page.keyboard.down("ArrowRight")
    page.keyboard.up("ArrowRight")
    until_query(page, an="98")
    page.get_by_role("button", name="Undo", exact=True).click()
    until_query(page, an="93")  # a key that is held down is one step of the history
    vector = page.get_by_role("slider", name="Labelling vector of D1")
    assert vector.get_attribute("aria-valuenow") == "135"
    vector.press("Shift+ArrowRight")
    page.wait_for_function("e => e.ariaValueNow === '145'", arg=vector.element_handle())
    page.get_by_role("slider", name="Mean", exact=True).focus()
    page.keyboard.press("Shift+ArrowRight")
    until_query(page, ax="1")
    page.get_by_role("slider", name="Spread of the examples").focus()
    page.keyboard.press("ArrowDown")
    until_query(page, sp="0.9")
    shown = check_equal(page, "conflict")
    assert (shown["angle"], shown["mean1_x"], shown["spread"]) == (93, 1, 0.9)


def test_a_grip_is_moved_by_touch(visitor, serve):
    page = visitor(width=390, height=844, has_touch=True, is_mobile=True)
    arrive(page, f"{serve('app.py')}/tasks?d=conflict&{LINK}")
    box = page.get_by_role("slider", name="Angle between D1 and D2").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for k in range(1, 9):
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + 4 * k, "y": y - 8 * k}]})
        page.wait_for_timeout(20)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function("new URLSearchParams(location.search).get('an')")
    settle(page)
    assert check_equal(page, "conflict")["angle"] != 90
