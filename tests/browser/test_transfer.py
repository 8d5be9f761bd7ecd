"""The page "Negative transfer", used as people use it."""

from __future__ import annotations

import re
from functools import partial
from urllib.parse import parse_qs, urlsplit

import pytest

import aklo
from tests.browser.observe import shows
from tests.browser.steps import arrive, chart, choose, control, mixing, pick, slide, until_query
from tests.browser.steps import settle as drawn

STREAM = partial(aklo.conflict, n_tasks=10, n_examples=25)
SMALL = "d=conflict&T=10&N=25&R=2&an=150"


@pytest.fixture
def lab(serve) -> str:
    return serve("app.py")


def visit(page, address: str) -> None:
    """Until the last thing that a page always has is there; a machine that is busy takes its time for the first."""
    page.goto(address)
    page.get_by_role("button", name="Undo").wait_for(timeout=60_000)


def data(found) -> list[dict]:
    """What a chart draws: name, y and z of each trace."""
    return found.locator(".js-plotly-plot").evaluate(
        """e => e._fullData.map(t => ({name: t.name, type: t.type,
            y: t.y && Array.from(t.y, Number), z: t.z && Array.from(t.z, row => Array.from(row, Number))}))"""
    )


def settle(page, words: str) -> None:
    page.get_by_text(words).first.wait_for(timeout=60_000)


def the_map(page):
    """The map over angle and share, which a slow machine waits to be asked for."""
    ask = page.get_by_role("button", name="Compute the map")
    page.locator(".st-key-cells .main-svg").first.or_(ask).first.wait_for()
    if ask.count():
        ask.click()
    return chart(page, "cells")


@pytest.mark.thorough
def test_the_four_pictures_are_the_cores_and_follow_the_method(lab, page):
    visit(page, f"{lab}/transfer?{SMALL}")
    places = [(0.0, 0.5), (150.0, 0.5), (180.0, 0.5)]
    core = dict(aklo.transfer_map(places, 2, lam=0.1, source=STREAM, **mixing(page)))
    lines = {trace["name"]: trace for trace in data(chart(page, "along"))}
    for method in aklo.METHODS[1:]:
        i = aklo.METHODS.index(method)
        assert lines[method]["y"][0] == pytest.approx(100 * core[0.0, 0.5].mean[i], abs=1e-9)
        assert lines[method]["y"][-1] == pytest.approx(100 * core[180.0, 0.5].mean[i], abs=1e-9)

    run = aklo.run(STREAM(angle=150), lam=0.1, **mixing(page))
    friends = {trace["name"]: trace for trace in data(chart(page, "weight"))}["own group"]
    assert friends["y"] == pytest.approx(aklo.friends(run).mean.tolist())

    for method in ("AKLO Sum", "TOL"):
        i = aklo.METHODS.index(method)
        if method == "TOL":
            choose(page, "TOL")
        settle(page, f"In this one stream {method} gains")
        the_map(page)
        settle(page, f"Its colour is {method}'s mean gain")
        gain = 100 * aklo.gains(run.task_errors)[i]
        drawn = sorted(y for trace in data(chart(page, "bars")) for y in trace["y"])
        assert drawn == pytest.approx(sorted(gain.tolist()))
        cells = next(trace for trace in data(the_map(page)) if trace["type"] == "heatmap")["z"]
        assert (len(cells), len(cells[0])) == (9, 13)
        assert cells[4][10] == pytest.approx(100 * core[150.0, 0.5].mean[i], abs=1e-9)
    assert parse_qs(urlsplit(page.url).query)["m"] == ["TOL"]


@pytest.mark.thorough
def test_a_map_is_asked_for_stopped_and_gone_on_with(lab, page):
    visit(page, f"{lab}/transfer?d=conflict&T=200&N=300&R=10&s=9")  # a minute, if it is let
    stop = page.locator(".st-key-cells_stop").get_by_role("button")  # Streamlit's own bar has a Stop too
    page.get_by_role("button", name="Compute the map").click()
    # A stream is kept when all its repetitions are done: two of 117 at least.
    page.get_by_text(re.compile(r"stream after stream: ([2-9]|\d\d)\s%")).wait_for(timeout=60_000)
    stop.click()
    again = page.locator(".st-key-cells_start").get_by_role("button")
    stop.wait_for(state="detached")
    assert 1 <= int(re.search(r"Go on, (\d+)\s%", again.inner_text())[1]) < 100
    # Another knob answers while the map is on its way, and what was done stays.
    again.click()
    stop.wait_for()
    assert again.count() == 0  # Streamlit would leave it there, dimmed, if it stood in the same row
    pick(page, "setting_method", "Unif Sum", wait=False)
    settle(page, "In this one stream Unif Sum gains")
    # An open export menu waits for the map, and has its files as soon as that is stopped.
    page.get_by_role("button", name="Export").click()
    settle(page, "The files are made when all of this page is computed")
    assert page.get_by_role("button", name="Page (HTML)").count() == 0
    page.keyboard.press("Escape")
    stop.click()
    again.wait_for()
    page.get_by_role("button", name="Export").click()
    page.get_by_role("button", name="Page (HTML)").wait_for()
    assert page.get_by_text("The files are made when").count() == 0


@pytest.mark.thorough
def test_stories_from_any_stream(lab, page):
    visit(page, f"{lab}/transfer?d=syn2&T=10&N=25&R=2")
    for key in ("bars", "weight"):
        chart(page, key)
    assert page.locator(".st-key-along").count() == 0
    page.get_by_role("button", name="Take syn2 as a conflict").click()
    chart(page, "along")
    query = parse_qs(urlsplit(page.url).query)
    assert (query["d"], query["an"], query["ax"], query["ay"], query["l"]) == (
        ["conflict"], ["180"], ["10"], ["10"], ["0.001"],
    )  # fmt: skip
    drawn(page)
    page.get_by_role("button", name="One odd task among twenty").click()
    settle(page, "Nineteen tasks share one rule")
    assert "sh=0.05" in page.url
    bars = {trace["name"]: trace["y"] for trace in data(chart(page, "bars"))}
    assert len(bars["D1"]) == 19 and len(bars["D2"]) == 1 and bars["D2"][0] < -30
    page.reload()
    settle(page, "Nineteen tasks share one rule")


@pytest.mark.thorough
def test_fits_a_phone(lab, visitor):
    page = visitor(width=390, height=844, color_scheme="dark")
    page.goto(f"{lab}/transfer?{SMALL}")
    for key in ("along", "bars", "weight"):
        chart(page, key)
    the_map(page)
    assert page.get_by_test_id("stMain").evaluate("e => e.scrollWidth <= e.clientWidth")


def bar(page, task: int) -> tuple[float, float]:
    """Where the bar of a task is on the screen, once it is scrolled to."""
    plot = chart(page, "bars").locator(".js-plotly-plot")
    drawn(page)
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    x, y = plot.evaluate(
        """(e, task) => {
          const { xaxis: x, yaxis: y } = e._fullLayout;
          const of = e._fullData.find((trace) => Array.from(trace.x).includes(task));
          const gain = of.y[Array.from(of.x).indexOf(task)];
          return [x._offset + x.c2p(task), y._offset + y.c2p(gain / 2)];
        }""",
        task,
    )
    return box["x"] + x, box["y"] + y


def point_at(page, task: int) -> None:
    """Move the mouse over the bar of a task until its label is there; a chart that was off the screen takes a while."""
    label = chart(page, "bars").get_by_text("click to watch this task")
    for attempt in range(50):
        x, y = bar(page, task)
        page.mouse.move(x + attempt % 2, y)
        page.wait_for_timeout(100)
        if label.count():
            return
    raise AssertionError(f"The bar of task {task} shows no label.")


@pytest.mark.thorough
def test_click_on_a_bar_opens_that_task_in_the_player_and_back_returns(lab, page):
    visit(page, f"{lab}/transfer?{SMALL}")
    point_at(page, 6)
    page.mouse.down()
    page.mouse.up()
    page.wait_for_url("**/watch?*")
    page.locator("[data-aklo=player]").wait_for()
    query = parse_qs(urlsplit(page.url).query)
    assert (query["t"], query["d"], query["an"], query["T"]) == (["6"], ["conflict"], ["150"], ["10"])
    page.go_back()
    chart(page, "bars")
    assert "/transfer" in page.url


def test_keyboard_opens_a_task_from_its_bar(lab, page):
    visit(page, f"{lab}/transfer?{SMALL}")
    plot = chart(page, "bars").locator(".aklo-plot")
    plot.press("ArrowLeft")  # to the last task, which is gone then
    slide(page, "setting_n_tasks", "ArrowLeft")
    last = "e => Math.max(...e._fullData.flatMap((trace) => [...trace.x])) === 8"
    page.wait_for_function(last, arg=plot.element_handle())
    plot.press("Enter")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_url("**/watch?*")
    assert parse_qs(urlsplit(page.url).query)["t"] == ["2"]


@pytest.mark.parametrize(("width", "height"), [(1366, 650), (1920, 950)])
def test_gain_over_the_angle_and_its_control_are_on_the_first_screen(lab, visitor, width, height):
    page = visitor(width=width, height=height)
    page.goto(f"{lab}/transfer")
    picture = chart(page, "along").bounding_box()
    angle = control(page, "setting_angle").bounding_box()
    switch = control(page, "reading").bounding_box()
    for box in (picture, angle, switch):
        assert box["y"] + box["height"] <= height and box["x"] + box["width"] <= width
    assert angle["x"] >= picture["x"] + picture["width"]
    assert "begin" in page.locator(".st-key-finding").inner_text()


@pytest.mark.thorough
def test_the_angle_is_turned_by_the_arrow_in_the_plane(page, serve):
    """While the arrow is held, the slider and the chart's mark follow; the address waits for the release."""
    arrive(page, f"{serve('app.py')}/transfer?d=conflict&an=90&T=6&N=15&R=1&s=3")
    arrow = page.get_by_role("slider", name="Angle between D1 and D2")
    box = arrow.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for k in range(1, 9):
        page.mouse.move(x + 5 * k, y + 2 * k)
        page.wait_for_timeout(60)
    page.wait_for_function("e => Number(e.dataset.value) > 95", arg=control(page, "setting_angle").element_handle())
    until_query(page, an=None)  # 90 is the default
    page.mouse.up()
    page.wait_for_function("Number(new URLSearchParams(location.search).get('an')) > 95")
    drawn(page)
    angle = page.evaluate("new URLSearchParams(location.search).get('an')")
    assert shows(page, "setting_angle") == angle == arrow.get_attribute("aria-valuenow")
    page.get_by_role("button", name="Undo").click()
    until_query(page, an=None)
    assert shows(page, "setting_angle") == "90"
