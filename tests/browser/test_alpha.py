"""The page "Shape alpha" in a browser: drawing a curve with the mouse, the keyboard and a finger, and comparing."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from aklo.schedules import Schedule
from tests.browser.steps import arrive, chart, choose, control, look

SMALL = {"v": 1, "d": "syn1", "s": 0, "T": 8, "N": 41}
EDITOR = "[data-aklo=alpha]"


@pytest.fixture
def open_alpha(serve: Callable[..., str]) -> Callable:
    """open_alpha(page, **query) opens the page by its own address and gives the editor; with charts=False the table is
    below it, which is drawn anew more quickly."""

    def open_it(page, *, charts: bool = False, **query):
        part = {} if charts else {"pa": "In numbers"}
        arrive(page, f"{serve('app.py')}/alpha?{urlencode(SMALL | part | query)}")
        root = page.locator(EDITOR)
        root.wait_for()
        if charts:
            chart(page, "alpha_trust")  # the last thing on the page
        else:
            page.get_by_test_id("stDataFrame").wait_for()
        return root

    return open_it


def heights(root) -> list[float]:
    return [float(p) for p in root.get_attribute("data-points").split("/")]


def falls(values: list[float]) -> bool:
    return all(a >= b for a, b in pairwise(values)) and 0 <= values[-1] <= values[0] <= 1


def in_address(page) -> Schedule:
    """The schedule that the address holds."""
    return Schedule.parse(parse_qs(urlsplit(page.url).query).get("a", ["linear"])[0])


def wait_for_address(page, root) -> None:
    """Until the address holds what the editor shows."""
    page.wait_for_function(
        """e => (new URLSearchParams(location.search).get("a") ?? "linear:end=0") === e.dataset.spec""",
        arg=root.element_handle(),
    )


def centre(root, i: int) -> tuple[float, float]:
    box = root.get_by_role("slider").nth(i).locator(".dot").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_dragging_pushes_neighbours_and_changes_the_address(page, open_alpha):
    root = open_alpha(page, charts=True)
    start = heights(root)
    assert len(start) == 9 and falls(start)
    address = page.url
    x, y = centre(root, 4)
    page.mouse.move(x, y)
    page.mouse.down()
    for distance in (30, 60, 90):  # up: those before it are lifted, while the mouse is still down
        page.mouse.move(x, y - distance)
        seen = heights(root)
        assert falls(seen)
        assert seen[4] > start[4] and seen[5:] == start[5:]
    assert seen[3] == seen[2] == seen[4]
    page.mouse.move(x, y + 400)  # far below: all after it are pressed down to 0, and those before it come back
    assert heights(root) == [*start[:4], 0, 0, 0, 0, 0]
    page.mouse.move(x, y - 60)
    assert page.url == address  # reported on release only
    page.mouse.up()
    wait_for_address(page, root)
    assert (
        in_address(page).spec == root.get_attribute("data-spec") == Schedule.parse(root.get_attribute("data-spec")).spec
    )
    assert list(in_address(page).points) == heights(root)
    page.get_by_text("Custom, 9 points").first.wait_for()

    drawn = heights(root)
    page.reload()
    root.wait_for()
    page.wait_for_function("e => e.dataset.points", arg=root.element_handle())
    assert heights(root) == drawn


def test_start_over_returns_to_the_schedule_that_was_taken(page, open_alpha):
    root = open_alpha(page, a="exponential:half_life=10")
    start = heights(root)
    for i, distance in ((1, -40), (6, -30)):
        x, y = centre(root, i)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, y + distance, steps=3)
        page.mouse.up()
        wait_for_address(page, root)
    assert heights(root) != start
    root.get_by_role("button", name="Start over").click()
    wait_for_address(page, root)
    assert heights(root) == start
    assert in_address(page).spec == "exponential:half_life=10"
    assert root.get_by_role("button", name="Start over").is_disabled()


def test_keyboard(page, open_alpha):
    root = open_alpha(page)
    slider = root.get_by_role("slider", name="Alpha at step 21")
    slider.focus()
    before = heights(root)
    for key in ("ArrowUp", "ArrowUp", "Shift+ArrowUp", "PageUp", "ArrowDown"):
        page.keyboard.press(key)
    assert heights(root)[4] == pytest.approx(before[4] + 0.21, abs=1e-9)
    assert float(slider.get_attribute("aria-valuenow")) == heights(root)[4]
    assert falls(heights(root))
    wait_for_address(page, root)
    page.keyboard.press("End")
    assert heights(root)[:5] == [1] * 5
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    assert heights(root)[5:] == [0] * 4
    final = "custom:points=1/1/1/1/1/0/0/0/0"
    page.wait_for_function("spec => new URLSearchParams(location.search).get('a') === spec", arg=final)
    root.get_by_role("button", name="Fewer points").click()
    wait_for_address(page, root)
    assert heights(root) == [1, 1, 1, 0, 0]
    root.get_by_role("button", name="More points").click()
    wait_for_address(page, root)
    assert heights(root) == [1, 1, 1, 1, 1, 0.5, 0, 0, 0]


def test_another_schedule_is_a_new_start(page, open_alpha):
    root = open_alpha(page, a="linear:end=0.5")
    page.get_by_role("slider", name="End").focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("e => e.dataset.spec === 'linear:end=0.49'", arg=root.element_handle())
    assert heights(root)[-1] == pytest.approx(0.49 + 0.51 / 41, abs=1e-3)
    assert root.get_by_role("button", name="Start over").is_disabled()


def test_finger(visitor, open_alpha):
    """At phone width a finger can drag, and nothing is wider than the screen."""
    page = visitor(width=390, height=844, has_touch=True, is_mobile=True, color_scheme="dark")
    root = open_alpha(page)
    root.scroll_into_view_if_needed()
    x, y = centre(root, 2)
    client = page.context.new_cdp_session(page)
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in (20, 40, 60):
        client.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y + step}]})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function("e => e.dataset.spec.startsWith('custom')", arg=root.element_handle())
    wait_for_address(page, root)
    assert falls(heights(root))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_every_chart_follows_the_method_and_the_part_that_is_looked_at(page, open_alpha):
    open_alpha(page, charts=True, t="3", T="10", N="20")
    whole = page.locator(".st-key-alpha_ace .aklo-plot")
    assert whole.get_attribute("aria-label").startswith("ACE of AKLO Sum over 10 tasks")
    choose(page, "Unif Sum")
    page.get_by_role("img", name="ACE of Unif Sum over 10 tasks").wait_for()
    page.get_by_role("img", name="Wrong predictions of Unif Sum in task 3").wait_for()
    look(page, "In numbers")
    page.get_by_text("counts Unif Sum's wrong predictions").wait_for()
    for key in ("alpha_errors", "alpha_ace", "alpha_curves", "alpha_trust"):
        page.locator(f".st-key-{key}").wait_for(state="detached")
    assert control(page, "setting_task").is_visible()
    look(page, "Side by side")
    for key in ("alpha_errors", "alpha_ace", "alpha_curves", "alpha_trust"):
        chart(page, key)


def test_comparison(page, open_alpha):
    open_alpha(page, a="linear:end=0.25")
    keep = page.get_by_role("button", name="Keep this one for comparison")
    assert keep.is_disabled()  # four are kept
    page.get_by_role("button", name="D · Step, at 30").click()
    page.get_by_role("button", name="D · Step, at 30").wait_for(state="detached")
    keep.click()
    page.get_by_role("button", name="D · Linear, end 0.25").wait_for()
    kept = "new URLSearchParams(location.search).get('k').endsWith(';linear:end=0.25')"
    page.wait_for_function(kept)
    page.reload()
    page.get_by_role("button", name="D · Linear, end 0.25").wait_for()


def test_the_map_offers_the_best(page, open_alpha):
    root = open_alpha(page)
    look(page, "How low, how fast?")
    chart(page, "alpha_map")
    page.get_by_role("button", name="Use the best").click()
    page.wait_for_function("e => e.dataset.spec.startsWith('ramp')", arg=root.element_handle())
    page.wait_for_url("**a=ramp**")


def test_unknown_horizon_explains_itself(page, serve):
    arrive(page, f"{serve('app.py')}/alpha?{urlencode(SMALL | {'h': 'unknown', 'a': 'power:k=0.5'})}")
    page.get_by_text("A drawn curve stretches from the first step to the last").wait_for()
    root = page.locator(EDITOR)
    root.get_by_text("weights start anew", exact=True).wait_for()
    assert root.get_by_role("slider").count() == 0
    assert not root.get_by_role("button", name="Start over").is_visible()


def test_charts_follow_the_theme(page, serve):
    """A theme that is changed while the page is open reaches the charts, whose colours come from Python."""
    arrive(page, f"{serve('app.py')}/alpha?{urlencode(SMALL | {'pa': 'How low, how fast?'})}")
    chart(page, "alpha_map")
    ink = "() => getComputedStyle(document.querySelector('.js-plotly-plot .cbtitle text')).fill"
    page.wait_for_function(f"({ink})() === 'rgb(28, 36, 48)'")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"({ink})() === 'rgb(232, 236, 242)'")
