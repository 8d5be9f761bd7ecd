"""The Share dialog: a link to exactly what is seen, the controls that it shows, its QR code, and code for a frame."""

from __future__ import annotations

import html
import io
import re
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest

from tests.browser.observe import observe
from tests.browser.steps import arrive, settle, share

pytestmark = pytest.mark.thorough

PLAYER = "[data-aklo=player]"
FOCUSED = """() => {
  let found = document.activeElement;
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
  return found?.textContent.trim();
}"""


@pytest.fixture
def page(visitor):
    return visitor(permissions=["clipboard-read", "clipboard-write"])


def opened(page):
    """Open the dialog; gives it."""
    page.get_by_role("button", name="Share", exact=True).click()
    dialog = page.get_by_role("dialog", name="Share this picture")
    dialog.wait_for()
    return dialog


def link_of(dialog) -> str:
    return dialog.get_by_label("Link", exact=True).input_value()


def query_of(dialog) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(link_of(dialog)).query))


def code_of(dialog) -> str:
    """The address in the embed code."""
    return html.unescape(re.search(r'src="([^"]*)"', dialog.get_by_label("Embed code").input_value())[1])


def read_qr(dialog) -> str:
    """What a camera reads off the dialog."""
    import zxingcpp
    from PIL import Image

    picture = dialog.get_by_role("img", name="QR code of the link")
    picture.wait_for()
    picture.evaluate("e => e.decode()")
    (found,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(picture.screenshot())))
    return found.text


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_qr_code_holds_the_link_and_opens_the_same_picture(visitor, serve, scheme):
    page, second = visitor(color_scheme=scheme), visitor(fresh=True)
    arrive(page, f"{serve('app.py')}/watch?T=15&N=60&t=9&i=23&m=ITOL&w=1")
    page.locator(f"{PLAYER}[data-t='23']").wait_for()
    seen = observe(page)
    dialog = opened(page)
    link = read_qr(dialog)
    assert link == link_of(dialog)
    arrive(second, link)
    there = observe(second)
    assert (there.controls, there.numbers, there.query) == (seen.controls, seen.numbers, seen.query)


def test_qr_code_follows_the_choice_of_controls(page, serve):
    arrive(page, f"{serve('app.py')}/watch?T=8&N=30&t=5")
    dialog = opened(page)
    before = read_qr(dialog)
    dialog.get_by_label("Lambda", exact=True).uncheck()
    dialog.get_by_text("The QR code is being drawn").wait_for(state="hidden")
    assert read_qr(dialog) == link_of(dialog) != before


def test_player_goes_on_while_the_dialog_is_open_and_the_link_has_its_step(page, serve):
    arrive(page, f"{serve('app.py')}/watch?T=15&N=800&t=9")
    root = page.locator(PLAYER)
    root.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("e => Number(e.dataset.t) >= 10", arg=root.element_handle())
    before = int(root.get_attribute("data-t"))
    dialog = opened(page)
    step, after = int(query_of(dialog)["i"]), int(root.get_attribute("data-t"))
    assert before <= step <= after
    assert int(dict(parse_qsl(urlsplit(read_qr(dialog)).query))["i"]) == step  # the link is that of the opening
    page.wait_for_function("([e, t]) => Number(e.dataset.t) > t + 5", arg=[root.element_handle(), after])
    assert root.get_attribute("data-state") == "playing" and query_of(dialog)["i"] == str(step)


def test_boxes_are_the_controls_of_the_page_and_choose_what_the_link_shows(page, visitor, serve):
    arrive(page, f"{serve('app.py')}/watch?T=8&N=30&t=5&d=conflict")
    dialog = opened(page)
    boxes = dialog.get_by_role("group", name="Controls to show").get_by_role("checkbox")
    names = boxes.evaluate_all("boxes => boxes.map((box) => box.value)")
    assert {"task", "alpha", "angle", "lam", "method", "follow"} <= set(names)
    assert not {"repetitions", "statement", "spread"} & set(names)  # other pages have those
    assert boxes.evaluate_all("boxes => boxes.every((box) => box.checked)") and "show" not in query_of(dialog)
    dialog.get_by_role("button", name="None", exact=True).click()
    assert query_of(dialog)["show"] == "none"
    dialog.get_by_label("Task", exact=True).check()
    dialog.get_by_label("Angle", exact=True).check()
    assert sorted(query_of(dialog)["show"].split(",")) == ["angle", "task"]
    second = visitor(fresh=True)
    arrive(second, link_of(dialog))
    second.locator(f"{PLAYER}[data-task='5']").wait_for()
    shown = second.locator("[data-aklo=control]").evaluate_all("all => all.map((e) => e.dataset.name)")
    assert set(shown) == {"setting_task", "setting_angle"}
    again = opened(second)
    ticked = again.get_by_role("checkbox", checked=True).evaluate_all("boxes => boxes.map((box) => box.value)")
    assert sorted(ticked) == ["angle", "task"]
    again.get_by_role("button", name="All", exact=True).click()
    assert "show" not in query_of(again)


def test_a_view_without_menu_shows_no_controls_unless_they_are_ticked(page, serve):
    arrive(page, f"{serve('app.py')}/watch?T=8&N=30&t=5")
    dialog = opened(page)
    switch = dialog.get_by_role("switch", name="Without menu and header")
    assert parse_qs(urlsplit(code_of(dialog)).query)["embed"] == ["true"] and "show=" not in code_of(dialog)
    switch.check()
    assert query_of(dialog)["embed"] == "true" and "show" not in query_of(dialog)
    assert dialog.get_by_role("group", name="Controls to show").get_by_role("checkbox", checked=True).count() == 0
    dialog.get_by_label("Task", exact=True).check()
    assert query_of(dialog)["show"] == "task" and code_of(dialog) == link_of(dialog)
    dialog.get_by_text("A frame with the picture and Task.").wait_for()
    switch.uncheck()
    assert query_of(dialog)["show"] == "task" and "embed" not in query_of(dialog)


def test_dialog_takes_the_focus_and_gives_it_back(page, serve):
    arrive(page, f"{serve('app.py')}/watch?T=8&N=30&t=5")
    page.get_by_role("button", name="Share", exact=True).focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Share this picture")
    dialog.wait_for()
    assert page.evaluate(FOCUSED) == "Copy link"
    read_qr(dialog)  # by then the page was drawn again
    settle(page)
    assert page.evaluate(FOCUSED) == "Copy link"
    page.keyboard.press("Enter")
    dialog.get_by_text("Link copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == link_of(dialog)
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    assert page.evaluate(FOCUSED) == "Share"


def test_without_a_clipboard_the_link_is_selected_to_be_copied_by_hand(visitor, serve):
    page = visitor(fresh=True)
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")  # as over plain http
    arrive(page, f"{serve('app.py')}/glossary")
    dialog = opened(page)
    dialog.get_by_role("button", name="Copy link").click()
    dialog.get_by_text("Link selected").wait_for()
    selected = dialog.get_by_label("Link", exact=True).evaluate("e => e.value.slice(e.selectionStart, e.selectionEnd)")
    assert selected == link_of(dialog)
    assert not dialog.get_by_role("group", name="Controls to show").is_visible()  # the glossary has none


def test_dialog_fits_a_phone(visitor, serve):
    page = visitor(width=390, height=844, has_touch=True, is_mobile=True, fresh=True)
    arrive(page, f"{serve('app.py')}/watch?T=8&N=30&t=5")
    dialog = opened(page)
    read_qr(dialog)
    box = dialog.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390 and box["y"] >= 0 and box["y"] + box["height"] <= 844
    assert dialog.evaluate("e => e.scrollWidth <= e.clientWidth")
    dialog.get_by_role("button", name="Copy code").scroll_into_view_if_needed()
    dialog.get_by_role("button", name="Close").tap()
    dialog.wait_for(state="hidden")


def test_a_link_to_a_lesson_is_shared(page, serve):
    arrive(page, f"{serve('app.py')}/lessons?lesson=3")
    assert "lesson=3" in share(page)
