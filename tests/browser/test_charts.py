"""Charts in the browser: one behaviour for lines, bars and heat maps."""

from __future__ import annotations

import re
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest

from tests.browser.conftest import Visitors
from tests.browser.observe import observe
from tests.browser.steps import arrive, chart, control, go_to, settle, slide, travel

pytestmark = pytest.mark.thorough

LINES = ("compare?T=12&N=20&R=3", "ace")
BARS = ("transfer?d=conflict&T=10&N=25&R=1&an=150", "bars")
HEAT = ("compare?T=12&N=20&R=3&pr=Task by task", "heat")
LAST = ("compare?T=20&N=60&pr=The last task", "last")
MAP = ("alpha?T=8&N=20&pa=How low, how fast?", "alpha_map")
ALL = pytest.mark.parametrize(("path", "key"), [LINES, BARS, HEAT], ids=["lines", "bars", "heat map"])
RANGE = "(e, axis) => [...e.querySelector('.js-plotly-plot')._fullLayout[axis].range]"
SHOWN = "e => e.querySelector('.js-plotly-plot')._fullData.filter(t => t.visible === true).map(t => t.name)"


@pytest.fixture(scope="module")
def visits(chromium):
    visitors = Visitors(chromium)
    yield visitors
    visitors.close()


@pytest.fixture(scope="module")
def visit(visits, serve):
    """One visit for all tests: plotly.js is loaded once, and every test comes to its chart from the home page."""
    page = visits()
    arrive(page, serve("app.py"))
    return page


@pytest.fixture
def page(visits, visit):
    """The visit, at home. The test fails if its console shows any error."""
    visit.set_viewport_size({"width": 1366, "height": 900})
    visit.emulate_media(color_scheme="light")
    visit.mouse.move(3, 3)
    if urlsplit(visit.url).path != "/":
        go_to(visit, "Home")
    yield visit
    assert not visits.wrong, "\n".join(visits.wrong)


def opened(page, serve, path: str, key: str):
    """A chart, in view. Within a visit, the address is changed as by Back or Forward."""
    address = f"{serve('app.py')}/{path}"
    if page.url.startswith(serve("app.py")):
        travel(page, address)
    else:
        arrive(page, address)
    found = chart(page, key).locator("[data-aklo=chart]")
    observe(page)  # nothing comes any more that would move it
    found.scroll_into_view_if_needed()
    before = None
    while (box := plot_area(found)) != before:  # until nothing moves any more
        before = box
        page.wait_for_timeout(200)
    return found


def plot_area(found) -> dict:
    """The box of the lowest plot, where the values are."""
    return found.locator(".nsewdrag").first.bounding_box()


def until(page, found, condition: str, arg=None) -> None:
    """Wait for `condition`, a JavaScript expression of the chart `e`, `plot` and `arg`."""
    page.wait_for_function(
        f"([e, arg]) => {{ const plot = e.querySelector('.js-plotly-plot'); return {condition} }}",
        arg=[found.element_handle(), arg],
    )


def point_at(page, found, x: float = 0.62, y: float = 0.5) -> None:
    box = plot_area(found)
    page.mouse.move(box["x"] + x * box["width"] - 3, box["y"] + y * box["height"])
    page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])


def bar_place(found) -> tuple[float, float]:
    """The middle of the tallest bar or of a cell, as shares of the plot area; of lines, somewhere among them."""
    bars = found.locator(".barlayer .point path")
    if not bars.count():
        return 0.62, 0.5
    area = plot_area(found)
    box = max((bar.bounding_box() for bar in bars.all()), key=lambda b: b["height"])
    return (
        (box["x"] + box["width"] / 2 - area["x"]) / area["width"],
        (box["y"] + box["height"] / 2 - area["y"]) / area["height"],
    )


@ALL
def test_mouse_hover_shows_values_and_leaving_hides_them(page, serve, path, key):
    found = opened(page, serve, path, key)
    point_at(page, found, *bar_place(found))
    label = found.locator(".hoverlayer text").first
    label.wait_for()
    assert re.search(r"\d", found.locator(".hoverlayer").text_content())
    page.mouse.move(3, 3)
    found.locator(".hoverlayer text").first.wait_for(state="detached")


@ALL
def test_tapped_label_stays_until_the_next_tap_elsewhere(visitor, serve, path, key):
    page = visitor(width=390, height=844, has_touch=True, is_mobile=True)
    found = opened(page, serve, path, key)
    x, y = bar_place(found)
    box = plot_area(found)
    label = found.locator(".hoverlayer text").first
    for _ in range(5):  # a busy machine may miss a tap that comes right after scrolling; a person taps again
        page.touchscreen.tap(box["x"] + x * box["width"], box["y"] + y * box["height"])
        page.wait_for_timeout(1000)
        if label.count():
            break
    label.wait_for()
    page.wait_for_timeout(600)
    assert label.count()
    above = found.locator(".aklo-above").bounding_box()
    page.touchscreen.tap(5, above["y"] - 8)
    label.wait_for(state="detached")


def test_hover_reads_the_numbers_of_the_table(page, serve):
    found = opened(page, serve, *LINES)
    point_at(page, found, x=0.999)
    found.locator(".hoverlayer text").first.wait_for()
    words = found.locator(".hoverlayer").text_content()
    page.locator("tbody tr").nth(5).wait_for()
    for row in page.locator("tbody tr").all():
        method, _, share, *_ = row.locator("td").all_inner_texts()
        mean, sd = re.findall(r"[\d.]+", share)
        assert re.search(rf"{method} : {mean}% ± {sd}%", words), (method, share, words)


def test_legend_names_all_methods_and_alt_tells_the_numbers(page, serve):
    found = opened(page, serve, *LINES)
    assert (
        found.locator(".aklo-plot[role=img]").get_attribute("aria-label").startswith("Average error after 12 tasks: ")
    )
    names = found.get_by_role("group", name="Legend").get_by_role("button").all_inner_texts()
    assert names == ["ITOL", "TOL", "Unif Sample", "Unif Sum", "AKLO Sample", "AKLO Sum"]
    assert found.locator(".aklo-legend path").count() >= 6  # a sample of each stroke


@pytest.mark.parametrize(
    ("path", "key", "entry"), [(*LINES, "TOL"), (*BARS, "D2"), (*MAP, "best")], ids=["lines", "bars", "heat map"]
)
def test_legend_click_hides_and_double_click_isolates(page, serve, path, key, entry):
    found = opened(page, serve, path, key)
    everything = found.evaluate(SHOWN)
    button = found.get_by_role("button", name=entry, exact=True)
    button.click()
    assert button.get_attribute("aria-pressed") == "false"
    assert entry not in found.evaluate(SHOWN)
    page.wait_for_timeout(600)  # the next click is not the second of two
    button.click()
    assert button.get_attribute("aria-pressed") == "true" and found.evaluate(SHOWN) == everything
    page.wait_for_timeout(600)
    button.dblclick()
    pressed = found.locator(".aklo-legend button[aria-pressed=true]")
    assert pressed.all_inner_texts() == [entry]
    assert entry in found.evaluate(SHOWN) and len(found.evaluate(SHOWN)) < len(everything)
    page.wait_for_timeout(600)
    button.dblclick()
    assert found.evaluate(SHOWN) == everything


def test_value_axis_follows_what_is_shown(page, serve):
    found = opened(page, serve, *LAST)
    low, high = found.evaluate(RANGE, "yaxis")
    lines = "plot._fullData.filter(t => t.visible === true && t.mode !== 'text')"
    most = f"Math.max(...{lines}.flatMap(t => [...t.y]))"
    entries = found.locator(".aklo-legend button")
    tops = []
    for entry in entries.all():
        entry.dblclick()
        top = found.evaluate(RANGE, "yaxis")[1]
        shown = found.evaluate(f"e => {{ const plot = e.querySelector('.js-plotly-plot'); return {most} }}")
        assert shown <= top <= min(high, 1.6 * shown)
        tops.append(top)
        page.wait_for_timeout(600)
    assert min(tops) < high
    entries.last.dblclick()  # it was alone: all are back
    assert found.evaluate(RANGE, "yaxis") == [low, high]


def test_bars_axis_follows_what_is_shown(page, serve):
    found = opened(page, serve, *BARS)
    before = found.evaluate(RANGE, "yaxis")
    for entry in ("D1", "D2"):
        found.get_by_role("button", name=entry, exact=True).dblclick()
        low, high = found.evaluate(RANGE, "yaxis")
        assert before[0] <= low < high <= before[1]
        page.wait_for_timeout(600)


def drag(page, found) -> None:
    box = plot_area(found)
    page.mouse.move(box["x"] + 0.25 * box["width"], box["y"] + 0.25 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"], steps=4)
    page.mouse.move(box["x"] + 0.7 * box["width"], box["y"] + 0.75 * box["height"], steps=4)
    page.mouse.up()


@ALL
def test_drag_zooms_and_double_click_resets(page, serve, path, key):
    found = opened(page, serve, path, key)
    before = found.evaluate(RANGE, "xaxis")
    drag(page, found)
    until(page, found, "plot._fullLayout.xaxis.range[0] > arg[0] && plot._fullLayout.xaxis.range[1] < arg[1]", before)
    box = plot_area(found)
    page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    until(page, found, "Math.abs(plot._fullLayout.xaxis.range[0] - arg[0]) < 1e-9", before)
    assert found.evaluate(RANGE, "xaxis") == before


def test_pan_moves_and_reset_restores(page, serve):
    found = opened(page, serve, *LINES)
    before = found.evaluate(RANGE, "xaxis")
    found.hover()
    found.get_by_role("button", name="Pan").click()
    assert found.get_by_role("button", name="Pan").get_attribute("aria-pressed") == "true"
    drag(page, found)
    until(page, found, "plot._fullLayout.xaxis.range[0] < arg[0]", before)
    found.get_by_role("button", name="Reset axes").click()
    assert found.evaluate(RANGE, "xaxis") == before


@ALL
def test_picture_is_an_svg_with_legend_and_titles(page, serve, path, key):
    found = opened(page, serve, path, key)
    found.hover()
    with page.expect_download() as saved:
        found.get_by_role("button", name="Save picture").click()
    assert saved.value.suggested_filename == f"{key}.svg"
    drawing = ElementTree.parse(saved.value.path()).getroot()
    texts = {"".join(element.itertext()) for element in drawing.iter("{http://www.w3.org/2000/svg}text")}
    entries = set(found.locator(".aklo-legend .aklo-entry").all_inner_texts())
    assert entries and entries <= texts and any(word.startswith("Task") for word in texts)


@ALL
def test_full_screen_has_larger_type_and_escape_leaves(page, serve, path, key):
    found = opened(page, serve, path, key)
    height = found.bounding_box()["height"]
    size = "parseFloat(getComputedStyle(plot.querySelector('.xtick text')).fontSize)"
    before = found.evaluate(f"e => {{ const plot = e.querySelector('.js-plotly-plot'); return {size} }}")
    found.hover()
    found.get_by_role("button", name="Full screen").click()
    page.wait_for_function("document.fullscreenElement")
    until(page, found, f"{size} > 1.3 * arg && plot.querySelector('.main-svg').clientHeight > 600", before)
    page.keyboard.press("Escape")
    page.wait_for_function("!document.fullscreenElement")
    until(page, found, f"{size} === arg", before)
    assert found.bounding_box()["height"] == height


@pytest.mark.parametrize(
    ("path", "key", "setting", "entry"),
    [(*LINES, "setting_repetitions", "TOL"), (*BARS, "setting_seed", "D2"), (*HEAT, "setting_seed", None)],
    ids=["lines", "bars", "heat map"],
)
def test_changed_setting_updates_in_place_and_keeps_zoom_and_hidden(page, serve, path, key, setting, entry):
    found = opened(page, serve, path, key)
    drag(page, found)
    if entry:
        found.get_by_role("button", name=entry, exact=True).click()
    zoom, shown = found.evaluate(RANGE, "xaxis"), found.evaluate(SHOWN)
    values = "JSON.stringify(plot._fullData.map(t => [t.y, t.z]))"
    before = found.evaluate(
        f"e => {{ const plot = e.querySelector('.js-plotly-plot'); e.mine = plot.mine = true; return {values} }}"
    )
    if setting == "setting_seed":
        control(page, "setting_seed").get_by_role("button", name="One more").click()
    else:
        slide(page, setting, "ArrowRight", 2)
    until(page, found, f"{values} !== arg", before)
    settle(page)
    assert found.evaluate("e => e.mine && e.querySelector('.js-plotly-plot').mine"), "the chart was made anew"
    assert found.evaluate(RANGE, "xaxis") == zoom and found.evaluate(SHOWN) == shown


@ALL
def test_dark_theme_reaches_an_open_chart(page, serve, path, key):
    found = opened(page, serve, path, key)
    ground = "getComputedStyle(plot.querySelector('.main-svg')).backgroundColor"
    until(page, found, f"{ground} === 'rgb(255, 255, 255)'")
    page.emulate_media(color_scheme="dark")
    found = chart(page, key).locator("[data-aklo=chart]")
    until(page, found, f"{ground} === 'rgb(18, 22, 29)'")


@pytest.mark.parametrize("width", [390, 1366])
def test_toolbar_covers_nothing_and_moves_nothing(visitor, serve, width):
    page = visitor(width=width, height=844)
    found = opened(page, serve, *LINES)
    before = plot_area(found)
    found.hover()
    tools = found.get_by_role("group", name="Chart tools").bounding_box()
    for entry in [*found.locator(".aklo-legend button").all(), found.locator(".aklo-plot")]:
        box = entry.bounding_box()
        apart = box["y"] >= tools["y"] + tools["height"] - 1 or box["x"] + box["width"] <= tools["x"] + 1
        assert apart, entry.inner_text()
    assert plot_area(found) == before


def test_keyboard_reads_points_and_isolates(page, serve):
    found = opened(page, serve, *LINES)
    found.locator(".aklo-plot").focus()
    page.keyboard.press("ArrowRight")
    found.locator(".hoverlayer text").first.wait_for()
    found.get_by_role("button", name="AKLO Sum", exact=True).focus()
    page.keyboard.press("Shift+Enter")
    assert found.locator(".aklo-legend button[aria-pressed=true]").all_inner_texts() == ["AKLO Sum"]
    page.keyboard.press("Enter")
    assert found.locator(".aklo-legend button[aria-pressed=true]").count() == 0
    found.evaluate("e => { e.requestFullscreen = undefined; }")  # as on a phone that has no full screen
    before = found.bounding_box()
    found.get_by_role("button", name="Full screen").press("Enter")
    assert found.bounding_box() == {"x": 0, "y": 0, "width": 1366, "height": 900}
    page.keyboard.press("Escape")
    assert found.bounding_box() == before


def test_height_is_reserved_while_plotly_loads(visitor, serve):
    page = visitor(fresh=True)
    held = []
    page.route("**/plotly.min.js*", lambda route: held.append(route))
    page.goto(f"{serve('app.py')}/{LINES[0]}")
    found = page.locator(".st-key-ace [data-aklo=chart]")
    found.wait_for(timeout=60_000)
    page.wait_for_function("document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'")
    before = found.bounding_box()
    assert before["height"] == 400 and len(held) == 1
    held[0].continue_()
    found.locator(".main-svg").first.wait_for()
    assert found.bounding_box() == before
