"""A button that saves what the page's components show as one PNG. It needs the browser, so it is a small component."""

from __future__ import annotations

from aklo.lab.components.registry import Component

_BUTTON = Component(
    "aklo_png_button",
    "png_button/png_button.js",
    ("shared/button.css",),
    html='<button type="button" title="What moves on this page, as it is shown now">Picture (PNG)</button>',
)


def png_button() -> None:
    """Show the button; it hides itself on a page without pictures of ours."""
    _BUTTON(key="camera")
