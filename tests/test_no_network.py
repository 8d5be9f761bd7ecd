"""The lab where no packet arrives anywhere: it starts, serves, refuses foreign pages, and tries to reach nobody."""

from __future__ import annotations

import json
import shutil
import subprocess
from statistics import median

import pytest

from tests import island
from tests.browser.conftest import ROOT
from tests.needs import end_without

pytestmark = pytest.mark.thorough

LOOPBACK = "0100007F"  # 127.0.0.1 as the kernel writes it


@pytest.fixture(scope="module")
def found() -> dict:
    """What happened on the island. Where there can be none tests skip and say why; on the build machine they fail."""
    missing = [tool for tool in ("unshare", "ip", "mount") if shutil.which(tool) is None]
    reason = f"the namespace without a network needs {', '.join(missing)} (Debian: util-linux, iproute2, mount)"
    if not missing:
        tried = subprocess.run([*island.command()[:-3], "true"], capture_output=True, text=True, check=False)
        reason = f"the kernel permits no namespace: {tried.stderr}" if tried.returncode else ""
    if reason:
        end_without(reason)
    done = subprocess.run(island.command(), cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_way_out_loses_packets_and_the_watch_sees_them(found):
    assert found["control"] == {"lost": True, "sent to": [island.ELSEWHERE]}


@pytest.mark.parametrize("start", ["no display", "desktop"])
def test_the_lab_starts_and_serves_and_sends_nothing(found, start):
    lab = found[start]
    assert lab["health"] == 200 and lab["received"] > 10_000, lab["log"]
    assert lab["sent to"] == [], lab["log"]


@pytest.mark.parametrize("start", ["no display", "desktop"])
def test_a_foreign_page_is_refused_and_nobody_waits(found, start):
    """A look-up of the server's own address, where packets are lost, would take 20 seconds each time."""
    lab = found[start]
    assert {status for status, _ in lab["own"]} == {101}
    assert {status for status, _ in lab["foreign"]} == {403}
    # The median of each: a busy machine may be slow once. None waits a second longer than without foreign pages.
    assert median(s for _, s in lab["foreign"]) <= median(s for _, s in lab["own"]) + 1
    assert median(lab["meanwhile"]) <= median(lab["alone"]) + 1


def test_only_this_machine_is_listened_to(found):
    assert found["no display"]["listens on"] == [LOOPBACK]


def test_a_desktop_gets_a_browser_and_no_question(found):
    desktop, server = found["desktop"], found["no display"]
    assert desktop["opened"] == f"http://localhost:{desktop['port']}/"
    assert not server["opened"]
    assert "mail" not in desktop["log"].lower()
