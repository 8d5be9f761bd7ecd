"""The page "Compare the methods", used as people use it."""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import isotonic_regression

import aklo
from aklo.lab.components import registry
from tests.browser.steps import arrive, chart, look, mixing, settle, slide, until_query

RACE = "[data-aklo=race]"
ENDS = "e => [...e.querySelectorAll('.end')].map((end) => end.textContent).join()"


@pytest.fixture
def lab(serve) -> str:
    return serve("app.py")


def numbers(page) -> list[int]:
    """The number at the end of each line that is shown, in the methods' order."""
    ends = page.locator(f"{RACE} .end").evaluate_all("all => all.filter((e) => !e.hidden).map((e) => e.textContent)")
    return [int(text) for text in ends]


def stands(page, after: int) -> None:
    page.locator(f"{RACE}[data-after='{after}'][data-state=paused]").wait_for(timeout=60_000)


@pytest.mark.thorough
def test_play_step_and_hide_by_keyboard(serve, page):
    arrive(page, f"{serve('app.py')}/compare?T=8&N=30&R=3")
    stands(page, 8)
    run = aklo.run(aklo.syn1(8, 30), lam=1e-3, **mixing(page))
    ends = [int(row.sum()) for row in run.wrong]
    assert numbers(page) == ends

    race = page.locator(RACE)
    race.get_by_role("button", name="Play", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_function(
        "e => e.dataset.state === 'playing' && Number(e.dataset.after) < 6", arg=race.element_handle()
    )
    stands(page, 8)
    assert numbers(page) == ends
    assert "at=" not in page.url

    race.get_by_role("slider", name="Tasks seen").focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    stands(page, 5)
    page.wait_for_url("**at=5**")
    after_five = [int(row[:150].sum()) for row in run.wrong]
    assert numbers(page) == after_five
    race.get_by_role("button", name="Step forward").press("Enter")
    page.wait_for_url("**at=6**")
    race.get_by_role("slider", name="Tasks seen").press("Home")
    race.get_by_role("button", name="Step back").press("Enter")  # 0 would mean all
    page.wait_for_url("**at=1**")
    stands(page, 1)
    settle(page)
    stands(page, 1)

    tol = race.get_by_role("button", name="TOL", exact=True)
    tol.press("Enter")
    page.wait_for_function("e => e.querySelectorAll('.end:not([hidden])').length === 5", arg=race.element_handle())
    assert tol.get_attribute("aria-pressed") == "false"
    for part, key in (("After each task", "ace"), ("Task by task", "heat"), ("The last task", "last")):
        look(page, part)
        chart(page, key)
    page.wait_for_url("**pr=The+last+task**")


def test_a_link_shows_where_the_race_stood_and_a_slider_leaves_it_there(lab, page):
    arrive(page, f"{lab}/compare?T=8&N=30&R=2&at=3&ex=1")
    stands(page, 3)
    race = page.locator(RACE).element_handle()
    before = race.evaluate(ENDS)
    slide(page, "alpha_Linear_end", "End")
    page.wait_for_function(f"([e, before]) => ({ENDS})(e) !== before", arg=[race, before])
    stands(page, 3)
    until_query(page, a="linear:end=1", at="3", ex="1")  # the picture may come before the address
    page.go_back()
    page.wait_for_function(f"([e, before]) => ({ENDS})(e) === before", arg=[race, before])


def test_pointing_reads_all_six(lab, page):
    arrive(page, f"{lab}/compare?T=8&N=30&R=2")
    stands(page, 8)
    page.locator(f"{RACE} canvas").first.hover()
    readout = page.locator(f"{RACE} .readout")
    readout.wait_for()
    said = readout.inner_text()
    assert "in task 3" in said or "in task 4" in said
    assert all(method in said for method in aklo.METHODS)


def test_the_table_comes_as_a_file_that_equals_the_core(lab, page):
    arrive(page, f"{lab}/compare?T=8&N=30&R=4&s=2")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download the table as CSV").click()
    read = pd.read_csv(io.StringIO(Path(waiting.value.path()).read_text())).set_index("method")
    core = aklo.repeat(partial(aklo.syn1, n_tasks=8, n_examples=30), 4, lam=1e-3, seed=2, **mixing(page))
    pd.testing.assert_frame_equal(read[["mean", "std"]], core.table, check_names=False)
    gaps = core.differences().query("first == 'ITOL'").set_index("second")
    pd.testing.assert_series_equal(read.loc[gaps.index, "difference"], -gaps["mean"], check_names=False)
    pd.testing.assert_series_equal(read.loc[gaps.index, "low"], -gaps["high"], check_names=False)


def test_repetitions_wait_run_and_can_be_cancelled(lab, page):
    arrive(page, f"{lab}/compare?T=200&N=600&R=50")  # about half a minute, if it is let
    page.get_by_role("button", name="Repeat 50 times").click()
    page.get_by_text("Repeating on fresh data").first.wait_for()
    page.get_by_role("button", name="Stop", exact=True).click()
    page.get_by_role("button", name="Go on, ").wait_for()
    page.get_by_role("button", name="Stop", exact=True).wait_for(state="detached")
    settle(page)


def test_counts_stand_as_near_to_their_lines_as_they_can(page, serve):
    """The script's own function against an isotonic regression of scipy."""
    source = registry.source("shared/method_lines.js")
    spread = source[source.index("function spread") : source.index("\n}\n", source.index("function spread")) + 3]
    page.goto("about:blank")
    random = np.random.default_rng(0)
    for _ in range(200):
        heights = random.integers(0, random.choice([3, 30, 300]), random.integers(1, 7)).astype(float)
        gap, low, high = 13.0, 10.0, float(random.choice([40, 100, 280]))
        found = np.array(
            page.evaluate(f"args => {{ {spread} return spread(...args); }}", [heights.tolist(), gap, low, high])
        )
        order, ranks = np.argsort(heights, kind="stable"), np.arange(len(heights))
        gap = min(gap, (high - low) / max(len(heights) - 1, 1))
        near = isotonic_regression(heights[order] - ranks * gap).x
        expected = np.clip(near, low, high - ranks[-1] * gap) + ranks * gap
        np.testing.assert_allclose(found[order], expected, atol=1e-9)
        assert found.min() >= low - 1e-9 and found.max() <= high + 1e-9


def test_click_seeks_and_the_tools_of_the_race(page, serve):
    """A click in the race goes to that task; a name clicked twice is shown alone; picture and full screen."""
    from playwright.sync_api import expect  # here, so that without it the tests are skipped

    arrive(page, f"{serve('app.py')}/compare?T=30&N=50&R=1")
    race = page.locator("[data-aklo=race]")
    box = race.locator(".plot canvas").bounding_box()
    page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    until_query(page, at="15")
    assert race.get_attribute("data-after") == "15"
    ticks = race.locator(".tick.beside")
    before = ticks.all_inner_texts()
    name = race.get_by_role("button", name="AKLO Sum", exact=True)
    name.dblclick()
    pressed = race.locator(".method[aria-pressed=true]")
    expect(pressed).to_have_text(["AKLO Sum"])
    assert ticks.all_inner_texts() != before  # the axis follows what is shown
    name.dblclick()
    expect(pressed).to_have_count(6)
    assert ticks.all_inner_texts() == before
    with page.expect_download() as download:
        race.get_by_role("button", name="Save picture").click()
    assert download.value.suggested_filename == "race_after_15_tasks.png"
    race.get_by_role("button", name="Full screen").click()
    page.wait_for_function("document.fullscreenElement")
    assert race.locator(".panel").bounding_box()["height"] > box["height"] + 100
    race.get_by_role("button", name="Full screen").click()
    page.wait_for_function("!document.fullscreenElement")
