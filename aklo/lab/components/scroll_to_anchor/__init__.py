"""Keeps the heading that a link leads to in view while the page is still being drawn. The component shows nothing."""

from __future__ import annotations

from aklo.lab.components.registry import Component

_ANCHOR = Component("aklo_anchor", "scroll_to_anchor/scroll_to_anchor.js", html="<span></span>")


def scroll_to_anchor() -> None:
    """Scroll to the address's anchor, and again whenever the page moves it away."""
    _ANCHOR(key="anchor")
