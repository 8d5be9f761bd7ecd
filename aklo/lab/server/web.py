"""What stands around Streamlit's web server: who may connect to it, and the browser that it opens.

`app.py` hands both to `st.App`, which `streamlit run app.py` serves.
"""

from __future__ import annotations

import asyncio
import webbrowser
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK = ("localhost", "127.0.0.1", "::1")


def is_own_origin(origin: str | None, host: str | None) -> bool:
    """Return whether a page of this origin may open a connection.

    Parameters
    ----------
    origin
        The header Origin. Programs other than browsers send none, and may connect.
    host
        The header Host: what the visitor's browser calls this server.
    """
    if origin is None or not st.get_option("server.enableCORS"):
        return True
    page = urlsplit(origin)
    listed = [urlsplit(one.strip()).hostname for one in st.get_option("server.corsAllowedOrigins")]
    names = {*LOOPBACK, st.get_option("browser.serverAddress"), *listed} - {None}
    return page.netloc == host or page.hostname in names


def route(path: str, answer: Callable[[Request], Awaitable[Response]]) -> Route:
    """Return a route below the path that the lab is served at. answer: called with a request for it."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return Route(f"{'/' if base else ''}{base}/{path}", answer, methods=["GET"])


class Gate:
    """Middleware that refuses websockets to foreign pages before Streamlit looks at them, and metrics to others.

    Streamlit refuses such websockets, too, but first asks a server on the internet for its own address, while all
    visitors wait: 20 seconds where packets are dropped, and a message to a stranger where they are not. It does so for
    the origins in `server.corsAllowedOrigins` as well; so a websocket that may connect is passed on without its origin.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "websocket":
            headers = Headers(scope=scope)
            if not is_own_origin(headers.get("origin"), headers.get("host")):
                await receive()
                await send({"type": "websocket.close", "code": 1008})  # not accepted yet: answered with 403
                return
            scope = {**scope, "headers": [(name, value) for name, value in scope["headers"] if name != b"origin"]}
        elif scope["type"] == "http" and scope["path"].endswith("/_stcore/metrics"):
            client = scope.get("client") or ("", 0)
            if client[0] not in LOOPBACK:
                await PlainTextResponse("Not found", 404)(scope, receive, send)
                return
        await self.app(scope, receive, send)


@asynccontextmanager
async def open_browser(_: object) -> AsyncIterator[None]:
    """Open the lab in this machine's browser when the server starts, unless `server.headless` says not to.

    Streamlit does this for a script, not for an `st.App`.
    """
    if not st.get_option("server.headless"):
        path = st.get_option("server.baseUrlPath").strip("/")
        address = f"http://{st.get_option('browser.serverAddress')}:{st.get_option('server.port')}/{path}"
        asyncio.get_running_loop().run_in_executor(None, webbrowser.open, address)
    yield
