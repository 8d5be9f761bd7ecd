"""The notice about the connection: the server goes away while a page is open, and comes back."""

from __future__ import annotations

import pytest

from tests.browser.conftest import ROOT, Server

BANNER = "[data-aklo-notice]"


@pytest.mark.thorough
def test_a_lost_and_a_restored_connection_are_announced(tmp_path, chromium):
    page = chromium.new_page()  # its console is full of refused connections, which are meant here
    server = Server(ROOT / "tests/browser/apps/player_server.py", tmp_path / "log.txt")
    try:
        page.goto(f"{server.url}/?scene=notice")
        page.locator("[data-aklo=player][data-t]").wait_for()
        assert not page.locator(BANNER).is_visible()
        height = page.evaluate("document.querySelector('.stMain').scrollHeight")
        server.stop()
        page.get_by_role("status").get_by_text("The lab's server cannot be reached.").wait_for(timeout=30_000)
        assert page.evaluate("document.querySelector('.stMain').scrollHeight") == height
        server = Server(ROOT / "tests/browser/apps/player_server.py", tmp_path / "log.txt", server.port)
        page.get_by_role("status").get_by_text("The server is back.").wait_for(timeout=60_000)
        page.locator(BANNER).wait_for(state="hidden", timeout=30_000)
    finally:
        server.stop()
        page.close()
