"""The tour and the stories, taken as a visitor takes them."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from aklo.lab.content.scenes import SCENES, STORIES, TOUR
from aklo.lab.frame.navigation import PAGES
from tests.browser.steps import arrive, fits, go_to, healthy, settle

pytestmark = pytest.mark.thorough


def query(page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def bar(page):
    return page.locator(".st-key-guide")


def move(page, name: str) -> None:
    """Press Back or Next: a link to another page, a button on the same one."""
    bar(page).get_by_role("link", name=name).or_(bar(page).get_by_role("button", name=name)).click()


def until_scene(page, name: str) -> None:
    """Until a scene's page is drawn, with its bar."""
    scene = SCENES[name]
    page.wait_for_function("name => new URLSearchParams(location.search).get('tour') === name", arg=name)
    bar(page).get_by_text(scene.title).wait_for()
    settle(page)
    assert page.locator("h1").first.inner_text() == PAGES[scene.page].name
    assert {key: value for key, value in query(page).items() if key != "tour"} == scene.settings.address()


def test_tour_is_walked_left_and_resumed(serve, page):
    arrive(page, serve("app.py"))
    page.get_by_role("link", name="Take the tour").click()
    for step in TOUR[:3]:
        until_scene(page, step.name)
        healthy(page)
        if step is not TOUR[2]:
            move(page, "Next")
    move(page, "Back")
    until_scene(page, "2")
    page.go_back()
    until_scene(page, "3")
    bar(page).get_by_role("button", name="Leave").click()
    bar(page).wait_for(state="detached")
    settle(page)
    assert "tour" not in query(page)
    go_to(page, "Home")
    page.get_by_test_id("stMain").get_by_role("link", name="Resume the tour at step 3 of 5").click()
    until_scene(page, "3")
    for step in TOUR[3:]:
        move(page, "Next")
        until_scene(page, step.name)
    bar(page).get_by_role("button", name="Finish").click()
    bar(page).wait_for(state="detached")


def test_menu_leaves_the_tour_and_keeps_the_settings(serve, page):
    arrive(page, f"{serve('app.py')}/watch?tour=wrong-friend")
    until_scene(page, "wrong-friend")
    go_to(page, "Compare the methods")
    assert bar(page).count() == 0
    assert query(page)["d"] == "conflict" and query(page)["an"] == "180" and "tour" not in query(page)


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
def test_story_opens_from_home(serve, page, story):
    arrive(page, serve("app.py"))
    page.get_by_test_id("stMain").get_by_role("link", name=story.title).click()
    until_scene(page, story.name)
    healthy(page)


def test_bar_fits_a_phone(serve, visitor):
    page = visitor(width=390, height=844)
    arrive(page, f"{serve('app.py')}/watch?tour=2")
    until_scene(page, "2")
    assert fits(page)
    for name in ("Back", "Leave"):
        box = bar(page).get_by_role("button", name=name).bounding_box()
        assert box["x"] + box["width"] <= 390
