"""Undo takes the last change back, whatever made it, and Redo makes it again: controls, pictures and address."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from tests.browser.observe import Seen, assert_seen, observe
from tests.browser.steps import LESSONS, answer_lesson, arrive, control, look, pick, press, settle, slide, until_query

SMALL = "T=12&N=41&s=3&R=2&pa=In numbers"
PICTURE = "[data-aklo=alpha]"


def drag(page, point: int, distance: int) -> str:
    """Drag a point of alpha's curve, and wait until the address has the curve, which is returned."""
    page.wait_for_function("e => e.dataset.errors", arg=page.locator(PICTURE).element_handle())
    box = page.locator(PICTURE).locator(".grip.point .dot").nth(point).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + distance, steps=3)
    page.mouse.up()
    spec = page.locator(PICTURE).get_attribute("data-alpha")
    until_query(page, a=spec)
    return spec


def horizon(page, name: str) -> None:
    page.locator(PICTURE).get_by_label("Horizon", exact=True).select_option(name)
    until_query(page, h="unknown" if name == "unknown" else None)


def choose(page, key: str, option: str) -> None:
    """Choose one of the segments of a control."""
    control(page, key).get_by_text(option, exact=True).click()


def player_method(page, name: str) -> None:
    page.locator("[data-aklo=player]").get_by_label("Method", exact=True).select_option(name)


# Page -> kinds of changes that can be made there, each by its name.
CHANGES: dict[str, dict[str, Callable]] = {
    "watch": {
        "slider": lambda page: slide(page, "setting_n_tasks", "ArrowRight"),
        "slider over words": lambda page: slide(page, "setting_lam", "ArrowRight"),
        "number": lambda page: control(page, "setting_seed").get_by_role("button", name="One more").click(),
        "switch": lambda page: page.get_by_text("Play the whole stream").click(),
        "reading": lambda page: choose(page, "reading", "as printed"),
        "segments": lambda page: choose(page, "setting_clip", "after the sum"),
        "schedule": lambda page: pick(page, "setting_alpha", "Cosine"),
        "schedule's parameter": lambda page: slide(page, "alpha_Linear_end", "ArrowRight"),
        "dataset": lambda page: pick(page, "setting_dataset", "digits"),
        "player's method": lambda page: player_method(page, "ITOL"),
    },
    "compare": {
        "preset": lambda page: pick(page, "preset", "The rule changes half-way"),
        "comparison": lambda page: page.get_by_text("the best", exact=True).first.click(),
        "part of the page": lambda page: look(page, "The last task"),
    },
    "alpha": {
        "reset": lambda page: press(page, "Reset"),
        "drawn curve": lambda page: drag(page, 4, -60),
        "horizon": lambda page: horizon(page, "unknown"),
    },
    "transfer": {"story": lambda page: press(page, "One odd task among twenty")},
    "tasks": {"order": lambda page: pick(page, "setting_order", "blocks")},
}


def differs(page, before: Seen) -> None:
    page.wait_for_function("old => location.search !== old", arg="?" + before.search)
    settle(page)


@pytest.mark.parametrize(
    "path", ["alpha", *(pytest.param(path, marks=pytest.mark.thorough) for path in CHANGES if path != "alpha")]
)
def test_undo_and_redo_restore_what_was_seen(page, serve, path):
    """After each kind of change: controls, pictures and address are as before, and after Redo as they were changed."""
    arrive(page, f"{serve('app.py')}/{path}?{SMALL}{'&d=conflict' if path == 'transfer' else ''}")
    assert page.get_by_role("button", name="Undo", exact=True).is_disabled()
    before = observe(page)
    for change, make in CHANGES[path].items():
        make(page)
        differs(page, before)
        page.mouse.move(3, 3)  # the explanation of what was pressed closes
        after = observe(page)
        assert after.controls != before.controls or after.numbers != before.numbers, change
        press(page, "Undo")
        differs(page, after)
        assert_seen(page, before)
        assert page.get_by_role("button", name="Undo", exact=True).is_disabled(), change
        press(page, "Redo")
        differs(page, before)
        assert_seen(page, after)
        press(page, "Undo")
        differs(page, after)
        assert_seen(page, before)


def test_a_lesson_is_undone_on_the_page_that_it_opens(page, serve):
    arrive(page, f"{serve('app.py')}/watch?{SMALL}")
    before = observe(page)
    arrive(page, f"{serve('app.py')}/lessons?lesson=4&{SMALL}", "Lessons")
    answer_lesson(page, LESSONS[3])
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
        pick(page, key, {"preset": "The rule changes half-way", "dataset": "syn2"}[name])
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


def test_a_drawn_curve_waits_for_a_known_horizon(page, serve):
    arrive(page, f"{serve('app.py')}/alpha?{SMALL}")
    drawn = drag(page, 4, -60)
    before = observe(page)
    horizon(page, "unknown")
    page.locator(PICTURE).get_by_text("so it waits for a known horizon").wait_for()
    until_query(page, a=drawn, h="unknown")
    assert page.locator(PICTURE).get_attribute("data-alpha") == "power:k=0.5"
    page.reload()
    page.locator(PICTURE).get_by_text("so it waits for a known horizon").wait_for()
    settle(page)
    horizon(page, "known")
    page.locator(f'{PICTURE}[data-alpha="{drawn}"]').wait_for()
    after = observe(page)
    assert (after.controls, after.query) == (before.controls, before.query)
