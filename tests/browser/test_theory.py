"""The page "Error bounds", used as people use it."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

import aklo
from tests.browser.steps import control, look, pick


@pytest.fixture
def lab(serve) -> str:
    return serve("app.py")


def visit(page, lab: str, **query: str) -> None:
    """Until the page has been drawn once; a machine that is busy takes its time for the first."""
    page.set_default_timeout(60_000)
    page.goto(f"{lab}/theory?{urlencode({'v': 1, **query})}")
    page.get_by_text(re.compile("allows")).first.wait_for(timeout=60_000)


def asked(page) -> dict[str, str]:
    return {name: value[0] for name, value in parse_qs(urlsplit(page.url).query).items()}


def until_asked(page, **expected: str) -> None:
    for name, value in expected.items():
        page.wait_for_function(
            "([k, v]) => new URLSearchParams(location.search).get(k) === v", arg=[name, value], timeout=20_000
        )


def wait(player, condition: str) -> None:
    """Until a condition on the player's root `e` holds in the browser."""
    player.page.wait_for_function(f"e => {condition}", arg=player.element_handle(), polling="raf")


def to_the_end(player, n: int) -> None:
    player.get_by_label("Time", exact=True).press("End")
    wait(player, f"e.dataset.t === '{n}'")


def test_a_visitor_asks_makes_the_conditions_hold_and_takes_one_voice(lab, page):
    visit(page, lab, d="conflict", T="6", N="40", t="4")
    stream = aklo.conflict(n_tasks=6, n_examples=40)
    bound = aklo.theorem1(aklo.run(stream, lam=0.1).replay(4), R=0.5)
    page.get_by_text(f"allows {bound.total:.1f} mistakes").wait_for()
    page.get_by_text("lambda is as stated — switch on").wait_for()
    control(page, "setting_stated_rate").locator("label").click()
    page.get_by_text("lambda is as stated — switch on").wait_for(state="detached")
    until_asked(page, sl="1")

    # The slider of R, by the keyboard: one step is 0.05.
    control(page, "setting_radius").locator("input[type=range]").press("ArrowRight")
    until_asked(page, r="0.55")
    page.get_by_role("button", name="Take alpha ≡ 1").click()
    until_asked(page, a="constant:value=1")
    for key in ("promise", "voices", "price"):
        page.locator(f".st-key-{key} .main-svg").first.wait_for()


@pytest.mark.thorough
def test_the_liar_crosses_the_line_until_each_expert_is_clipped(lab, page):
    visit(page, lab, d="conflict", T="6", N="40", t="4")
    look(page, "Counterexamples")
    player = page.locator("[data-aklo=player]")
    player.get_by_text("bound: at most 47.1").wait_for()
    to_the_end(player, 100)
    assert player.locator(".end[data-method='AKLO Sum']").text_content() == "100"
    assert player.locator(".end:not([hidden])").count() == 1, "the bound is about one method"

    control(page, "setting_case_clip").get_by_text("each expert", exact=True).click()
    until_asked(page, lc="advice")
    wait(player, "e.querySelector(\".end[data-method='AKLO Sum']\").textContent === '0'")
    page.get_by_text("The bound is broken").wait_for(state="detached")


@pytest.mark.thorough
def test_another_counter_example_is_chosen_and_the_link_brings_it_back(lab, page, visitor):
    visit(page, lab, po="Counterexamples")
    pick(page, "setting_case", "The last stretch")
    page.get_by_text("it picks out the last stretch").wait_for()
    until_asked(page, ca="The last stretch")
    second = visitor()
    second.goto(page.url)
    second.get_by_text("it picks out the last stretch").wait_for(timeout=60_000)
    player = second.locator("[data-aklo=player]")
    player.get_by_text("bound: at most 39.45").wait_for()
    to_the_end(player, 1000)
    assert player.locator(".end[data-method='AKLO Sum']").text_content() == "59"
    assert asked(second)["ca"] == "The last stretch"


@pytest.mark.parametrize("part", ["Counterexamples", "Bounds that hold"])
def test_fits_a_phone(lab, visitor, part):
    page = visitor(width=390, height=844)
    visit(page, lab, d="conflict", T="6", N="40", t="4", po=part)
    main = page.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollWidth <= e.clientWidth")
    if part == "Bounds that hold":
        page.get_by_text("100 / 47.1").wait_for()
        letters = page.locator(".katex-html .mord")  # a formula's box is never too wide, but its letters may be cut
        assert letters.count() > 20
        assert letters.evaluate_all("all => Math.max(...all.map((e) => e.getBoundingClientRect().right))") < 390
