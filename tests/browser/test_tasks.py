"""The page "Make the tasks", used as people use it."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
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


def test_own_address_first_then_page_through_the_tasks(serve, page):
    visit(page, f"{serve('app.py', fresh=True)}/tasks?T=30&N=20")
    for key in ("overview", "order", "seeds", "seed_tasks"):
        chart(page, key)
    multiples = chart(page, "multiples")
    multiples.get_by_text("23 · D").wait_for()
    page.get_by_role("button", name="Page 2").click()
    multiples.get_by_text("29 · D").wait_for()
    assert multiples.get_by_text("23 · D").count() == 0


def test_the_stream_comes_as_a_file_that_equals_the_core(lab, page):
    visit(page, f"{lab}/tasks?T=3&N=20&s=4")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download the stream as CSV").click()
    assert waiting.value.suggested_filename == "syn1_seed4.csv"
    read = pd.read_csv(io.StringIO(Path(waiting.value.path()).read_text()))
    stream = aklo.syn1(3, 20, seed=4)
    np.testing.assert_array_equal(read[["x1", "x2"]], stream.X)
    np.testing.assert_array_equal(read["y"], stream.y)
    np.testing.assert_array_equal(read["task"], np.repeat(range(3), 20))
    np.testing.assert_array_equal(read["group"], np.repeat(stream.groups, 20))


def test_digits_are_shown_as_images_that_fit_a_phone(lab, visitor):
    page = visitor(width=390, height=844)
    visit(page, f"{lab}/tasks?d=digits&T=5&N=20")
    for k in range(5):
        page.get_by_text(f"{k}: {aklo.digits(5, 20)[k].name}", exact=True).wait_for()
    page.get_by_role("button", name="Download the stream as CSV").wait_for()
    assert page.get_by_test_id("stMain").evaluate("e => e.scrollWidth <= e.clientWidth")


def test_fits_a_phone(lab, visitor):
    page = visitor(width=390, height=844)
    visit(page, f"{lab}/tasks?T=30&N=20")
    chart(page, "order")
    chart(page, "seeds")
    page.get_by_role("button", name="Download the stream as CSV").wait_for()
    assert page.get_by_test_id("stMain").evaluate("e => e.scrollWidth <= e.clientWidth")
