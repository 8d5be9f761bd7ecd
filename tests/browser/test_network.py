"""Nothing leaves this machine: what the browser asks for, what the server connects to, cookies, content security."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from aklo.lab.frame.page import ASSETS
from tests.browser.conftest import ARGUMENTS, ROOT, Server, Visitors, chromium_path
from tests.browser.steps import PAGES, choose_page, healthy

pytestmark = pytest.mark.thorough

SMALL = "T=6&N=20&t=3&R=2"
POLICY = " ".join((ASSETS / "content-security-policy.txt").read_text(encoding="utf-8").split())


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory):
    """A server that is refused every connection to elsewhere, and the file with those that it tried."""
    place = tmp_path_factory.mktemp("guard")
    tried = place / "tried.txt"
    before = {name: os.environ.get(name) for name in ("PYTHONPATH", "AKLO_GUARD")}
    guard = str(Path(__file__).parent / "guard")
    os.environ |= {"AKLO_GUARD": str(tried), "PYTHONPATH": os.pathsep.join(filter(None, [guard, before["PYTHONPATH"]]))}
    try:
        server = Server(ROOT / "app.py", place / "log.txt")
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
    yield server, tried
    server.stop()


def under_policy(policy: str = POLICY) -> Callable[[Any], None]:
    """A route that gives a document the header that a proxy is to give it."""

    def answer(route) -> None:
        found = route.fetch()
        route.fulfill(response=found, headers={**found.headers, "content-security-policy": policy})

    return answer


@pytest.fixture
def strict(chromium):
    """A visitor whose browser takes a document that the test hands it for the server's own."""
    more = "--disable-features=LocalNetworkAccessChecks"
    browser = chromium.browser_type.launch(executable_path=chromium_path(), args=[*ARGUMENTS, more])
    visitors = Visitors(browser)
    page = visitors()
    yield page
    page.unroute_all(behavior="ignoreErrors")  # what is still asked for is given up with the page
    visitors.close()
    browser.close()
    assert not visitors.wrong, "\n".join(visitors.wrong)  # what the policy forbids stands in the console


def test_every_page_keeps_to_its_own_origin(strict, guarded):
    page, (server, tried) = strict, guarded
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    page.route(lambda url: not urlsplit(url).path.startswith(("/_stcore", "/static", "/media")), under_policy())
    hostile = quote("![seen](https://example.invalid/seen.png) <img src=https://example.invalid/x>")
    done = page.locator("[data-testid=stApp][data-test-script-state=notRunning]")  # the policy forbids to ask by script
    page.goto(f"{server.url}/?{SMALL}&m={hostile}")
    for label, path in PAGES.items():  # by the menu, which is quicker; the policy is the document's and stays
        choose_page(page, label)
        done.wait_for()
        assert urlsplit(page.url).path == f"/{path}"
        healthy(page)
        page.wait_for_timeout(300)  # for what is asked for last
    page.goto(f"{server.url}/watch?{SMALL}&m={hostile}")  # and by an address of its own
    page.locator("h1").first.wait_for()
    done.wait_for()
    healthy(page)
    own = urlsplit(server.url).netloc
    foreign = {url for url in asked if urlsplit(url).scheme not in ("data", "blob") and urlsplit(url).netloc != own}
    assert len(asked) > 50 and not foreign
    assert set(tried.read_text(encoding="utf-8").splitlines()) == {"on guard"}  # the server, and who works for it
    cookies = {cookie["name"]: cookie for cookie in page.context.cookies()}
    assert set(cookies) <= {"_streamlit_xsrf"}
    assert all(cookie["sameSite"] == "Lax" for cookie in cookies.values())


def test_the_guard_would_have_seen_it(tmp_path):
    """A guard that lets all pass proves nothing."""
    tried = tmp_path / "tried.txt"
    words = "import urllib.request as u\ntry: u.urlopen('http://192.0.2.1/', timeout=1)\nexcept OSError: print('no')"
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent / "guard"), "AKLO_GUARD": str(tried)}
    done = subprocess.run([sys.executable, "-c", words], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "no\n" and "192.0.2.1" in tried.read_text(encoding="utf-8")


def test_another_origin_is_refused(guarded):
    server, tried = guarded
    address = f"ws://{urlsplit(server.url).netloc}/_stcore/stream"
    with connect(address, origin=server.url, proxy=None):
        pass
    with pytest.raises(InvalidStatus) as refused, connect(address, origin="https://example.invalid", proxy=None):
        pass
    assert refused.value.response.status_code == 403
    assert set(tried.read_text(encoding="utf-8").splitlines()) == {"on guard"}  # nobody was asked who this server is
