"""The lab of the installed package, opened from a folder that has nothing to do with it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import answers, free_port
from tests.browser.steps import arrive
from tests.installed import Installed, install

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return install(tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="module")
def address(installed: Installed) -> Iterator[str]:
    """Start `aklo lab --no-browser` in an empty folder."""
    log: Path = installed.folder / "log.txt"
    for _ in range(3):  # another worker may take the port between asking for it and using it
        url = f"http://127.0.0.1:{(port := free_port())}"
        command = [installed.programs / "aklo", "lab", "--no-browser", "--address", "127.0.0.1", "--port", str(port)]
        with log.open("w") as out:
            process = subprocess.Popen(
                command, cwd=installed.folder, env=installed.env, stdout=out, stderr=subprocess.STDOUT
            )
        started = answers(url, lambda process=process: process.poll() is None)
        if started:
            break
        process.kill()
        process.wait()
    else:
        pytest.fail(log.read_text(errors="replace"))
    yield url
    process.terminate()
    assert process.wait(30) in (0, -15)  # it was Streamlit itself, which heard the signal


def test_lab_of_the_wheel_opens_three_pages(address: str, page: Page):
    """Home with its logo, the page with the player, and the lessons, which are files among the package's assets."""
    arrive(page, address, "Lifelong online learning")
    page.get_by_test_id("stSidebarLogo").wait_for()
    arrive(page, f"{address}/watch", "Watch it learn")
    page.wait_for_selector("[data-aklo=player][data-t]")
    arrive(page, f"{address}/lessons", "Lessons")
    page.get_by_role("button", name=re.compile("1 · ")).wait_for()
