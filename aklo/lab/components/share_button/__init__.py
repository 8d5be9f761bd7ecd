"""A button that copies a link to the page with its current view."""

from __future__ import annotations

from aklo.lab.components.registry import Component

_BUTTON = Component(
    "aklo_share",
    "share_button/share_button.js",
    ("shared/button.css",),
    html='<button type="button" title="Copy a link to exactly this picture">Share</button>',
)


def share_button() -> None:
    """Show the button."""
    _BUTTON(key="share", width="content", on_theme_change=lambda: None)
