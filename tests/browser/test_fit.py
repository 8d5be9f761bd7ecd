"""Every page fits the screens that it is shown on: nothing is wider, and the picture is on the first screen."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.browser.steps import PAGES, arrive, fits

SCREENS = {"laptop": (1366, 650), "projector": (1920, 950), "phone": (390, 844)}
TO_READ = ("lessons", "room", "teachers", "glossary", "reproduce", "data")  # pages without a picture of the stream
# The first picture's edges, of all components but the controls.
EDGES = """() => {
  const shadows = (root) => [...root.querySelectorAll('*')].map((e) => e.shadowRoot).filter(Boolean);
  const inside = (root) => shadows(root).flatMap((shadow) => [shadow, ...inside(shadow)]);
  const pictures = [document, ...inside(document)].flatMap((root) => [...root.querySelectorAll('[data-aklo]')])
    .filter((e) => !/^(control|menu)/.test(e.dataset.aklo) && e.getBoundingClientRect().height > 100);
  return pictures.map((e) => e.getBoundingClientRect()).map(({ top, bottom, height }) => ({ top, bottom, height }))
    .sort((a, b) => a.top - b.top);
}"""


# Texts that are cut: by an edge that hides what is beyond it, or in a row of choices that would have to be scrolled.
CUT = """() => {
  const shadows = (root) => [...root.querySelectorAll('*')].map((e) => e.shadowRoot).filter(Boolean);
  const inside = (root) => shadows(root).flatMap((shadow) => [shadow, ...inside(shadow)]);
  const isCut = (e) => {
    const range = document.createRange();
    range.selectNodeContents(e);
    const text = range.getBoundingClientRect();
    for (let edge = e; edge; edge = edge.parentElement ?? edge.getRootNode().host) {
      const { overflowX } = getComputedStyle(edge);
      if (overflowX === 'visible') continue;
      const box = edge.getBoundingClientRect();
      const scrolls = ['auto', 'scroll'].includes(overflowX) && !edge.matches('[role=radiogroup]');
      return !scrolls && (text.right > box.right + 1.5 || text.left < box.left - 1.5);
    }
    return false;
  };
  return [document, ...inside(document)].flatMap((root) => [...root.querySelectorAll('*')])
    .filter((e) => [...e.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
    .filter((e) => !e.matches('script, style, option, textarea, title, .spoken, [data-testid=stIconMaterial]'))
    .filter((e) => e.getBoundingClientRect().width > 1 && !e.closest('[data-testid=stSkipToContent], .katex-mathml'))
    .filter((e) => !e.closest('[data-testid=stSidebar][data-collapsed=true]') && isCut(e))
    .map((e) => e.textContent.trim());
}"""


def screen(visitor, size: str):
    width, height = SCREENS[size]
    options = {"has_touch": True, "is_mobile": True} if size == "phone" else {}
    return visitor(width=width, height=height, **options), height


def close_sidebar(page) -> None:
    page.get_by_test_id("stSidebar").hover()
    page.get_by_test_id("stSidebarCollapseButton").get_by_role("button").click()
    page.get_by_test_id("stExpandSidebarButton").wait_for()
    page.wait_for_timeout(500)  # it slides


@pytest.mark.thorough
@pytest.mark.parametrize("size", SCREENS)
def test_nothing_is_wider_than_the_screen_and_the_picture_is_on_it(visitor, serve, size):
    page, height = screen(visitor, size)
    for stem in PAGES.values():
        arrive(page, f"{serve('app.py')}/{stem}")
        assert fits(page), stem
        if stem not in TO_READ:
            limit = 300 if size == "phone" else height - 200
            # The scripts of a page's pictures come in any order, so the first one need not be there first.
            page.wait_for_function(f"limit => ({EDGES})()[0]?.top <= limit", arg=limit)
            assert page.evaluate(EDGES)[0]["top"] >= 0, stem
        assert page.evaluate(CUT) == [], stem


@pytest.mark.parametrize("size", ["laptop", "projector"])
@pytest.mark.parametrize("path", ["watch", "watch?tour=2", "watch?tour=2&t=9"])
@pytest.mark.parametrize("sidebar", ["open", "closed"])
def test_the_whole_player_is_on_the_first_screen(visitor, serve, size, path, sidebar):
    """Transport, four panels and the sentence; in the tour, too, with and without the button Restore."""
    page, height = screen(visitor, size)
    arrive(page, f"{serve('app.py')}/{path}")
    if "&t=9" in path:
        page.get_by_role("button", name="Restore").wait_for()
    if sidebar == "closed":
        close_sidebar(page)
    page.wait_for_function(f"({EDGES})().length > 0")
    (player,) = page.evaluate(EDGES)
    assert player["bottom"] <= height, player
    assert page.get_by_test_id("stMain").evaluate("e => e.scrollTop") == 0
    for part in (".controls", ".plane", ".weights", ".trust", ".race", ".sentence"):
        box = page.locator(f"[data-aklo=player] {part}").bounding_box()
        assert box["height"] > 20 and box["y"] + box["height"] <= height, (part, box)
    for plot in page.locator("[data-aklo=player] .plot").all():
        assert plot.bounding_box()["height"] >= 50  # enough to be read
    for name in ("Undo", "Redo", "Export", "Share"):
        box = page.get_by_role("button", name=name, exact=True).bounding_box()
        assert box["y"] < 60 and box["x"] + box["width"] <= SCREENS[size][0], (name, box)


@pytest.mark.parametrize("path", ["", "world"])
@pytest.mark.parametrize("size", ["laptop", "projector"])
def test_what_is_predicted_is_on_the_first_screen_of_home_and_sandbox(visitor, serve, size, path):
    page, height = screen(visitor, size)
    arrive(page, f"{serve('app.py')}/{path}")
    page.wait_for_function(f"({EDGES})().length > 0")
    for part in (".controls", ".plane", ".sentence"):
        box = page.locator(f"[data-aklo] {part}").first.bounding_box()
        assert box["height"] > 20 and box["y"] + box["height"] <= height, (part, box)


def test_numbers_of_the_race_do_not_cover_each_other(visitor, serve):
    """At the lines' ends where there is room for them, else beside the names."""
    page, _ = screen(visitor, "laptop")
    for path in ("watch?i=40", "watch?tour=2"):
        arrive(page, f"{serve('app.py')}/{path}")
        numbers = page.locator("[data-aklo=player] .race :is(.end, .tally):visible")
        numbers.nth(5).wait_for()
        page.wait_for_timeout(500)  # they move to their places
        tops = sorted(numbers.evaluate_all("all => all.map((e) => e.getBoundingClientRect().top)"))
        assert len(tops) == 6, (path, tops)
        assert min(b - a for a, b in pairwise(tops)) > 10, (path, tops)


def test_controls_of_the_player_stay_within_reach_on_a_phone(visitor, serve):
    page, height = screen(visitor, "phone")
    arrive(page, f"{serve('app.py')}/watch")
    for scrolled in (0, 500):
        page.get_by_test_id("stMain").evaluate("(e, y) => e.scrollTo(0, y)", scrolled)
        page.wait_for_timeout(200)
        box = page.get_by_role("button", name="Play", exact=True).bounding_box()
        assert height - 150 < box["y"] < height - box["height"], box


def test_full_screen_has_task_and_space_plays(page, serve):
    from playwright.sync_api import expect  # here, so that without it the tests are skipped

    arrive(page, f"{serve('app.py')}/watch?T=20&N=30&t=4")
    player = page.locator("[data-aklo=player]")
    assert not player.get_by_role("spinbutton", name="Task").is_visible()
    player.get_by_role("button", name="Full screen").click()
    page.wait_for_function("document.fullscreenElement")
    player.get_by_role("button", name="Next task").click()
    page.wait_for_function("new URLSearchParams(location.search).get('t') === '5'")
    box = player.get_by_role("spinbutton", name="Task")
    box.fill("9")
    box.press("Enter")
    page.wait_for_function("new URLSearchParams(location.search).get('t') === '9'")
    expect(player).to_have_attribute("data-task", "9")
    for key in ("Home", "ArrowRight", "End", "5", "ArrowLeft"):
        box.press(key)  # within the number that is being typed
    assert box.input_value() == "95" and player.get_attribute("data-t") == "1"
    box.fill("")
    box.press("Enter")
    expect(box).to_have_value("9")
    box.fill("18")
    box.press("Enter")
    following = player.get_by_role("button", name="Next task")
    following.press("Enter")
    expect(player).to_have_attribute("data-task", "19")
    expect(following).to_be_disabled()
    expect(following).to_be_focused()
    sentence = player.locator(".sentence").bounding_box()
    assert sentence["y"] + sentence["height"] <= 900
    player.focus()
    page.keyboard.press("Space")
    expect(player).not_to_have_attribute("data-t", "1")
    expect(player).to_have_attribute("data-full", "true")


def test_number_that_is_typed_into_task_stays_when_an_answer_comes(page, serve):
    arrive(page, f"{serve('app.py')}/watch?T=20&N=30&t=4")
    player = page.locator("[data-aklo=player]")
    player.get_by_role("button", name="Full screen").click()
    page.wait_for_function("document.fullscreenElement")
    for _ in range(2):  # the second click counts from the first
        player.get_by_role("button", name="Next task").click(no_wait_after=True)
    box = player.get_by_role("spinbutton", name="Task")
    box.press("1")  # in front of or behind what stands there
    typed = box.input_value()
    page.wait_for_function("new URLSearchParams(location.search).get('t') === '6'")
    player.and_(page.locator("[data-task='6']")).wait_for()
    assert box.input_value() == typed != "6"
    box.fill("9")
    box.press("Enter")
    page.wait_for_function("new URLSearchParams(location.search).get('t') === '9'")
