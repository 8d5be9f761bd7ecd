"""The lessons, taken to their end as a visitor does; and a teacher's link that leaves controls out."""

from __future__ import annotations

import re

from aklo.lab.content import lesson_answers, lessons
from tests.browser import steps
from tests.browser.steps import control, settle, share

ALL, _ = lessons.load(lesson_answers.check)
PLAYER = "[data-aklo=player]"
COMMIT = re.compile("Commit to ")


def arrive(page, address: str, title: str = "Lessons") -> None:
    steps.arrive(page, address, title)


def press(page, name: str | re.Pattern) -> None:
    page.get_by_role("button", name=name, exact=isinstance(name, str)).click()
    settle(page)


def box(page, name: str) -> str:
    here = page.locator(f".st-key-said_{name}")
    here.locator("strong").wait_for()  # the box is there a moment before its words
    return here.inner_text().split("\n")[-1].strip()


def test_all_lessons_one_after_another(page, serve):
    arrive(page, f"{serve('app.py')}/lessons?d=syn2&T=20")
    press(page, re.compile("1 · "))
    for number, lesson in enumerate(ALL, 1):
        answer = lesson_answers.ANSWERS[lesson.answer]
        page.get_by_text(f"Lesson {number} of 6").wait_for()
        page.wait_for_url(f"**lesson={number}**")
        page.get_by_text("To keep.").wait_for(state="hidden")
        if answer.choices is None:
            slider = control(page, f"guess_{lesson.name}").locator("input[type=range]")
            slider.focus()
            page.keyboard.press("Home")
            page.keyboard.press("ArrowRight")
            said = answer.say(1, lesson.settings)
            page.get_by_role("button", name=f"Commit to “{said}”").wait_for()
        else:
            said = list(answer.choices(lesson.settings).values())[2]
            page.get_by_text(said, exact=True).first.click()
            settle(page)
        press(page, COMMIT)
        page.get_by_text("To keep.").wait_for()
        assert box(page, "guess") == said
        assert box(page, "happened") == answer.say(answer.outcome(lesson.settings), lesson.settings)
        if lesson.answer.startswith("mistakes"):
            root = page.locator(PLAYER)
            root.focus()
            page.keyboard.press("End")
            page.locator(f"{PLAYER}[data-t='100']").wait_for()
            end = root.locator(f".race .end[data-method='{lesson.settings.method}']")
            assert box(page, "happened").split()[0] == end.inner_text()
        else:
            page.locator("[data-aklo=chart] .main-svg").first.wait_for()
        if number < 6:
            press(page, "Next")
    press(page, "All lessons")
    page.get_by_text("6 of 6 answered").wait_for()
    table = page.get_by_test_id("stTable")
    for lesson in ALL:
        table.get_by_text(lesson.title).wait_for()
    assert "d=syn2" in page.url and "T=20" in page.url  # the visitor's own settings
    assert page.get_by_test_id("stException").count() == 0


def test_left_and_resumed_by_the_menu_and_by_back(page, serve):
    arrive(page, f"{serve('app.py')}/lessons?lesson=4")
    press(page, COMMIT)
    page.get_by_text("To keep.").wait_for()
    page.get_by_test_id("stSidebar").get_by_role("link", name="Home").click()
    page.get_by_role("heading", name="Lifelong online learning", exact=True).wait_for()
    settle(page)
    assert "lesson=" not in page.url
    page.get_by_test_id("stSidebar").get_by_role("link", name="Lessons").click()
    page.get_by_text("Lesson 4 of 6").wait_for()
    page.get_by_text("To keep.").wait_for()
    press(page, "Back")
    page.get_by_text("Lesson 3 of 6").wait_for()
    page.go_back()
    page.get_by_text("Lesson 4 of 6").wait_for()
    page.get_by_text("To keep.").wait_for()
    press(page, "Start this lesson anew")
    page.get_by_text("To keep.").wait_for(state="hidden")
    assert page.get_by_role("button", name=COMMIT).is_enabled()


def test_going_on_in_the_lab_and_undo(page, serve):
    arrive(page, f"{serve('app.py')}/lessons?d=syn2&T=20&lesson=4")
    press(page, COMMIT)
    press(page, "Go on in “Watch it learn”")
    page.get_by_role("heading", name="Watch it learn", exact=True).wait_for()
    page.wait_for_url("**/watch?**d=conflict**")
    page.locator(PLAYER).wait_for()
    assert "lesson=" not in page.url
    press(page, "Undo")
    page.wait_for_url("**d=syn2**")


def test_a_link_that_leaves_controls_out(visitor, serve):
    page = visitor(permissions=["clipboard-read", "clipboard-write"])
    arrive(page, f"{serve('app.py')}/watch?show=alpha,task&T=15&N=20&R=1&t=12", "Watch it learn")
    page.locator(PLAYER).wait_for()
    assert page.locator("[class*=st-key-setting_]").count() == 2
    control(page, "setting_task").locator("input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**t=13**")
    assert "show=alpha%2Ctask" in share(page)
    for name, title in {"Shape alpha": "Shape alpha", "Home": "Lifelong online learning"}.items():
        page.get_by_test_id("stSidebar").get_by_role("link", name=name).click()
        page.get_by_role("heading", name=title, exact=True).wait_for()
        settle(page)
        assert "show=" in page.url and "t=13" in page.url
    # The links in a page itself know nothing of it, and keep it all the same.
    page.get_by_test_id("stMain").get_by_role("link", name="Compare the methods").click()
    page.get_by_role("heading", name="Compare the methods", exact=True).wait_for()
    settle(page)
    assert "show=" in page.url and control(page, "setting_lam").count() == 0
    press(page, "Show all controls")
    control(page, "setting_lam").wait_for()
    assert "show=" not in page.url and "t=13" in page.url


def test_a_phone_shows_a_lesson_without_sideways_scrolling(visitor, serve):
    page = visitor(width=390, height=844, color_scheme="dark")
    arrive(page, f"{serve('app.py')}/lessons?lesson=6")
    press(page, COMMIT)
    page.locator(PLAYER).wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
