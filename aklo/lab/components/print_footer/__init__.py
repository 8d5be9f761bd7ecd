"""The last lines of a printed page: the settings in force, and the link. It also fits the pictures to the paper."""

from __future__ import annotations

from aklo.lab.components.registry import Component, to_bytes

_FOOTER = Component("aklo_print_footer", "print_footer/print_footer.js", ("print_footer/print_footer.css",))


def print_footer(settings: str) -> None:
    """Draw the line, which is seen on paper only (assets/print.css). settings: those in force, in words."""
    _FOOTER(key="print_footer", data=to_bytes({"settings": settings}))
