"""The lab as a visitor meets it: pages by their own address, links, Back and Forward, settings that stay."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from tests import coroutines
from tests.benchmarks.visitors import Visitor
from tests.browser.conftest import ROOT, answers, free_port
from tests.browser.steps import PAGES, arrive, fits, healthy, settle, share, slide, until_query

PLAYER = "[data-aklo=player]"
SENTENCE = f"{PLAYER} .sentence"


@pytest.mark.thorough
def test_every_page_can_be_the_first_that_is_visited():
    """None leans on what another has loaded. Visitors without a browser, who bear no exception."""

    async def visit(port: int, path: str) -> Visitor:
        visitor = await Visitor.arrive(port, path)
        await visitor.leave()
        return visitor

    command = [sys.executable, "-m", "tests.browser.warm"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as warm:
        for label, path in PAGES.items():
            port = free_port()
            warm.stdin.write(f"{port}\n")
            warm.stdin.flush()
            server = int(warm.stdout.readline())
            try:
                assert answers(f"http://127.0.0.1:{port}"), label
                visitor = coroutines.run(visit(port, path))
            finally:
                os.kill(server, signal.SIGKILL)
            assert len(visitor.heard) > 12, label
            assert "s=0" in visitor.query or label == "Glossary"  # the link; anchors leave it empty


def test_settings_stay_from_page_to_page_and_over_a_reload(page, serve):
    arrive(page, f"{serve('app.py')}/watch?d=syn2&T=20&t=5", "Watch it learn")
    page.locator(f"{PLAYER}[data-task='5']").wait_for()
    page.get_by_test_id("stSidebar").get_by_role("link", name="Design the tasks").click()
    page.get_by_role("heading", name="Design the tasks", exact=True).wait_for()
    settle(page)
    assert "d=syn2" in page.url and "T=20" in page.url and "t=5" in page.url
    page.get_by_test_id("stSidebar").get_by_role("link", name="Watch it learn").click()
    page.get_by_role("heading", name="Watch it learn", exact=True).wait_for()
    page.locator(f"{PLAYER}[data-task='5']").wait_for()
    page.reload()
    page.locator(f"{PLAYER}[data-task='5']").wait_for()
    assert "d=syn2" in page.url
    healthy(page)


def test_a_slider_moves_the_address_and_back_and_forward_undo_it(page, serve):
    arrive(page, f"{serve('app.py')}/watch", "Watch it learn")
    page.locator(f"{PLAYER}[data-task='14']").wait_for()
    slide(page, "setting_task", "ArrowRight")
    page.locator(f"{PLAYER}[data-task='15']").wait_for()
    until_query(page, t="15")
    page.go_back()
    page.locator(f"{PLAYER}[data-task='14']").wait_for()
    page.go_forward()
    page.locator(f"{PLAYER}[data-task='15']").wait_for()
    healthy(page)


def test_what_a_control_changed_is_kept_by_the_menu(page, serve):
    arrive(page, f"{serve('app.py')}/watch?t=12", "Watch it learn")
    slide(page, "setting_task", "ArrowRight")
    page.locator(f"{PLAYER}[data-task='13']").wait_for()
    page.get_by_test_id("stSidebar").get_by_role("link", name="Shape alpha").click()
    page.get_by_role("heading", name="Shape alpha", exact=True).wait_for()
    page.wait_for_url("**t=13**")
    healthy(page)


def test_a_shared_link_shows_a_second_visitor_the_same_numbers(visitor, serve):
    first, second = visitor(permissions=["clipboard-read", "clipboard-write"]), visitor()
    arrive(first, f"{serve('app.py')}/watch?d=syn1&c=advice&a=linear:end%3D0.5&t=9&s=3", "Watch it learn")
    first.locator(f"{PLAYER}[data-task='9']").wait_for()
    slide(first, "setting_task", "ArrowRight", 2)
    first.locator(f"{PLAYER}[data-task='11']").wait_for()
    link = share(first)
    arrive(second, link, "Watch it learn")
    for page in (first, second):
        page.locator(f"{PLAYER}[data-task='11']").wait_for()
        page.locator(PLAYER).focus()
        page.keyboard.press("End")
        page.locator(f"{PLAYER}[data-t='100']").wait_for()
    assert first.locator(SENTENCE).inner_text() == second.locator(SENTENCE).inner_text()
    race = f"{PLAYER} .race"
    assert first.locator(race).inner_text() == second.locator(race).inner_text()


def test_a_corrupted_link_is_answered_with_notes(page, serve):
    bad = "v=9&d=syn3&T=1e9&N=-4&a=linear:end%3D7&l=2&t=abc&s=%00&zz=1&m=%3Cscript%3Ealert(1)%3C/script%3E"
    arrive(page, f"{serve('app.py')}/watch?{bad}", "Watch it learn")
    healthy(page)
    page.get_by_text("is not one of the choices").first.wait_for()
    page.get_by_text("was outside 1 to 200").wait_for()
    page.locator(PLAYER).wait_for()
    assert "script" not in page.url


def test_alpha_changes_while_playing_and_time_goes_on(page, serve):
    arrive(page, f"{serve('app.py')}/watch?t=12", "Watch it learn")
    root = page.locator(PLAYER)
    root.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("e => Number(e.dataset.t) >= 5", arg=root.element_handle())
    before = root.locator(".trust canvas").first.evaluate("c => c.toDataURL()")
    slide(page, "alpha_Linear_end", "End")
    page.wait_for_url("**a=linear**")
    page.wait_for_function(
        "([e, before]) => e.querySelector('.trust canvas').toDataURL() !== before", arg=[root.element_handle(), before]
    )
    assert int(root.get_attribute("data-t")) >= 5
    assert root.get_attribute("data-state") == "playing"


def test_presets_reset_and_undo(page, serve):
    arrive(page, f"{serve('app.py')}/watch?d=conflict&an=45", "Watch it learn")
    page.get_by_role("button", name="Reset", exact=True).click()
    page.wait_for_url("**d=syn1**")
    page.get_by_role("button", name="Undo", exact=True).click()
    page.wait_for_url("**an=45**")
    healthy(page)


def test_the_whole_stream_plays_on(page, serve):
    arrive(page, f"{serve('app.py')}/watch?N=8&T=6&t=2", "Watch it learn")
    page.get_by_text("Play the whole stream").click()
    until_query(page, fo="1")  # and the player has heard of it: it plays eight steps sooner than a busy machine answers
    root = page.locator(PLAYER)
    root.get_by_label("Speed").select_option(label="8×")
    root.get_by_role("button", name="Play", exact=True).click()
    page.locator(f"{PLAYER}[data-task='4']").wait_for()
    assert "t=" in page.url
    healthy(page)


def test_beside_an_open_sidebar_in_a_narrow_window_words_and_formulas_are_whole(page, serve):
    page.set_viewport_size({"width": 900, "height": 1000})
    arrive(page, f"{serve('app.py')}/alpha?T=12&N=20", "Shape alpha")
    head = page.locator("[data-aklo=alpha] .head")
    head.get_by_text("α(t) = ").wait_for()
    assert page.get_by_test_id("stSidebar").bounding_box()["width"] > 200 and fits(page)
    words = page.locator(".st-key-export button p").first
    assert words.inner_text() == "Export"
    assert words.evaluate("e => e.getBoundingClientRect().height < 2 * parseFloat(getComputedStyle(e).fontSize)")
    heading, share = page.get_by_role("heading", level=1).bounding_box(), page.locator(".st-key-share").bounding_box()
    assert share["x"] > heading["x"] + 100 and share["width"] < 200  # beside the heading, not below it
    assert head.evaluate("e => e.scrollWidth - e.clientWidth") <= 1
