"""A teacher's own question, about any page of the lab: asked by its link, and answered by the page itself."""

from __future__ import annotations

import re

import pytest

from tests.browser.conftest import ARGUMENTS, Visitors, chromium_path
from tests.browser.steps import arrive, chart, fits, healthy, settle
from tests.browser.test_network import under_policy

BOARD = "[data-aklo=room]"
PLANE = "[data-aklo=world]"


@pytest.fixture
def visitors(chromium):
    """People whose browsers hold the lab to the policy that a proxy gives it."""
    more = "--disable-features=LocalNetworkAccessChecks"  # the documents come from this test, not from the server
    browser = chromium.browser_type.launch(executable_path=chromium_path(), args=[*ARGUMENTS, more])
    made = Visitors(browser)
    yield made
    made.close()
    browser.close()
    assert not made.wrong, "\n".join(made.wrong)  # what the policy forbids stands in the console


def ask(wall, link: str, text: str) -> None:
    """Fill the form for a choice in, and send it."""
    form = wall.get_by_test_id("stForm").filter(has=wall.get_by_label("Choices", exact=True))
    if not form.is_visible():
        wall.get_by_role("button", name="A question of your own").click()
        wall.get_by_role("tab", name="A choice").click()
    form.get_by_label("Link", exact=True).fill(link)
    form.get_by_label("Question", exact=True).fill(text)
    form.get_by_label("Choices", exact=True).fill("+1\n−1")
    form.get_by_label("Right choice", exact=True).fill("2")
    form.get_by_role("button", name="Ask the room").click()


@pytest.mark.thorough
def test_a_question_about_the_sandbox_is_revealed_by_the_page_itself(visitors, serve):
    base = serve("app.py")
    wall, student = visitors(width=1366, height=768), visitors(width=390, height=844, has_touch=True)
    for page in (wall, student):
        page.route(re.compile(r"/(room|world)\?"), under_policy())
    arrive(wall, f"{base}/room")
    wall.get_by_role("button", name="Open a room").click()
    code = wall.locator(f"{BOARD} .code").inner_text()
    student.goto(f"{base}/room?room={code}")
    student.get_by_text(f"You are in the room {code}").wait_for()

    # A link to elsewhere gets a sentence, and the room stays where it is.
    ask(wall, "https://evil.example/world?T=5", "Which label?")
    wall.get_by_text(f"The link does not lead to this lab, which is at {base}").wait_for()
    settle(wall)
    ask(wall, f"{base}/world?T=5&N=20&s=3&t=4&show=alpha&teacher=x", "Which label?")
    student.get_by_text("Which label?").wait_for()
    student.get_by_text("−1", exact=True).click()
    student.get_by_role("button", name="Send my guess", exact=True).click()
    student.get_by_text("Your guess is in:").wait_for()

    # Reveal: the page itself on both screens, in that state, and whole in a tab of its own.
    wall.get_by_role("button", name="Reveal", exact=True).click()
    for page in (wall, student):
        frame = page.frame_locator(".st-key-room_picture iframe")
        frame.locator(PLANE).wait_for()
        assert frame.locator("[data-testid=stSidebar]").count() == 0
        source = page.locator(".st-key-room_picture iframe").get_attribute("src")
        assert source == f"{base}/world?v=2&d=syn1&T=5&N=20&s=3&t=4&embed=true"
        assert "What happens: −1" in chart(page, "room_guesses").locator("[role=img]").first.get_attribute("aria-label")
        assert fits(page)
        healthy(page)
    with student.context.expect_page() as opened:
        student.get_by_role("link", name="Open “Sandbox” in a tab").click()
    assert opened.value.url.split("?")[1] == "v=2&d=syn1&T=5&N=20&s=3&t=4"
    opened.value.locator(PLANE).wait_for()

    # The room goes on around it.
    wall.get_by_role("button", name="Hide", exact=True).click()
    student.get_by_text("The guessing has ended").wait_for()
