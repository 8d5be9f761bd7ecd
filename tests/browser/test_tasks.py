"""The page "Design the tasks", used as people use it."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import aklo
from tests.browser.steps import arrive, chart, fits, look, slide


@pytest.fixture
def lab(serve) -> str:
    return serve("app.py")


@pytest.mark.thorough
def test_page_through_the_tasks(serve, page):
    arrive(page, f"{serve('app.py')}/tasks?T=30&N=20")
    page.locator("[data-aklo=overview][data-tasks='30']").wait_for()
    multiples = chart(page, "multiples")
    multiples.get_by_text("23 · D").wait_for()
    page.get_by_role("button", name="Page 2").click()
    multiples.get_by_text("29 · D").wait_for()
    assert multiples.get_by_text("23 · D").count() == 0
    look(page, "What the seed changes")
    for key in ("seeds", "seed_tasks"):
        chart(page, key)


def test_a_slider_moves_the_picture_in_place(lab, page):
    arrive(page, f"{lab}/tasks?T=9&N=20")
    plane = page.locator("[data-aklo=overview]")
    plane.wait_for()
    page.wait_for_function("e => e.dataset.tasks === '9'", arg=plane.element_handle())
    handle = plane.element_handle()
    before = handle.evaluate("e => e.querySelector('canvas').toDataURL()")
    slide(page, "setting_spread", "End")
    page.wait_for_function("([e, before]) => e.querySelector('canvas').toDataURL() !== before", arg=[handle, before])
    page.wait_for_url("**sp=5**")
    plane.locator(".cells").hover()
    assert plane.locator(".said").inner_text() == aklo.syn1(9, 20)[4].name


def test_the_stream_comes_as_a_file_that_equals_the_core(lab, page):
    arrive(page, f"{lab}/tasks?T=3&N=20&s=4&pt=In+numbers")
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
    arrive(page, f"{lab}/tasks?d=digits&T=5&N=20")
    for k in range(5):
        page.get_by_text(f"{k}: {aklo.digits(5, 20)[k].name}", exact=True).wait_for()
    assert fits(page)


@pytest.mark.thorough
def test_fits_a_phone(lab, visitor):
    page = visitor(width=390, height=844)
    arrive(page, f"{lab}/tasks?T=30&N=20")
    chart(page, "multiples")
    assert fits(page)
    look(page, "In numbers")
    page.get_by_role("button", name="Download the stream as CSV").wait_for()
    assert fits(page)
