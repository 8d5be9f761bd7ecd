"""Brings what stands below it into view, once. The component is invisible."""

from __future__ import annotations

from aklo.lab.components.registry import Component, to_bytes

_SCROLL = Component("aklo_scroll_into_view", "scroll_into_view/scroll_into_view.js", html="<span></span>")


def scroll_into_view(occasion: str) -> None:
    """Bring what is drawn next into view, again only for another occasion. Where it is in view, nothing moves."""
    _SCROLL(key="scroll_into_view", data=to_bytes({"occasion": occasion}))
