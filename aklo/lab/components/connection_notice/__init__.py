"""Tells a visitor when the server cannot be reached, and when it is back. The component itself shows nothing."""

from __future__ import annotations

from aklo.lab.components.registry import Component

_NOTICE = Component("aklo_connection_notice", "connection_notice/connection_notice.js", html="<span></span>")


def connection_notice() -> None:
    """Watch the connection; to be called once on each page."""
    _NOTICE(key="connection_notice")
