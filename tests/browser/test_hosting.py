"""Two replicas behind nginx, as README's section "On a server" has them: pages, uploads, foreign pages, restarts."""

from __future__ import annotations

import socket
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from aklo.readers.examples import tastes_csv
from tests.browser.conftest import Visitors
from tests.browser.steps import PAGES, arrive, choose_page, go_to, healthy, settle, slide, until_query, whole_runs
from tests.browser.test_data import drop
from tests.browser.test_faults import CONNECTION
from tests.browser.test_lab import PLAYER
from tests.hosting import Hosted, behind_nginx

pytestmark = pytest.mark.thorough

SMALL = "T=14&N=20&s=3&R=2&t=9"
COOKIE = "aklo_replica"


hosted = pytest.fixture(scope="module")(behind_nginx)


def guest(visitors: Visitors, hosted: Hosted, replica: str = "", **options):
    """A visitor with an empty browser, or one who was on that replica before."""
    page = visitors(fresh=True, **options)
    if replica:
        page.context.add_cookies([{"name": COOKIE, "value": replica, "url": hosted.url}])
    return page


def replica_of(page) -> str:
    return next((cookie["value"] for cookie in page.context.cookies() if cookie["name"] == COOKIE), "")


def until_taken_over(page, replica: str, runs: list[int], before: int) -> None:
    """Until that replica has sent the visitor the whole page: before that, it does not know what a control belongs to.

    runs, before: see `whole_runs`; how many there were when the visitor's own replica was stopped.
    """
    until = time.monotonic() + 60
    while replica_of(page) != replica or len(runs) <= before:
        assert time.monotonic() < until, f"on {replica_of(page)}, {len(runs) - before} pages since"
        page.wait_for_timeout(100)
    settle(page)


def large_csv() -> bytes:
    """A file larger than nginx takes by default, which is 1 MB."""
    header, *rows = tastes_csv().splitlines(keepends=True)
    return header + b"".join(rows * (1_500_000 // len(tastes_csv()) + 1))


@pytest.mark.parametrize("base", ["", "lab"])
def test_every_page_opens_under_the_policy(hosted, chromium, base):
    """At the root of the site; and below a path (baseUrlPath), with frame ancestors of the host's own."""
    framed_by = "'self' https://moodle.example.org" if base else "'self'"
    place = Hosted(1, frame_ancestors=framed_by, STREAMLIT_SERVER_BASE_URL_PATH=base) if base else hosted
    visitors = Visitors(chromium)
    try:
        page = guest(visitors, place)
        done = page.locator("[data-testid=stApp][data-test-script-state=notRunning]")  # scripts may not ask: the policy
        answer = page.goto(f"{place.url}/?{SMALL}")
        assert answer.headers["content-security-policy"].endswith(f"; frame-ancestors {framed_by}")
        for label, path in PAGES.items():
            choose_page(page, label)
            done.wait_for()
            assert urlsplit(page.url).path.rstrip("/") == f"{base and '/'}{base}/{path}".rstrip("/")
            healthy(page)
        page.goto(f"{place.url}/data")
        drop(page, ("tastes.csv", large_csv()))
        page.get_by_text("Read: 16 tasks").wait_for()
        assert {cookie["name"] for cookie in page.context.cookies()} == {COOKIE, "_streamlit_xsrf"}
        assert not visitors.wrong, "\n".join(visitors.wrong)
        assert "temporary file" not in place.errors()  # nothing of the upload came to this machine's disk
    finally:
        visitors.close()
        if place is not hosted:
            place.stop()


def handshake(hosted: Hosted, origin: str) -> tuple[int, bytes]:
    """Open a websocket by the site's public name, from a page of that origin: the answer's status and text."""
    line = socket.create_connection(("127.0.0.1", hosted.port))
    try:
        with connect("ws://lab.example.org/_stcore/stream", sock=line, origin=origin, proxy=None, open_timeout=60):
            return 101, b""
    except InvalidStatus as refused:
        return refused.response.status_code, refused.response.body
    finally:
        line.close()


def test_foreign_pages_are_refused_by_the_proxy(hosted):
    assert handshake(hosted, "http://lab.example.org") == (101, b"")
    assert handshake(hosted, "https://lab.example.org")[0] == 101  # something before nginx may have ended TLS
    for origin in ("https://example.invalid", "null", "https://lab.example.org.example.invalid"):
        status, text = handshake(hosted, origin)
        assert status == 403 and b"nginx" in text  # which says so itself: no replica was asked


def test_metrics_are_closed(hosted):
    with pytest.raises(urllib.error.HTTPError) as closed:
        urllib.request.urlopen(f"{hosted.url}/_stcore/metrics", timeout=60)
    closed.value.close()
    assert closed.value.code == 404


def test_newcomers_are_shared_out_and_stay(hosted):
    def first(cookie: str = "") -> str:
        request = urllib.request.Request(hosted.url, headers={"Cookie": cookie})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.headers.get("Set-Cookie", "").partition(";")[0]

    assert {first() for _ in range(40)} == {f"{COOKIE}=replica1", f"{COOKIE}=replica2"}
    assert first(f"{COOKIE}=replica1") == ""
    assert first(f"{COOKIE}=nobody") == ""  # the websocket will tell


def test_scripts_are_compressed(hosted):
    def size(path: str, *, encoding: str = "gzip") -> int:
        request = urllib.request.Request(f"{hosted.url}{path}", headers={"Accept-Encoding": encoding})
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert answer.headers["Content-Encoding"] == ("gzip" if encoding == "gzip" else None)
            return len(answer.read())

    with urllib.request.urlopen(hosted.url, timeout=60) as answer:
        document = answer.read().decode()
    script = document.partition('<script type="module" crossorigin src="./')[2].partition('"')[0]
    assert script.startswith("static/js/") and script.endswith(".js")
    assert size(f"/{script}") < size(f"/{script}", encoding="identity") / 2


def test_a_rolling_restart_loses_nothing_that_was_promised(hosted, chromium):
    """Settings are in the address, and the page goes on; data of one's own stays until its replica goes."""
    visitors = Visitors(chromium)
    try:
        one = guest(visitors, hosted, "replica1", bypass_csp=True)
        two = guest(visitors, hosted, "replica2", bypass_csp=True)
        of_one, of_two = whole_runs(one), whole_runs(two)
        arrive(one, f"{hosted.url}/compare?{SMALL}")
        arrive(two, f"{hosted.url}/data")
        drop(two, ("tastes.csv", tastes_csv()))
        two.get_by_role("button", name="Use these tasks in the lab").click()
        two.get_by_text("The lab now works on your tasks").wait_for()
        two.get_by_test_id("stMain").get_by_role("link", name="Watch it learn").click()
        two.locator(f"{PLAYER}[data-task='14']").wait_for()
        settle(two)

        first, second = hosted.replicas
        before = len(of_one)
        first.stop()
        until_taken_over(one, "replica2", of_one, before)
        first.start()
        slide(one, "setting_n_tasks", "ArrowRight")
        until_query(one, T="15", N="20", s="3", R="2", t="9")
        healthy(one)
        slide(two, "setting_task", "ArrowRight")  # who was on the other one has not noticed
        two.locator(f"{PLAYER}[data-task='15']").wait_for()
        assert "d=own" in two.url and replica_of(two) == "replica2"

        # The first replica is back, and the visitor stays with the second, which holds the visit: an upload gets there.
        go_to(one, "Your own data")
        drop(one, ("tastes.csv", tastes_csv()))
        one.get_by_text("Read: 16 tasks of 60 examples").wait_for()

        before, before_two = len(of_one), len(of_two)
        second.stop()
        until_taken_over(one, "replica1", of_one, before)
        until_taken_over(two, "replica1", of_two, before_two)
        second.start()
        two.get_by_text("bring the file again").wait_for()  # it was kept in one process alone
        go_to(one, "Compare the methods")
        until_query(one, T="15", N="20", s="3", R="2", t="9")
        slide(one, "setting_n_tasks", "ArrowRight")
        until_query(one, T="16", N="20", s="3", R="2", t="9")
        healthy(one)
        assert not [wrong for wrong in visitors.wrong if not any(word in wrong for word in CONNECTION)]
        assert "Traceback" not in hosted.log()
    finally:
        visitors.close()
