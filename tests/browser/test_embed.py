"""The lab in a frame of another page, such as a learning platform."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.browser.conftest import ARGUMENTS, Visitors, chromium_path
from tests.browser.steps import arrive, settle
from tests.browser.test_network import POLICY, under_policy

pytestmark = pytest.mark.thorough

PLAYER = "[data-aklo=player]"
# Whether nothing has to be scrolled in the frame.
WHOLE = """() => [document.documentElement, document.querySelector('[data-testid=stMain]')].every(
  (e) => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight)"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A site of another origin: its address, and the folder that it serves."""
    folder = tmp_path_factory.mktemp("platform")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", folder
        server.shutdown()


def framed(code: str, folder: Path, name: str = "course.html") -> str:
    """Write a page of the platform with a frame; gives its path."""
    head = '<!doctype html><html lang="en"><title>A course</title><link rel="icon" href="data:,">'
    text = f"{head}<h1>A course</h1>{code}"
    (folder / name).write_text(text, encoding="utf-8")
    return name


def test_embed_code_plays_in_a_frame_of_another_origin(visitor, serve, platform):
    page, (site, folder) = visitor(fresh=True), platform
    arrive(page, f"{serve('app.py')}/watch?T=15&N=60&t=9&i=5&m=ITOL")
    page.locator(f"{PLAYER}[data-t='5']").wait_for()
    page.get_by_role("button", name="Share", exact=True).click()
    code = page.get_by_label("Embed code").input_value()
    page.goto(f"{site}/{framed(code, folder)}")
    assert site not in serve("app.py")
    element = page.locator("iframe")
    box = element.bounding_box()
    assert (box["width"], box["height"]) == (1100, 620)
    frame = element.content_frame
    player = frame.locator(PLAYER)
    frame.locator(f"{PLAYER}[data-t='5'][data-task='9']").wait_for()
    inside = next(one for one in page.frames if "embed=true" in one.url)
    settle(inside)
    for part in ("stSidebar", "stHeader", "stHeading"):
        assert not frame.get_by_test_id(part).is_visible(), part
    assert frame.locator("[data-aklo=control][data-name^=setting_]").count() == 0
    assert frame.get_by_role("button", name="Share", exact=True).count() == 0
    inside.wait_for_function(WHOLE)
    player.get_by_role("button", name="Play", exact=True).click()
    frame.locator(f"{PLAYER}[data-t='60'][data-state=paused]").wait_for()
    inside.wait_for_function("new URLSearchParams(location.search).get('i') === '60'")  # the server has heard of it
    assert "embed=true" in inside.url
    inside.wait_for_function(WHOLE)


def test_embedded_page_shows_the_controls_that_the_link_lists(visitor, serve):
    page = visitor(width=1100, height=620)
    page.goto(f"{serve('app.py')}/watch?embed=true&show=task,lam&T=15&N=60&t=9")
    page.locator(f"{PLAYER}[data-task='9']").wait_for()
    settle(page)
    assert page.locator("[data-aklo=control][data-name^=setting_]").count() == 2
    page.get_by_role("slider", name="Task").focus()
    page.keyboard.press("ArrowRight")
    page.locator(f"{PLAYER}[data-task='10']").wait_for()
    page.get_by_role("slider", name="Lambda").wait_for()
    page.wait_for_function(WHOLE)


@pytest.mark.parametrize(
    "path", ["", "watch", "tasks", "alpha", "compare", "transfer?d=conflict", "transfer?d=syn1", "theory"]
)
def test_embedded_page_shows_its_picture_alone_without_scrolling(visitor, serve, path):
    page = visitor(width=1100, height=620)
    page.goto(f"{serve('app.py')}/{path}{'&' if '?' in path else '?'}embed=true&T=8&N=30&t=5&R=2")
    picture = page.locator(".st-key-picture")
    picture.locator("[data-aklo]").first.wait_for()
    settle(page)
    page.wait_for_function(WHOLE)
    assert picture.bounding_box()["height"] > 200
    outside = page.locator(".stMain .stElementContainer:not(.st-key-picture *)")
    assert [e.inner_text() for e in outside.all() if e.is_visible() and e.inner_text().strip()] == []


def test_embedded_page_still_says_what_is_wrong_with_a_link(visitor, serve):
    page = visitor(width=1100, height=620)
    page.goto(f"{serve('app.py')}/watch?embed=true&T=8&N=30&t=99")
    page.get_by_text("Task 99 does not exist in this stream").wait_for()


@pytest.mark.parametrize("named", [False, True])
def test_policy_lets_the_named_platforms_frame_the_lab(chromium, serve, platform, named):
    """assets/content-security-policy.txt forbids foreign frames, and allows those of an origin that is added to it."""
    site, folder = platform
    policy = POLICY.replace("frame-ancestors 'self'", f"frame-ancestors 'self' {site}") if named else POLICY
    framed(f'<iframe src="{serve("app.py")}/watch?embed=true&T=8&N=30&t=5" width="1100" height="620"></iframe>', folder)
    more = "--disable-features=LocalNetworkAccessChecks"  # the documents come from this test, not from the server
    browser = chromium.browser_type.launch(executable_path=chromium_path(), args=[*ARGUMENTS, more])
    visitors = Visitors(browser)
    page = visitors()
    page.route("**/watch?*", under_policy(policy))
    frame = page.locator("iframe").content_frame
    if named:
        page.goto(f"{site}/course.html")
        frame.locator(f"{PLAYER}[data-task='5']").wait_for()
    else:
        with page.expect_console_message(lambda message: "frame-ancestors" in message.text):
            page.goto(f"{site}/course.html")
        assert frame.locator(PLAYER).count() == 0
    visitors.close()
    browser.close()
    refused = [words for words in visitors.wrong if "frame-ancestors" in words]
    assert bool(refused) != named and visitors.wrong == refused
