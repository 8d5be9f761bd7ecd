"""The lab's slider as people use it: held with the mouse, by keyboard, typed into, and swiped over on a phone."""

from __future__ import annotations

import pytest

from tests.browser.observe import shows
from tests.browser.steps import arrive, control, go_to, settle, until_query

SMALL = "T=40&N=30&s=3"
# Texts of the player that were seen since, one after the other.
WATCH = """() => {
  const shadows = [...document.querySelectorAll('*')].map((e) => e.shadowRoot).filter(Boolean);
  const player = shadows.map((root) => root.querySelector('[data-aklo=player]')).find(Boolean);
  window.akloSeen = [];
  const look = () => {
    if (player.dataset.task !== window.akloSeen.at(-1)) window.akloSeen.push(player.dataset.task);
    requestAnimationFrame(look);
  };
  look();
}"""


def handle(page, key: str) -> tuple[float, float, float]:
    """Where a slider begins, how long it is, and its height on the screen."""
    field = control(page, key).locator("input[type=range]")
    field.scroll_into_view_if_needed()
    box = field.bounding_box()
    return box["x"], box["width"], box["y"] + box["height"] / 2


def swipe(page, x: float, y: float, dx: float, dy: float) -> None:
    """Swipe with a finger."""
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for k in range(1, 13):
        point = {"x": x + dx * k / 12, "y": y + dy * k / 12}
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        page.wait_for_timeout(16)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_the_picture_follows_while_a_slider_is_held(page, serve):
    arrive(page, f"{serve('app.py')}/watch?{SMALL}&t=2")
    x, width, y = handle(page, "setting_task")
    page.evaluate(WATCH)
    page.mouse.move(x + 0.05 * width, y)
    page.mouse.down()
    for k in range(8):
        page.mouse.move(x + (0.2 + 0.1 * k) * width, y)
        page.wait_for_timeout(250)
    settle(page)
    during = page.evaluate("window.akloSeen")
    assert len(during) >= 4, during  # several pictures, while the button was held
    until_query(page, t="2")  # the address waits for the release
    page.mouse.up()
    value = shows(page, "setting_task")
    until_query(page, t=value)
    assert page.evaluate("window.akloSeen").pop() == value != "2"
    page.get_by_role("button", name="Undo").click()
    until_query(page, t="2")
    assert shows(page, "setting_task") == "2"  # the whole drag is one change
    page.go_back()  # as is the way back
    until_query(page, t=value)


def test_an_exact_value_can_be_typed(page, serve):
    arrive(page, f"{serve('app.py')}/watch?{SMALL}&t=2")
    box = page.get_by_role("spinbutton", name="Task, exact value", exact=True)
    box.fill("17")
    box.press("Enter")
    until_query(page, t="17")
    assert shows(page, "setting_task") == "17"
    box.fill("999")  # outside the range: the nearest
    box.press("Tab")
    until_query(page, t="39")
    assert box.input_value() == "39"
    box.fill("")
    box.press("Tab")
    assert box.input_value() == "39"
    final = page.get_by_role("spinbutton", name="Final α, exact value")
    final.fill("0.25")
    final.press("Enter")
    until_query(page, a="linear:end=0.25")


@pytest.mark.thorough
def test_a_button_that_has_reached_the_end_keeps_the_focus(page, serve):
    arrive(page, f"{serve('app.py')}/watch?T=6&N=20&s=1")
    less = control(page, "setting_seed").get_by_role("button", name="One less")
    less.press("Enter")
    until_query(page, s="0")
    assert less.is_disabled() and less.evaluate("e => e.matches(':focus')")
    page.keyboard.press("Enter")  # it does nothing
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # on "One more"
    until_query(page, s="1")


def test_help_opens_and_closes(page, serve):
    arrive(page, f"{serve('app.py')}/watch?{SMALL}")
    ask = page.get_by_role("button", name="What is shown: Task", exact=True)
    ask.click()
    note = page.get_by_text("Tasks count from 0")
    assert note.is_visible()
    page.keyboard.press("Escape")
    assert not note.is_visible()


@pytest.fixture
def phone(visitor):
    return visitor(width=390, height=844, has_touch=True, is_mobile=True)


@pytest.mark.parametrize("key", ["setting_task", "alpha_Linear_end"])
def test_a_swipe_over_a_slider_scrolls_the_page_and_changes_nothing(phone, serve, key):
    arrive(phone, f"{serve('app.py')}/watch?{SMALL}&t=12")
    x, width, y = handle(phone, key)
    before, address, main = shows(phone, key), phone.url, phone.get_by_test_id("stMain")
    top = main.evaluate("e => e.scrollTop")
    swipe(phone, x + 0.9 * width, y, 3, 70)
    phone.wait_for_function("top => document.querySelector('[data-testid=stMain]').scrollTop < top - 20", arg=top)
    settle(phone)
    assert (shows(phone, key), phone.url) == (before, address)
    assert phone.get_by_role("button", name="Undo", exact=True).is_disabled()


@pytest.mark.parametrize(
    ("path", "name"), [("watch", "Time"), ("watch?g=1&i=5&b=0", "Time"), ("compare?T=8&N=20&at=4", "Tasks seen")]
)
def test_a_swipe_over_a_slider_of_time_scrolls_the_page_and_changes_nothing(phone, serve, path, name):
    arrive(phone, f"{serve('app.py')}/{path}")
    slider = phone.locator(f"input[type=range][aria-label='{name}']")
    slider.wait_for()
    phone.wait_for_timeout(500)
    before, address, box = slider.input_value(), phone.url, slider.bounding_box()
    swipe(phone, box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2, 3, -120)
    phone.wait_for_function("document.querySelector('[data-testid=stMain]').scrollTop > 20")
    phone.wait_for_timeout(500)
    settle(phone)
    assert (slider.input_value(), phone.url) == (before, address)


def test_a_swipe_over_the_curve_of_alpha_scrolls_the_page_and_changes_nothing(phone, serve):
    arrive(phone, f"{serve('app.py')}/watch?{SMALL}&t=12")
    curve, main = phone.locator("[data-aklo=player] .trust .plot"), phone.get_by_test_id("stMain")
    curve.evaluate("e => e.scrollIntoView({ block: 'center' })")
    address, top, box = phone.url, main.evaluate("e => e.scrollTop"), curve.bounding_box()
    swipe(phone, box["x"] + 0.85 * box["width"], box["y"] + box["height"] / 2, 3, 90)
    phone.wait_for_function("top => document.querySelector('[data-testid=stMain]').scrollTop < top - 20", arg=top)
    settle(phone)
    assert phone.url == address


def test_a_slider_is_dragged_by_touch(phone, serve):
    arrive(phone, f"{serve('app.py')}/watch?{SMALL}&t=12")
    x, width, y = handle(phone, "setting_task")
    swipe(phone, x + 12 / 39 * width, y, 0.3 * width, 2)
    phone.wait_for_function("Number(new URLSearchParams(location.search).get('t')) > 18")
    settle(phone)
    assert shows(phone, "setting_task") == phone.evaluate("new URLSearchParams(location.search).get('t')")


def test_the_menu_closes_on_a_phone_after_a_choice(phone, serve):
    arrive(phone, f"{serve('app.py')}/watch?{SMALL}")
    phone.get_by_test_id("stExpandSidebarButton").tap()
    phone.get_by_test_id("stSidebar").get_by_role("link", name="Compare the methods").tap()
    phone.get_by_role("heading", name="Compare the methods", exact=True).wait_for()
    phone.get_by_test_id("stExpandSidebarButton").wait_for()
    phone.wait_for_function("document.querySelector('[data-testid=stSidebar]').getBoundingClientRect().right <= 1")


def test_a_key_that_is_held_down_is_one_step_of_the_history(page, serve):
    arrive(page, f"{serve('app.py')}/watch?{SMALL}&t=3")
    control(page, "setting_task").locator("input[type=range]").focus()
    before = page.evaluate("history.length")
    for _ in range(12):  # the first is a press of its own, the others are repeats of the key
        page.keyboard.down("ArrowRight")
        page.wait_for_timeout(33)
    page.keyboard.up("ArrowRight")
    until_query(page, t="15")
    assert shows(page, "setting_task") == "15"
    assert page.evaluate("history.length") <= before + 2
    for task in ("4", "3"):
        page.get_by_role("button", name="Undo", exact=True).click()
        until_query(page, t=task)
        assert shows(page, "setting_task") == task
    assert page.get_by_role("button", name="Undo", exact=True).is_disabled()


def test_link_of_the_page_that_is_shown_is_no_new_entry_of_the_history(page, serve):
    arrive(page, f"{serve('app.py')}/watch?{SMALL}&t=3")
    before = page.evaluate("history.length")
    for _ in range(3):
        go_to(page, "Watch it learn")
        until_query(page, t="3", settings=None)
    assert page.evaluate("history.length") == before


def test_a_bar_runs_along_the_top_while_a_page_takes_long(page, serve):
    """A large stream, whose schedules the server mixes on Shape alpha."""
    arrive(page, f"{serve('app.py')}/alpha?T=200&N=1000&s=31")
    page.evaluate(
        """() => {
          const app = document.querySelector("[data-testid=stApp]");
          window.akloBars = [];
          const look = () => {
            window.akloBars.push([app.dataset.testScriptState, getComputedStyle(app, "::before").animationName]);
            requestAnimationFrame(look);
          };
          look();
        }"""
    )
    control(page, "setting_share").locator("input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    until_query(page, sh="0.55")
    seen = {tuple(pair) for pair in page.evaluate("window.akloBars")}
    assert {("running", "aklo-working"), ("notRunning", "none")} <= seen
    assert not {("running", "none"), ("notRunning", "aklo-working")} & seen
