"""The page "Race the six", used as people use it."""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path

import pandas as pd
import pytest

import aklo


@pytest.fixture
def lab(serve) -> str:
    return serve("app.py")


def visit(page, address: str) -> None:
    """Until the page has been drawn once; a machine that is busy takes its time for the first."""
    page.goto(address)
    page.locator(".js-plotly-plot .main-svg").first.wait_for(timeout=60_000)


def chart(page, key: str):
    found = page.locator(f".st-key-{key}")
    found.locator(".main-svg").first.wait_for()
    return found


def upto(page) -> str:
    return page.locator(".st-key-race .slider-label").first.text_content()


def test_own_address_first_then_hide_a_method_and_play(serve, page):
    visit(page, f"{serve('app.py', fresh=True)}/compare?T=8&N=30&R=3")
    race = chart(page, "race")
    numbers = race.locator(".scatterlayer .textpoint text")
    run = aklo.run(aklo.syn1(8, 30), lam=1e-3)
    ends = [int(row.sum()) for row in run.wrong]
    assert [int(text) for text in numbers.all_text_contents()] == ends

    assert upto(page) == "Up to task 7"
    race.locator(".updatemenu-button", has_text="Play").click()
    reached = "k => document.querySelector('.st-key-race .slider-label').textContent === `Up to task ${k}`"
    page.wait_for_function(reached, arg=2)
    page.wait_for_function(reached, arg=7)
    assert [int(text) for text in numbers.all_text_contents()] == ends

    lines = race.locator(".scatterlayer .lines path.js-line")
    before = lines.count()
    race.locator(".legendtoggle").nth(aklo.METHODS.index("TOL")).click()
    page.wait_for_function(
        "e => e.querySelectorAll('.scatterlayer .textpoint text').length === 5", arg=race.element_handle()
    )
    assert lines.count() == before - 1
    assert [int(text) for text in numbers.all_text_contents()] == ends[:1] + ends[2:]

    for key in ("ace", "heat", "last"):
        chart(page, key)
    page.get_by_text("Repeated 3 times").wait_for()


def test_the_table_comes_as_a_file_that_equals_the_core(lab, page):
    visit(page, f"{lab}/compare?T=8&N=30&R=4&s=2")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download the table as CSV").click()
    read = pd.read_csv(io.StringIO(Path(waiting.value.path()).read_text())).set_index("method")
    core = aklo.repeat(partial(aklo.syn1, n_tasks=8, n_examples=30), 4, lam=1e-3, seed=2)
    pd.testing.assert_frame_equal(read[["mean", "std"]], core.table, check_names=False)
    gaps = core.differences().query("first == 'ITOL'").set_index("second")
    pd.testing.assert_series_equal(read.loc[gaps.index, "difference"], -gaps["mean"], check_names=False)
    pd.testing.assert_series_equal(read.loc[gaps.index, "low"], -gaps["high"], check_names=False)


def test_repetitions_wait_run_and_can_be_cancelled(lab, page):
    visit(page, f"{lab}/compare?T=200&N=600&R=50")  # about half a minute, if it is let
    page.get_by_role("button", name="Repeat 50 times").click()
    page.get_by_text("of 50 repetitions done").wait_for()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Repeat 50 times").wait_for()
    page.get_by_role("button", name="Cancel").wait_for(state="detached")
    page.get_by_text("so it waits to be asked").wait_for()


def test_fits_a_phone(lab, visitor):
    page = visitor(width=390, height=844)
    visit(page, f"{lab}/compare?T=8&N=30&R=2")
    for key in ("race", "ace", "heat", "last"):
        chart(page, key)
    main = page.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollWidth <= e.clientWidth")
