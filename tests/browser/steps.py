"""What a visitor does on any page: arrive, wait, move a slider, find a chart."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from aklo.lab.content import lesson_answers, lessons
from aklo.lab.frame.navigation import PAGES as EVERY
from aklo.lab.settings.schema import read_address

LESSONS, _ = lessons.load(lesson_answers.check)
# Name in the menu -> the page's address; home is empty.
PAGES = {page.name: "" if stem == "app" else stem for stem, page in EVERY.items()}


def arrive(page, address: str, title: str | None = None) -> None:
    """Open an address and wait until it is drawn; a machine that is busy takes its time for the first."""
    page.goto(address)
    heading = page.get_by_role("heading", name=title, exact=True) if title else page.locator("h1").first
    heading.wait_for(timeout=60_000)
    settle(page)


def settle(page) -> None:
    """Until the script has run to its end."""
    page.wait_for_function("document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'")


def healthy(page) -> None:
    assert page.get_by_test_id("stException").count() == 0, page.get_by_test_id("stException").first.inner_text()


def control(page, key: str):
    """A control by its name; the key of one of Streamlit's ends with a number."""
    return page.locator(f'[data-aklo=control][data-name="{key}"], [class*="st-key-{key}-"]')


def choose_page(page, name: str) -> None:
    """Go to a page by the menu, and wait until the menu is that page's: it is drawn last."""
    page.get_by_test_id("stSidebar").get_by_role("link", name=name, exact=True).click()
    page.locator("[data-aklo=menu] [aria-current=page]", has_text=name).wait_for(state="attached")


def go_to(page, name: str) -> None:
    """Go to a page by the menu, and wait until it is drawn."""
    choose_page(page, name)
    settle(page)


def whole_runs(page) -> list[int]:
    """A list that grows by one each time when a whole page has been sent, from now on."""
    finished: list[int] = []

    def received(data: str | bytes) -> None:
        message = ForwardMsg.FromString(data) if isinstance(data, bytes) else ForwardMsg()
        ended = message.WhichOneof("type") == "script_finished"
        if ended and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
            finished.append(1)

    page.on("websocket", lambda socket: socket.on("framereceived", received))
    return finished


def travel(page, address: str) -> None:
    """Go to another page's address without loading the lab anew, as Back and Forward do."""
    before = page.locator("h1").inner_text()
    page.evaluate("address => history.pushState({}, '', address)", address)
    page.evaluate("dispatchEvent(new PopStateEvent('popstate', { state: {} }))")
    page.wait_for_function("before => document.querySelector('h1')?.innerText !== before", arg=before)
    settle(page)


def slide(page, key: str, keys: str, times: int = 1) -> None:
    """Move a slider with the keyboard."""
    control(page, key).locator("input[type=range]").focus()
    for _ in range(times):
        page.keyboard.press(keys)
    settle(page)


def until_query(page, **expected: str | None) -> None:
    """Until the address holds these parameters, None being none, and the page is drawn."""
    page.wait_for_function(
        """expected => {
          const query = new URLSearchParams(location.search);
          return Object.entries(expected).every(([name, value]) => query.get(name) === value);
        }""",
        arg=expected,
    )
    settle(page)


def press(page, name: str) -> None:
    """Press a button, and wait until the page is drawn."""
    page.get_by_role("button", name=name, exact=True).click()
    settle(page)


def mixing(page) -> dict[str, object]:
    """The schedule, clip and horizon of the page's address, as the core's functions take them."""
    settings, _ = read_address(dict(parse_qsl(urlsplit(page.url).query)))
    return {"alpha": settings.schedule, "clip": settings.clip, "horizon": settings.horizon}


def pick(page, key: str, option: str, wait: bool = True) -> None:
    """Choose from the list of a control. Streamlit's closes when the page beneath it moves, so as often as needed."""
    from playwright.sync_api import TimeoutError as TooLate  # here, so that without it the tests are skipped

    control(page, key).wait_for()
    own = control(page, key).locator("select")
    if own.count():
        own.select_option(label=option)
        if wait:
            settle(page)
        return
    found = page.get_by_role("option", name=option, exact=True)
    for _ in range(8):
        control(page, key).get_by_role("combobox").click()
        try:
            found.click(timeout=3_000)
        except TooLate:
            page.keyboard.press("Escape")
        else:
            if wait:
                settle(page)
            return
    raise AssertionError(f"{option} could not be chosen.")


def chart(page, key: str):
    """A chart, once it is drawn."""
    found = page.locator(f".st-key-{key}")
    found.locator("[data-aklo=chart] .main-svg").first.wait_for()
    return found


def look(page, part: str) -> None:
    """Choose a part of a page."""
    page.get_by_test_id("stMain").locator(".option").get_by_text(part, exact=True).click()


def fits(page) -> bool:
    """Whether nothing is wider than the screen."""
    return page.get_by_test_id("stMain").evaluate("e => e.scrollWidth <= e.clientWidth")


def choose(page, method: str) -> None:
    """Choose a method."""
    pick(page, "setting_method", method)


def share(page) -> str:
    """Open the Share dialog, copy the link, close the dialog, and give what was copied.

    The page needs the permission to read the clipboard.
    """
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Copy link", exact=True).click()
    page.get_by_text("Link copied.", exact=True).wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="hidden")
    return page.evaluate("navigator.clipboard.readText()")


def make_guess(page, lesson) -> str:
    """Guess in an open lesson: 1, or the third choice. Returns the guess in words."""
    answer = lesson_answers.ANSWERS[lesson.answer]
    if answer.choices is None:
        control(page, f"guess_{lesson.name}").get_by_role("slider").focus()
        page.keyboard.press("ArrowRight")
        return answer.say(1, lesson.settings)
    said = list(answer.choices(lesson.settings).values())[2]
    page.get_by_text(said, exact=True).first.click()
    return said


def answer_lesson(page, lesson) -> None:
    """Guess in an open lesson, commit to it, and go to the end of its answer."""
    page.get_by_role("button", name=f"Commit to “{make_guess(page, lesson)}”").click()
    page.get_by_role("button", name="Skip to the end").click()
    page.get_by_text("To keep.").wait_for()
    settle(page)


def export(page, name: str, folder: Path) -> Path:
    """Download one of the things behind "Export", when the page and the menu are drawn to their end; gives the file."""
    offer = page.get_by_role("button", name=name, exact=True)
    if not offer.is_visible():
        page.get_by_role("button", name="Export", exact=True).click()
        offer.wait_for()
    settle(page)
    with page.expect_download() as download:
        offer.click()
    return saved(download.value, folder)


def saved(download, folder: Path) -> Path:
    """Keep what was downloaded; gives the file."""
    file = folder / download.suggested_filename
    download.save_as(file)
    return file
