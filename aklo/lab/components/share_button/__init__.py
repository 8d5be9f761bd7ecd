"""The share button copies the page's address with the current view. It needs the browser: a small component."""

from __future__ import annotations

from aklo.lab.components.registry import Component

_BUTTON = Component(
    "aklo_share",
    "share_button/share_button.js",
    ("shared/button.css",),
    html='<button type="button" title="Copy a link to exactly this picture">Share</button>',
)


def share_button() -> None:
    """Show a button that copies a link to the page as it is seen now."""
    _BUTTON(key="share", width="content", on_theme_change=lambda: None)
