"""The server goes away and comes back: the page finds it again, keeps its settings, and the player plays on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import ROOT, Server, Visitors, answers
from tests.browser.steps import arrive, healthy, settle, slide, until_query, whole_runs
from tests.browser.test_lab import PLAYER

pytestmark = pytest.mark.thorough

CONNECTION = ("WebSocket", "ERR_CONNECTION", "reaching server endpoint", "is not responding",
              "when disconnected from server")  # fmt: skip


class Mortal(Server):
    """A server that can be killed, and started again on its port."""

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def revive(self) -> None:
        self.process = self._start(ROOT / "app.py")
        assert answers(self.url), self.log.read_text(errors="replace")


@pytest.fixture
def mortal(tmp_path: Path):
    server = Mortal(ROOT / "app.py", tmp_path / "log.txt")
    yield server
    server.stop()


def test_the_server_dies_while_the_player_plays(chromium, mortal):
    visitors = Visitors(chromium)
    page = visitors()
    finished = whole_runs(page)
    try:
        arrive(page, f"{mortal.url}/watch?d=conflict&an=45&N=500&T=15&t=7&l=1", "Watch it learn")
        slide(page, "setting_task", "ArrowRight")
        page.locator(f"{PLAYER}[data-task='8']").wait_for()
        root = page.locator(PLAYER)
        root.get_by_role("button", name="Play", exact=True).click()
        reached(page, 5)

        mortal.kill()
        connected(page, False)
        before = at(page)
        reached(page, before + 5)  # time lives in the browser

        mortal.revive()
        connected(page)
        while len(finished) < 2:  # until then the new server does not know the page
            page.wait_for_timeout(100)
        settle(page)
        healthy(page)
        for word in ("d=conflict", "an=45", "N=500", "T=15", "t=8", "l=1"):
            assert word in page.url
        assert root.get_attribute("data-task") == "8"
        assert root.get_attribute("data-state") == "playing" and at(page) > before + 5
        reached(page, at(page) + 5)

        slide(page, "setting_task", "ArrowRight")  # and the new server answers
        page.locator(f"{PLAYER}[data-task='9']").wait_for()
        until_query(page, an="45", t="9")
        assert not [wrong for wrong in visitors.wrong if not any(word in wrong for word in CONNECTION)]
    finally:
        visitors.close()


def connected(page, yes: bool = True) -> None:
    state = "document.querySelector('[data-testid=stApp]')?.dataset.testConnectionState === 'CONNECTED'"
    page.wait_for_function(state if yes else f"!({state})", timeout=60_000)


def at(page) -> int:
    return int(page.locator(PLAYER).get_attribute("data-t"))


def reached(page, t: int) -> None:
    page.wait_for_function("([e, t]) => Number(e.dataset.t) >= t", arg=[page.locator(PLAYER).element_handle(), t])
