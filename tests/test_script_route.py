"""The route by which browsers load the components' scripts."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from starlette.applications import Starlette

from aklo.lab.components.controls import CONTROLS
from aklo.lab.components.player import PLAYER
from aklo.lab.components.registry import script_address
from aklo.lab.components.script_route import script_route
from tests.coroutines import run


def get(address: str) -> tuple[int, dict[str, str], str]:
    """Ask for an address: the status, the headers and the text of the answer."""
    url, sent = urlsplit(address), []
    scope = {
        "type": "http", "method": "GET", "path": url.path, "raw_path": url.path.encode(),
        "query_string": url.query.encode(), "headers": [], "root_path": "",
    }  # fmt: skip

    async def receive() -> dict:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict) -> None:
        sent.append(message)

    run(Starlette(routes=[script_route()])(scope, receive, send))
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], headers, b"".join(message.get("body", b"") for message in sent[1:]).decode()


@pytest.mark.parametrize("component", [CONTROLS, PLAYER], ids=lambda one: one.name)
def test_script_is_served_at_its_address_and_may_be_kept_for_good(component):
    status, headers, text = get("/" + script_address(component.entry))
    assert (status, text) == (200, component.script())
    assert headers["content-type"].startswith("text/javascript")
    assert "immutable" in headers["cache-control"]


def test_script_asked_for_by_another_version_of_the_lab_is_not_kept():
    status, headers, text = get(f"/scripts/{PLAYER.entry}?v=0123456789abcdef")
    assert (status, text, headers["cache-control"]) == (200, PLAYER.script(), "no-store")


@pytest.mark.parametrize("path", ["nothing.js", "registry.py", "../registry.py", "../../../app.py", "player", ""])
def test_nothing_but_scripts_is_served(path: str):
    assert get(f"/scripts/{path}")[0] == 404
