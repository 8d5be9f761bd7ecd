"""The server forgets a visitor: it was started again, or the visitor was away for longer than it remembers.

The page finds the server again, and the next move is obeyed, also on a page where nothing was touched before.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from pathlib import Path

import pytest

from tests.browser.conftest import Visitors, free_port
from tests.browser.observe import observe, shows
from tests.browser.steps import arrive, control, healthy, settle, slide, until_query
from tests.browser.test_faults import CONNECTION, Mortal, connected

QUERY = "T=14&N=20&s=3&R=2&t=9"
# Page -> the control that is moved there, its key in the address, and the value after one step.
MOVES = {
    "watch": ("setting_task", "t", "10"),
    "tasks": ("setting_n_tasks", "T", "15"),
    "alpha": ("setting_task", "t", "10"),
    "compare": ("setting_n_tasks", "T", "15"),
    "transfer": ("setting_n_tasks", "T", "15"),
    "world": ("setting_n_tasks", "T", "15"),
    "theory": ("setting_n_tasks", "T", "15"),
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
    """tabs(url) opens every page with controls in a tab of its own: page -> tab."""

    def open_all(url: str) -> dict:
        first = visitors()
        found = {}
        for stem in MOVES:
            tab = found[stem] = first.context.new_page() if found else first
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


def test_after_a_restart_the_first_move_is_obeyed(mortal, tabs):
    pages = tabs(mortal.url)
    mortal.kill()
    for page in pages.values():
        says(page, "The lab's server cannot be reached.")
    away = pages.pop("watch")  # here a control is moved while nobody hears it
    control(away, "setting_task").locator("input[type=range]").focus()
    away.keyboard.press("ArrowRight")
    mortal.revive()
    for page in (away, *pages.values()):
        connected(page)
        says(page, "The server is back.")
    for stem, page in pages.items():
        settle(page)
        move(page, stem)
    task = observe(away).query["t"]  # obeyed, or not: what is shown is in force
    assert task in ("9", "10") and shows(away, "setting_task") == task
    away.locator(f"[data-aklo=player][data-task='{task}']").wait_for()
    slide(away, "setting_task", "ArrowRight")
    until_query(away, t=str(int(task) + 1))


def test_after_a_long_cut_the_first_move_is_obeyed(mortal, tabs):
    """Longer than the server remembers a visitor who is gone, which is a second here and two minutes by default."""
    line = Line(mortal.port)
    try:
        pages = tabs(line.url)
        line.cut()
        for page in pages.values():
            says(page, "The lab's server cannot be reached.")
        pages["watch"].wait_for_timeout(2500)  # until the server has forgotten, which nothing tells
        line.mend()
        for page in pages.values():
            connected(page)
            says(page, "The server is back.")
        for stem, page in pages.items():
            settle(page)
            move(page, stem)
    finally:
        line.cut()
