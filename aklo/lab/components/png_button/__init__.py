"""A button that saves the current pictures of all components on the page as one PNG file."""

from __future__ import annotations

from aklo.lab.components.registry import Component

_BUTTON = Component("aklo_png_button", "png_button/png_button.js", ("shared/button.css",))


def png_button() -> None:
    """Show the button. It is hidden on a page without components that can be saved."""
    _BUTTON(key="camera")
