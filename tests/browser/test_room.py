"""A class in a room: a teacher and three students, each in their own browser, on two replicas behind the proxy."""

from __future__ import annotations

import csv
import re

import pytest
import zxingcpp
from PIL import Image

from aklo.lab.content import lesson_answers, room_questions
from tests.browser.conftest import Visitors
from tests.browser.steps import arrive, chart, fits, healthy, settle, whole_runs
from tests.browser.test_faults import CONNECTION
from tests.browser.test_hosting import guest, until_taken_over
from tests.browser.test_lab import PLAYER
from tests.browser.test_lessons import in_view
from tests.hosting import behind_nginx

FIRST, SECOND = (room_questions.of_lesson(lesson) for lesson in lesson_answers.all_lessons()[:2])
BOARD = "[data-aklo=room]"


hosted = pytest.fixture(behind_nginx)


@pytest.fixture
def visitors(chromium):
    made = Visitors(chromium)
    yield made
    made.close()
    assert not [wrong for wrong in made.wrong if not any(word in wrong for word in CONNECTION)]


def counted(wall, text: str) -> None:
    """Until the wall counts so."""
    wall.locator(BOARD).get_by_text(text, exact=True).wait_for()


def at_question(page, number: int) -> None:
    """Until a student's screen has come to a question, and is drawn."""
    page.locator(f"[class*=st-key-guess_][class*=_{number}-]").wait_for()
    settle(page)


def guess(page, number: int, key: str) -> float:
    """Move the slider by one key, and send it: the guess, as the screen confirms it."""
    at_question(page, number)
    send = page.get_by_role("button", name="Send my guess", exact=True)
    assert send.is_disabled()  # until it was moved
    page.locator(f"[class*=st-key-guess_][class*=_{number}-] input[type=range]").focus()
    page.keyboard.press(key)
    send.click()  # as soon as the server has heard of the move
    page.get_by_text("Your guess is in:").wait_for()
    return confirmed(page)


def confirmed(page) -> float:
    """The guess that a student's screen says is in."""
    said = page.locator(".stMarkdown", has_text="Your guess is in:").inner_text()
    return float(re.search(r"in: (\d+)", said)[1])


def alt(page) -> str:
    """What the chart of the guesses says to a screen reader."""
    return chart(page, "room_guesses").locator("[role=img]").first.get_attribute("aria-label")


@pytest.mark.thorough
def test_a_class_guesses_together_across_processes(hosted, visitors):
    def person(replica: str, **options):
        return guest(visitors, hosted, replica, bypass_csp=True, **options)

    wall = person("replica1", width=1920, height=950)
    one = person("replica1", width=390, height=844, has_touch=True)
    two, late = person("replica2"), person("replica2")
    runs = {page: whole_runs(page) for page in (two, late)}

    # The teacher opens a room from the lessons: a code, a link, and a QR code of it.
    arrive(wall, f"{hosted.url}/lessons")
    wall.get_by_role("button", name="Open a room").click()
    code = wall.locator(f"{BOARD} .code").inner_text()
    link = f"{hosted.url}/room?room={code}"
    assert wall.locator(f"{BOARD} .link").inner_text() == link.removeprefix("http://")
    wall.locator(f"{BOARD} img").screenshot(path=hosted.folder / "qr.png")
    with Image.open(hosted.folder / "qr.png") as picture:
        assert zxingcpp.read_barcodes(picture)[0].text == link
    counted(wall, "Nobody has joined yet")

    # By link, and by code on another process.
    one.goto(link)
    two.goto(f"{hosted.url}/room")
    two.get_by_role("textbox", name="Code", exact=True).fill(f" {code.lower()}")
    two.get_by_role("button", name="Join", exact=True).click()
    for page in (one, two):
        page.get_by_text(f"You are in the room {code}").wait_for()
    counted(wall, "2 students in the room")

    # The first question. The wall says how many have answered, and not what.
    wall.get_by_role("button", name="Ask", exact=True).click()
    guesses = {1: guess(one, 1, "ArrowRight")}
    counted(wall, "1 of 2 students has answered")
    guesses[2] = guess(two, 1, "Home")
    counted(wall, "2 of 2 students have answered")
    assert guesses == {1: 51, 2: 0} and wall.locator(".st-key-room_guesses").count() == 0
    assert fits(one) and fits(wall)

    # One more comes late, and is at the question where the others are. Reloads change nothing.
    late.goto(link)
    at_question(late, 1)
    counted(wall, "2 of 3 students have answered")
    for page in (two, wall):
        page.reload()
    two.get_by_text("Your guess is in:").wait_for()
    assert confirmed(two) == guesses[2]
    guesses[3] = guess(late, 1, "End")
    counted(wall, "3 of 3 students have answered")

    # Reveal: guesses and outcome on all screens, each student's own among them, and the picture plays.
    wall.get_by_role("button", name="Reveal", exact=True).click()
    values = ", ".join(f"{value:g}" for value in sorted(guesses.values()))
    for page in (wall, one, two, late):
        assert f"The room's guesses: {values}. What happens: {FIRST.outcome:g} mistakes." in alt(page)
        assert page.get_by_text("To keep.").is_visible()
        page.wait_for_function("e => Number(e.dataset.t) > 1", arg=page.locator(PLAYER).element_handle())
        healthy(page)
    # On the phone, which stood at the slider, guess and histogram are in view, and the picture begins to be.
    said = one.get_by_text("Your guess: 51 mistakes.")
    assert in_view(one, said, chart(one, "room_guesses"))
    assert one.locator(PLAYER).bounding_box()["y"] < one.viewport_size["height"] - 100

    # Hide takes it away everywhere; Reopen lets a guess be changed.
    wall.get_by_role("button", name="Hide", exact=True).click()
    for page in (one, late):
        page.get_by_text("The guessing has ended").wait_for()
    wall.get_by_role("button", name="Reopen", exact=True).click()
    at_question(late, 1)
    late.locator("[class*=st-key-guess_] input[type=range]").focus()
    late.keyboard.press("ArrowLeft")
    late.get_by_role("button", name="Send my guess", exact=True).click()
    late.locator(".stMarkdown", has_text="Your guess is in: 99").wait_for()
    guesses[3] = 99

    # The next question moves everybody on. A process is killed, and no confirmed guess is lost.
    wall.get_by_role("button", name="Next question", exact=True).click()
    second = {2: guess(two, 2, "ArrowLeft"), 3: guess(late, 2, "Home")}
    before = {page: len(runs[page]) for page in (two, late)}
    hosted.replicas[1].process.kill()
    hosted.replicas[1].process.wait()
    for number, page in ((2, two), (3, late)):
        until_taken_over(page, "replica1", runs[page], before[page])
        page.get_by_text("Your guess is in:").wait_for()
        settle(page)
        assert confirmed(page) == second[number]
    second[1] = guess(one, 2, "End")
    counted(wall, "3 of 3 students have answered")
    wall.get_by_role("button", name="Reveal", exact=True).click()
    for page in (wall, one, two, late):
        assert f"What happens: {SECOND.outcome:g}\N{NO-BREAK SPACE}%." in alt(page)

    # The end, and the table.
    wall.get_by_role("button", name="More", exact=True).click()
    wall.get_by_role("button", name="Close the room").click()
    for page in (one, two, late):
        page.get_by_text("This room is closed.").wait_for()
    one.get_by_role("button", name="Leave the room").click()
    one.get_by_role("heading", name="Join a room").wait_for()
    wall.get_by_text("The room is closed:").wait_for()
    settle(wall)
    if not wall.get_by_role("button", name="Export the guesses (CSV)").is_visible():
        wall.get_by_role("button", name="More", exact=True).click()
    with wall.expect_download() as download:
        wall.get_by_role("button", name="Export the guesses (CSV)").click()
    with open(download.value.path(), newline="", encoding="utf-8") as file:
        rows = [(int(row["question"]), int(row["student"]), float(row["guess"]), float(row["outcome"]))
                for row in csv.DictReader(file)]  # fmt: skip
    expected = [(1, student, guesses[student], FIRST.outcome) for student in (1, 2, 3)]
    assert rows == expected + [(2, student, second[student], SECOND.outcome) for student in (1, 2, 3)]
    assert "Traceback" not in hosted.log()
