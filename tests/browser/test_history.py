"""Undo takes the last change back, whatever made it, and Redo makes it again: controls, pictures and address."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest

from tests.browser.observe import Seen, assert_seen, observe
from tests.browser.steps import arrive, control, pick, press, settle, slide, until_query

SMALL = "T=12&N=41&s=3&R=2&pa=In numbers"
EDITOR = "[data-aklo=alpha]"


def drag(page, point: int, distance: int) -> str:
    """Drag a point of the alpha editor, and wait until the address has the curve, which is returned."""
    box = page.locator(EDITOR).get_by_role("slider").nth(point).locator(".dot").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + distance, steps=3)
    page.mouse.up()
    spec = page.locator(EDITOR).get_attribute("data-alpha")
    until_query(page, a=spec)
    return spec


def horizon(page, name: str) -> None:
    control(page, "setting_horizon").get_by_text(name, exact=True).click()
    until_query(page, h="unknown" if name == "unknown" else None)


CHANGES: dict[str, tuple[str, Callable]] = {
    "slider": ("watch", lambda page: slide(page, "setting_n_tasks", "ArrowRight")),
    "preset": ("compare", lambda page: pick(page, "preset", "A drift: tastes turn")),
    "dataset": ("watch", lambda page: pick(page, "setting_dataset", "digits")),
    "reset": ("alpha", lambda page: press(page, "Reset")),
    "drawn curve": ("alpha", lambda page: drag(page, 4, -60)),
    "story": ("transfer", lambda page: press(page, "One stranger among friends")),
    "horizon": ("alpha", lambda page: horizon(page, "unknown")),
}


def differs(page, before: Seen) -> None:
    page.wait_for_function("old => location.search !== old", arg="?" + before.search)
    settle(page)


@pytest.mark.parametrize("change", CHANGES)
def test_undo_and_redo_restore_what_was_seen(page, serve, change):
    path, make = CHANGES[change]
    arrive(page, f"{serve('app.py')}/{path}?{SMALL}")
    assert page.get_by_role("button", name="Undo", exact=True).is_disabled()
    before = observe(page)
    make(page)
    differs(page, before)
    after = observe(page)
    assert after.controls != before.controls and after.numbers != before.numbers
    press(page, "Undo")
    differs(page, after)
    assert_seen(page, before)
    assert page.get_by_role("button", name="Undo", exact=True).is_disabled()
    press(page, "Redo")
    differs(page, before)
    assert_seen(page, after)


def test_a_lesson_is_undone_on_the_page_that_it_opens(page, serve):
    arrive(page, f"{serve('app.py')}/watch?{SMALL}")
    before = observe(page)
    arrive(page, f"{serve('app.py')}/lessons?lesson=4&{SMALL}", "Lessons")
    page.get_by_role("button", name=re.compile("Commit to ")).click()
    page.get_by_role("button", name="Go on in “Watch it learn”").click()
    until_query(page, d="conflict")
    after = observe(page)
    press(page, "Undo")
    until_query(page, d="syn1", T="12")
    assert_seen(page, before)
    press(page, "Redo")
    until_query(page, d="conflict")
    assert_seen(page, after)


def test_several_changes_are_undone_one_by_one(page, serve):
    """A preset, then a dataset, then a slider: none is skipped."""
    arrive(page, f"{serve('app.py')}/watch?{SMALL}")
    seen = [observe(page)]
    for name, key in (("preset", "preset"), ("dataset", "setting_dataset")):
        pick(page, key, {"preset": "A drift: tastes turn", "dataset": "syn2"}[name])
        differs(page, seen[-1])
        seen.append(observe(page))
    slide(page, "setting_task", "ArrowRight")
    differs(page, seen[-1])
    seen.append(observe(page))
    for there, here in zip(seen[-2::-1], seen[:0:-1], strict=True):
        press(page, "Undo")
        differs(page, here)
        assert_seen(page, there)
    for here, there in pairwise(seen):
        press(page, "Redo")
        differs(page, here)
        assert_seen(page, there)


def test_the_editor_says_no_more_of_a_curve_that_was_undone(page, serve):
    arrive(page, f"{serve('app.py')}/alpha?{SMALL}")
    drag(page, 4, -60)
    readout = page.locator(EDITOR).locator(".readout")
    readout.get_by_text("At step 21").wait_for()
    press(page, "Undo")
    readout.get_by_text("Drag a point").wait_for()


def test_a_drawn_curve_waits_for_a_known_horizon(page, serve):
    arrive(page, f"{serve('app.py')}/alpha?{SMALL}")
    drawn = drag(page, 4, -60)
    before = observe(page)
    horizon(page, "unknown")
    page.locator(EDITOR).get_by_text("so it waits for a known horizon").wait_for()
    page.get_by_test_id("stSidebar").get_by_text("so it waits for a known horizon").wait_for()
    until_query(page, a=drawn, h="unknown")
    assert observe(page).controls["setting_alpha"] == "Power"
    page.reload()
    page.locator(EDITOR).get_by_text("so it waits for a known horizon").wait_for()
    settle(page)
    horizon(page, "known")
    page.locator(f'{EDITOR}[data-alpha="{drawn}"]').wait_for()
    after = observe(page)
    assert (after.controls, after.query) == (before.controls, before.query)
