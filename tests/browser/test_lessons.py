"""The lessons, taken to their end as a visitor does; and a teacher's link that leaves controls out."""

from __future__ import annotations

import re

import pytest

from aklo import handin
from aklo.cli import grade
from aklo.lab.content import lesson_answers
from aklo.lab.frame import lesson_pictures
from tests.browser import steps
from tests.browser.conftest import ROOT, Visitors
from tests.browser.steps import LESSONS as ALL
from tests.browser.steps import answer_lesson, control, make_guess, settle, share
from tests.browser.test_faults import CONNECTION, Mortal, connected

PLAYER, REVEAL = "[data-aklo=player]", "[data-aklo=reveal]"


def arrive(page, address: str, title: str = "Lessons") -> None:
    steps.arrive(page, address, title)


def press(page, name: str | re.Pattern) -> None:
    page.get_by_role("button", name=name, exact=isinstance(name, str)).click()
    settle(page)


def box(page, name: str) -> str:
    here = page.locator(f".st-key-said_{name}")
    here.locator("strong").wait_for()  # the box is there a moment before its words
    return here.inner_text().split("\n")[-1].strip()


def in_view(page, *elements) -> bool:
    """Whether elements lie within the window."""
    size = page.evaluate("[innerWidth, innerHeight]")
    boxes = [element.bounding_box() for element in elements]
    return all(
        b["x"] >= 0 and b["y"] >= 0 and b["x"] + b["width"] <= size[0] + 1 and b["y"] + b["height"] <= size[1] + 1
        for b in boxes
    )


def go_to_the_end(page) -> None:
    """Bring an answer that plays to its end, with the keyboard."""
    page.locator(f"{PLAYER} .controls, {REVEAL} .controls").first.wait_for()
    page.locator(f"{PLAYER} input[type=range], {REVEAL} input[type=range]").first.focus()
    page.keyboard.press("End")


def take_all_lessons(page, address: str) -> None:
    """Take every lesson to its end, one after another. Guess and outcome are in view when the answer is told."""
    arrive(page, f"{address}/lessons?d=syn2&T=20")
    press(page, re.compile("1 · "))
    for number, lesson in enumerate(ALL, 1):
        answer = lesson_answers.ANSWERS[lesson.answer]
        page.get_by_text(f"Lesson {number} of {len(ALL)}").wait_for()
        page.wait_for_url(f"**lesson={number}**")
        page.get_by_text("To keep.").wait_for(state="hidden")
        assert page.get_by_role("button", name=re.compile(" first$")).is_disabled(), "no guess yet"
        if lesson.answer in lesson_pictures.BEFORE:
            page.locator(f".st-key-before_{lesson.name} :is(.main-svg, canvas)").first.wait_for()
        said = make_guess(page, lesson)
        press(page, f"Commit to “{said}”")
        assert box(page, "guess") == said and box(page, "happened") == "watch …"
        assert page.get_by_text("To keep.").count() == 0, "the answer is played first"
        if number != 2:  # which plays to its end by itself
            go_to_the_end(page)
        page.get_by_text("To keep.").wait_for()
        settle(page)
        assert box(page, "happened") == answer.say(answer.outcome(lesson.settings), lesson.settings)
        player = lesson.answer.startswith("mistakes")
        guess = page.locator(f"{PLAYER} .race .guess" if player else f"{REVEAL} [data-mark=guess]")
        if player:
            end = page.locator(f"{PLAYER} .race .end[data-method='{lesson.settings.method}']")
            assert box(page, "happened").split()[0] == end.inner_text()
        elif answer.choices is None:
            end = page.locator(f"{REVEAL} [data-mark=outcome]")
        else:
            guess = end = page.locator(f"{REVEAL} .end[data-line$='your guess']")
        said_boxes = [page.locator(f".st-key-said_{name}") for name in ("guess", "happened")]
        assert in_view(page, guess, end, *said_boxes), f"{lesson.name}: guess and outcome are to be seen at once"
        assert steps.fits(page), lesson.name
        if number < len(ALL):
            press(page, "Next")
    press(page, "All lessons")
    page.get_by_text(f"{len(ALL)} of {len(ALL)} answered").wait_for()
    table = page.get_by_test_id("stTable")
    for lesson in ALL:
        table.get_by_text(lesson.title).wait_for()
    assert "d=syn2" in page.url and "T=20" in page.url  # the visitor's own settings
    steps.healthy(page)


@pytest.mark.thorough
def test_all_lessons_on_a_laptop(visitor, serve):
    take_all_lessons(visitor(width=1366, height=650), serve("app.py"))


@pytest.mark.thorough
def test_all_lessons_on_a_phone(visitor, serve):
    page = visitor(width=390, height=844, color_scheme="dark", has_touch=True, is_mobile=True)
    take_all_lessons(page, serve("app.py"))


def listed(page) -> list[str]:
    """The guesses in the list of all lessons."""
    page.get_by_test_id("stTable").get_by_role("row").first.wait_for()
    rows = page.get_by_test_id("stTable").get_by_role("row").all()[1:]
    return [row.get_by_role("cell").first.inner_text() for row in rows]


@pytest.mark.thorough
def test_guesses_survive_a_reload_and_a_restart_and_are_handed_in(chromium, tmp_path, monkeypatch):
    monkeypatch.setenv(handin.VARIABLE, "a secret of the host")
    server, visitors = Mortal(ROOT / "app.py", tmp_path / "log.txt"), Visitors(chromium)
    try:
        page = visitors()
        arrive(page, f"{server.url}/lessons?lesson=2")
        answer_lesson(page, ALL[1])
        page.reload()
        page.get_by_text("To keep.").wait_for()
        assert box(page, "guess") == "1\N{NO-BREAK SPACE}%"
        server.kill()
        connected(page, False)
        server.revive()
        connected(page)
        page.get_by_text("To keep.").wait_for()
        arrive(page, f"{server.url}/lessons?lesson=3")
        answer_lesson(page, ALL[2])
        press(page, "All lessons")
        assert listed(page) == ["1\N{NO-BREAK SPACE}%", "1 task"]
        # Another tab shows the same, and what is cleared in one is gone in the other, until it is brought back.
        other = page.context.new_page()
        arrive(other, f"{server.url}/lessons")
        assert listed(other) == listed(page)
        press(other, "Clear all guesses")
        page.get_by_test_id("stTable").wait_for(state="hidden")
        press(other, "Bring cleared guesses back")
        page.get_by_test_id("stTable").wait_for()
        assert listed(page) == ["1\N{NO-BREAK SPACE}%", "1 task"]
        other.close()
        page.get_by_role("textbox", name="Name (optional)").fill("Ada")
        page.keyboard.press("Enter")
        line = page.get_by_test_id("stCode").get_by_text("name=Ada").inner_text()
        with page.expect_download() as started:
            page.get_by_role("button", name="Download as a file").click()
        started.value.save_as(tmp_path / "in" / "ada.json")
        (tmp_path / "in" / "pasted.txt").write_text(line, encoding="utf-8")
        assert not [line for line in visitors.wrong if not any(word in line for word in CONNECTION)]
    finally:
        visitors.close()
        server.stop()
    made, pasted = (found.made for found in grade.read(tmp_path / "in"))
    assert made.rows == pasted.rows and made.check(handin.Key.secret("a secret of the host")) == handin.VALID
    assert [(row.lesson, row.guess, row.vouched) for row in made.rows] == [(ALL[k].name, 1, True) for k in (1, 2)]


@pytest.mark.thorough
def test_hostile_record_in_the_browser_gets_a_sentence(page, serve):
    address = f"{serve('app.py')}/lessons"
    arrive(page, address)
    markup = '{"format": "aklo1", "id": "<img src=x onerror=alert(1)>", "guesses": []}'
    for text in ("x" * 4_000_000, "[" * 10_000, markup):
        page.evaluate("text => localStorage.setItem('aklo-lab:guesses', text)", text)
        page.reload()
        page.get_by_text("was left out").wait_for()
        page.wait_for_function("localStorage.getItem('aklo-lab:guesses') === null")
        steps.healthy(page)
    press(page, re.compile("1 · "))
    answer_lesson(page, ALL[0])
    page.wait_for_function("JSON.parse(localStorage.getItem('aklo-lab:guesses')).guesses.length === 1")


def test_left_and_resumed_by_the_menu_and_by_back(page, serve):
    arrive(page, f"{serve('app.py')}/lessons?lesson=4")
    answer_lesson(page, ALL[3])
    page.get_by_test_id("stSidebar").get_by_role("link", name="Home").click()
    page.get_by_role("heading", name="Lifelong online learning", exact=True).wait_for()
    settle(page)
    assert "lesson=" not in page.url
    page.get_by_test_id("stSidebar").get_by_role("link", name="Lessons").click()
    page.get_by_text("Lesson 4 of 8").wait_for()
    page.get_by_text("To keep.").wait_for()
    press(page, "Back")
    page.get_by_text("Lesson 3 of 8").wait_for()
    page.go_back()
    page.get_by_text("Lesson 4 of 8").wait_for()
    page.get_by_text("To keep.").wait_for()
    press(page, "Start this lesson anew")
    page.get_by_text("To keep.").wait_for(state="hidden")
    assert page.get_by_role("button", name="Move the slider to your guess first").is_disabled()


def test_going_on_in_the_lab_and_undo(page, serve):
    arrive(page, f"{serve('app.py')}/lessons?d=syn2&T=20&lesson=4")
    answer_lesson(page, ALL[3])
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
    assert page.locator("[data-aklo=control][data-name^=setting_]").count() == 2
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
