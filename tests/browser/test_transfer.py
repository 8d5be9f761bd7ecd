"""The page "When does knowledge hurt?", used as people use it."""

from __future__ import annotations

import re
from functools import partial
from urllib.parse import parse_qs, urlsplit

import pytest

import aklo
from tests.browser.steps import chart, choose, pick

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


def test_the_four_pictures_are_the_cores_and_follow_the_method(lab, page):
    visit(page, f"{lab}/transfer?{SMALL}")
    core = dict(aklo.transfer_map([(0.0, 0.5), (150.0, 0.5), (180.0, 0.5)], 2, lam=0.1, source=STREAM))
    lines = {trace["name"]: trace for trace in data(chart(page, "along"))}
    for method in aklo.METHODS[1:]:
        i = aklo.METHODS.index(method)
        assert lines[method]["y"][0] == pytest.approx(100 * core[0.0, 0.5].mean[i], abs=1e-9)
        assert lines[method]["y"][-1] == pytest.approx(100 * core[180.0, 0.5].mean[i], abs=1e-9)

    run = aklo.run(STREAM(angle=150), lam=0.1)
    friends = {trace["name"]: trace for trace in data(chart(page, "weight"))}["on friends"]
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


def test_a_map_is_asked_for_stopped_and_gone_on_with(lab, page):
    visit(page, f"{lab}/transfer?d=conflict&T=200&N=300&R=10&s=9")  # a minute, if it is let
    stop = page.locator(".st-key-cells_stop").get_by_role("button")  # Streamlit's own bar has a Stop too
    page.get_by_role("button", name="Compute the map").click()
    # A stream is kept when all its repetitions are done: two of 117 at least.
    page.get_by_text(re.compile(r"stream after stream: ([2-9]|\d\d)%")).wait_for(timeout=60_000)
    stop.click()
    again = page.locator(".st-key-cells_start").get_by_role("button")
    stop.wait_for(state="detached")
    assert 1 <= int(re.search(r"Go on, (\d+)%", again.inner_text())[1]) < 100
    # Another knob answers while the map is on its way, and what was done stays.
    again.click()
    stop.wait_for()
    pick(page, "setting_method", "Unif Sum", wait=False)
    settle(page, "In this one stream Unif Sum gains")
    stop.click()
    again.wait_for()


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
    page.get_by_role("button", name="One stranger among friends").click()
    settle(page, "Twenty clients, nineteen alike")
    assert "sh=0.05" in page.url
    bars = {trace["name"]: trace["y"] for trace in data(chart(page, "bars"))}
    assert len(bars["D1"]) == 19 and len(bars["D2"]) == 1 and bars["D2"][0] < -30
    page.reload()
    settle(page, "Twenty clients, nineteen alike")


def test_fits_a_phone(lab, visitor):
    page = visitor(width=390, height=844, color_scheme="dark")
    page.goto(f"{lab}/transfer?{SMALL}")
    for key in ("along", "bars", "weight"):
        chart(page, key)
    the_map(page)
    assert page.get_by_test_id("stMain").evaluate("e => e.scrollWidth <= e.clientWidth")
