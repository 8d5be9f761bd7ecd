"""The server forgets a visitor: it was started again, or the visitor was away for longer than it remembers.

The page finds the server again, and the next move is obeyed, also on a page where nothing was touched before.
"""

from __future__ import annotations

import contextlib
import re
import socket
import threading
import urllib.request
from pathlib import Path

import pytest

from tests.browser.conftest import Visitors, free_port, patient
from tests.browser.observe import FreshVisits, check_true, observe
from tests.browser.steps import arrive, control, healthy, settle, slide, until_query
from tests.browser.test_faults import CONNECTION, Mortal, connected

QUERY = "T=14&N=20&s=3&R=2&t=9"
# Page -> the control that is moved there, its key in the address, and the value after one step.
MOVES = {
    "watch": ("setting_task", "t", "10"),
    "tasks": ("setting_n_tasks", "T", "15"),
    "alpha": ("setting_n_tasks", "T", "15"),
    "compare": ("setting_n_tasks", "T", "15"),
    "transfer": ("setting_n_tasks", "T", "15"),
    "world": ("setting_n_tasks", "T", "15"),
    "theory": ("setting_n_examples", "N", "21"),
    "data": ("setting_n_tasks", "T", "15"),
}


class Line:
    """A line to a server that can be cut and mended: it passes on what comes to a port of its own."""

    def __init__(self, server: int) -> None:
        self.server, self.port = server, free_port()
        self.sockets: list[socket.socket] = []
        self.mend()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def mend(self) -> None:
        self.sockets = [socket.create_server(("127.0.0.1", self.port))]
        threading.Thread(target=self._accept, args=(self.sockets[0],), daemon=True).start()

    def cut(self) -> None:
        for one in self.sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self, listening: socket.socket) -> None:
        with contextlib.suppress(OSError):  # it was cut
            while True:
                browser, _ = listening.accept()
                server = socket.create_connection(("127.0.0.1", self.server))
                self.sockets += [browser, server]
                for ends in ((browser, server), (server, browser)):
                    threading.Thread(target=self._pass, args=ends, daemon=True).start()

    @staticmethod
    def _pass(source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def visitors(chromium):
    """Visitors whose consoles are full of refused connections, which are meant here; anything else is wrong."""
    made = Visitors(chromium)
    yield made
    made.close()
    assert not [wrong for wrong in made.wrong if not any(word in wrong for word in CONNECTION)]


@pytest.fixture
def tabs(visitors):
    """tabs(url) opens every page with controls, or those that are named, in a tab of its own: page -> tab."""

    def open_all(url: str, *stems: str) -> dict:
        first = visitors()
        found = {}
        for stem in stems or MOVES:
            tab = found[stem] = patient(first.context.new_page()) if found else first
            tab.set_viewport_size({"width": 1366, "height": 900})
            arrive(tab, f"{url}/{stem}?{QUERY}")
        return found

    return open_all


@pytest.fixture
def mortal(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL", "1")
    server = Mortal(Path(__file__).parents[2] / "app.py", tmp_path / "log.txt")
    yield server
    server.stop()


def says(page, text: str) -> None:
    """Until the page says so in words."""
    page.get_by_role("status").get_by_text(text).wait_for(timeout=15_000)


def move(page, stem: str) -> None:
    """Move a control by one: address, control and picture follow."""
    key, name, value = MOVES[stem]
    before = observe(page)
    slide(page, key, "ArrowRight")
    until_query(page, **{name: value})
    after = observe(page)
    assert after.controls[key] == value, stem
    assert after.numbers != before.numbers or stem == "data", stem  # which has no picture of the stream
    assert {k: v for k, v in after.query.items() if k != name} == {k: v for k, v in before.query.items() if k != name}
    healthy(page)


def events(url: str) -> dict[str, int]:
    """How often visitors have come ("connect"), gone ("disconnect") and been recognised ("reconnect")."""
    with urllib.request.urlopen(f"{url}/_stcore/metrics?families=session_events", timeout=10) as answer:
        found = re.findall(r'^session_events_total\{type="(\w+)"\} (\d+)', answer.read().decode(), re.M)
    return {name: int(number) for name, number in found}


@pytest.mark.thorough
def test_after_a_restart_the_first_move_is_obeyed(mortal, tabs):
    pages = tabs(mortal.url)
    mortal.kill()
    for page in pages.values():
        says(page, "The lab's server cannot be reached.")
    mortal.revive()
    for page in pages.values():
        connected(page)
        says(page, "The server is back.")
    for stem, page in pages.items():
        settle(page)
        move(page, stem)


@pytest.mark.thorough
def test_after_a_long_cut_the_first_move_is_obeyed(mortal, tabs):
    """Longer than the server remembers a visitor who is gone, which is a second here and two minutes by default."""
    line = Line(mortal.port)
    try:
        pages = tabs(line.url)
        line.cut()
        for page in pages.values():
            says(page, "The lab's server cannot be reached.")
        pages["watch"].wait_for_timeout(2500)  # until the server has forgotten
        before = events(mortal.url)
        line.mend()
        for page in pages.values():
            connected(page)
            says(page, "The server is back.")
        after = events(mortal.url)
        assert after["reconnect"] == before["reconnect"] == 0  # it recognised none of them
        assert after["connect"] == before["connect"] + len(pages)
        for stem, page in pages.items():
            settle(page)
            move(page, stem)
    finally:
        line.cut()


@pytest.mark.thorough
def test_a_slider_moved_while_the_server_is_away_is_obeyed_when_it_is_back(mortal, tabs):
    """What is seen in the end is what a fresh visit sees."""
    pages = tabs(mortal.url, "watch", "compare", "tasks")
    fresh = FreshVisits(pages["watch"].context.new_page(), {})
    fresh.tab.set_viewport_size({"width": 1366, "height": 900})
    for page in pages.values():
        observe(page)  # charts have come, too, before the server goes
    mortal.kill()
    for stem, page in pages.items():
        connected(page, False)
        control(page, MOVES[stem][0]).locator("input[type=range]").focus()
        for _ in range(2):
            page.keyboard.press("ArrowRight")
    mortal.revive()
    for stem, page in pages.items():
        connected(page)
        key, name, value = MOVES[stem]
        until_query(page, **{name: str(int(value) + 1)})
        assert check_true(page, fresh).controls[key] == str(int(value) + 1)
        slide(page, key, "ArrowRight")  # and the next move, too
        until_query(page, **{name: str(int(value) + 2)})
        healthy(page)


@pytest.mark.thorough
def test_pictures_changed_while_the_server_is_away_are_obeyed_when_it_is_back(mortal, tabs):
    """The clip in the picture of alpha, the player's method, and the sandbox's."""
    pages = tabs(mortal.url, "alpha", "watch", "world")
    for page in pages.values():
        observe(page)
    mortal.kill()
    for page in pages.values():
        connected(page, False)
    pages["alpha"].get_by_label("Clip", exact=True).select_option("sum")
    for stem in ("watch", "world"):
        pages[stem].get_by_label("Method", exact=True).select_option("TOL")
    mortal.revive()
    fresh = FreshVisits(pages["watch"].context.new_page(), {})
    fresh.tab.set_viewport_size({"width": 1366, "height": 900})
    for stem, expected in (("alpha", {"c": "sum"}), ("watch", {"m": "TOL"}), ("world", {"m": "TOL"})):
        connected(pages[stem])
        until_query(pages[stem], **expected)
        check_true(pages[stem], fresh)
