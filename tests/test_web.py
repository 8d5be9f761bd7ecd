"""Who may connect to the server, and who is refused before Streamlit is asked."""

from __future__ import annotations

import pytest
import streamlit as st

from aklo.lab.server.web import Gate, is_own_origin
from tests import coroutines

HOST = "lab.example.org:8080"


@pytest.fixture
def option(monkeypatch):
    """option("server.enableCORS", False) sets one of Streamlit's options for a test."""
    given: dict[str, object] = {}
    ask = st.get_option
    monkeypatch.setattr(st, "get_option", lambda name: given.get(name, ask(name)))
    return given.__setitem__


def request(kind: str, path: str, client: str = "127.0.0.1", **headers: str) -> tuple[list[dict], list[dict]]:
    """Send a request through the gate: the messages that it answers itself, and the scopes that it passes on."""
    answered: list[dict] = []
    passed: list[dict] = []

    async def app(scope, receive, send) -> None:
        passed.append(scope)

    async def receive() -> dict:
        return {"type": f"{kind}.connect"}

    async def send(message) -> None:
        answered.append(dict(message))

    found = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": kind, "path": path, "method": "GET", "headers": found, "client": (client, 1234)}
    coroutines.run(Gate(app)(scope, receive, send))
    return answered, passed


@pytest.mark.parametrize(
    "origin", [None, f"https://{HOST}", f"http://{HOST}", "http://localhost:3000", "http://127.0.0.1"]
)
def test_own_origins_may_connect(origin):
    assert is_own_origin(origin, HOST)


@pytest.mark.parametrize(
    "origin",
    [
        "https://example.invalid",
        "https://lab.example.org",
        "null",
        "",
        "file://",
        "https://lab.example.org:8080.invalid",
    ],
)
def test_foreign_origins_may_not(origin):
    assert not is_own_origin(origin, HOST)


def test_origins_that_the_host_lists_may_connect(option):
    option("server.corsAllowedOrigins", [" https://campus.example.org ", "https://"])
    assert is_own_origin("https://campus.example.org", HOST)
    assert not is_own_origin("https://example.invalid", HOST) and not is_own_origin("null", HOST)
    option("browser.serverAddress", "example.invalid")
    assert is_own_origin("https://example.invalid", HOST)


def test_every_origin_may_connect_where_the_host_says_so(option):
    option("server.enableCORS", False)
    assert is_own_origin("https://example.invalid", HOST)


def test_a_foreign_websocket_does_not_reach_streamlit():
    answered, passed = request("websocket", "/_stcore/stream", host=HOST, origin="https://example.invalid")
    assert [message["type"] for message in answered] == ["websocket.close"] and not passed


def test_an_own_websocket_is_passed_on_without_its_origin():
    answered, passed = request("websocket", "/_stcore/stream", host=HOST, origin=f"https://{HOST}", cookie="a=b")
    assert not answered
    assert passed[0]["headers"] == [(b"host", HOST.encode()), (b"cookie", b"a=b")]


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/lab/_stcore/metrics"])
def test_metrics_are_for_this_machine_only(path):
    answered, passed = request("http", path, client="192.0.2.9")
    assert answered[0]["status"] == 404 and not passed
    assert request("http", path)[1] and request("http", "/_stcore/health", client="192.0.2.9")[1]
