"""Keeps the heading of the address's anchor in view while the page is being drawn. The component is invisible."""

from __future__ import annotations

from aklo.lab.components.registry import Component

_ANCHOR = Component("aklo_anchor", "scroll_to_anchor/scroll_to_anchor.js", html="<span></span>")


def scroll_to_anchor() -> None:
    """Scroll to the address's anchor, again after each change of the layout until the page is drawn."""
    _ANCHOR(key="anchor")
