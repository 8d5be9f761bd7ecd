"""A link that is copied at any moment opens the same picture in another browser, and so does a reload."""

from __future__ import annotations

import pytest

from tests.browser.observe import observe
from tests.browser.steps import arrive, control, look, settle, share, until_query

PLAYER = "[data-aklo=player]"
RACE = "[data-aklo=race]"


@pytest.fixture
def page(visitor):
    return visitor(permissions=["clipboard-read", "clipboard-write"])


@pytest.fixture
def second(visitor):
    """A visitor with another browser."""
    return visitor()


def time(page, t: int) -> None:
    """Move the player to a step by its slider, and wait until the address has it."""
    slider = page.locator(PLAYER).get_by_label("Time", exact=True)
    slider.fill(str(t))
    page.locator(f"{PLAYER}[data-t='{t}']").wait_for()


def check_link(page, second) -> None:
    """The link shows a second visitor the same, and so does a reload."""
    seen = observe(page)
    arrive(second, share(page))
    there = observe(second)
    assert (there.controls, there.numbers, there.query) == (seen.controls, seen.numbers, seen.query)
    page.reload()
    page.locator("h1").first.wait_for()
    assert observe(page) == seen


def test_a_link_to_a_paused_player(page, second, serve):
    arrive(page, f"{serve('app.py')}/watch?T=15&N=60&t=9")
    root = page.locator(PLAYER)
    root.get_by_label("Method", exact=True).select_option("ITOL")
    until_query(page, m="ITOL")
    root.get_by_role("button", name="Wide view").click()
    until_query(page, w="1")
    time(page, 37)
    until_query(page, i="37")
    root.get_by_text("Guess before the label").first.click()
    until_query(page, i="37", m="ITOL", w="1", g="1")
    check_link(page, second)
    assert second.locator(PLAYER).get_attribute("data-t") == "37"


def test_a_link_copied_while_playing_is_near_what_is_shown(page, second, serve):
    arrive(page, f"{serve('app.py')}/watch?T=15&N=400&t=9")
    root = page.locator(PLAYER)
    root.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("e => Number(e.dataset.t) >= 10", arg=root.element_handle())
    before = int(root.get_attribute("data-t"))
    link = share(page)
    after = int(root.get_attribute("data-t"))
    assert root.get_attribute("data-state") == "playing" and after < 400
    arrive(second, link)
    second.locator(f"{PLAYER}[data-t]").wait_for()
    assert before <= int(second.locator(PLAYER).get_attribute("data-t")) <= after


@pytest.mark.thorough
def test_a_link_to_a_stopped_race_and_its_comparison(page, second, serve):
    arrive(page, f"{serve('app.py')}/compare?T=8&N=30&R=3")
    page.get_by_text("the best", exact=True).first.click()
    until_query(page, cw="the best")
    page.locator(RACE).get_by_role("slider", name="Tasks seen").focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    until_query(page, at="5", cw="the best")
    check_link(page, second)
    assert second.locator(RACE).get_attribute("data-after") == "5"


@pytest.mark.thorough
def test_a_link_to_a_step_of_a_counter_example(page, second, serve):
    arrive(page, f"{serve('app.py')}/theory?T=6&N=40&t=4&d=conflict")
    look(page, "Counterexamples")
    until_query(page, po="Counterexamples")
    page.locator(f"{PLAYER}[data-t='1']").wait_for()
    time(page, 23)
    until_query(page, ci="23")
    check_link(page, second)
    assert second.locator(PLAYER).get_attribute("data-t") == "23"


@pytest.mark.thorough
def test_a_link_to_the_second_page_of_tasks(page, second, serve):
    arrive(page, f"{serve('app.py')}/tasks?T=30&N=20")
    control(page, "tasks_page").get_by_role("button", name="Page 2").click()
    until_query(page, tp="2")
    check_link(page, second)
    settle(second)
    assert "tp=2" in second.url
