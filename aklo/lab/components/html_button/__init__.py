"""A button that saves the page, its texts and its pictures, as one HTML file."""

from __future__ import annotations

from aklo.lab.components.plotly_chart import library_address
from aklo.lab.components.registry import Component, to_bytes

_BUTTON = Component("aklo_html_button", "html_button/html_button.js", ("shared/button.css",))


def html_button(file: str, name: str) -> None:
    """Show the button.

    Parameters
    ----------
    file
        The HTML file with the page's pictures, as export/standalone_html.py writes it. The browser adds the texts, and
        plotly.js.
    name
        Of the file that a visitor saves.
    """
    _BUTTON(key="page_html", data=to_bytes({"file": file, "name": name, "library": library_address()}))
