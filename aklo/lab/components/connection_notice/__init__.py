"""A notice that is shown while the server cannot be reached. The component itself is invisible."""

from __future__ import annotations

from aklo.lab.components.registry import Component

_NOTICE = Component("aklo_connection_notice", "connection_notice/connection_notice.js", html="<span></span>")


def connection_notice() -> None:
    """Watch the connection to the server. Call it once on each page."""
    _NOTICE(key="connection_notice")
