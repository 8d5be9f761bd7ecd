"""An invisible component that looks after the window.

It shows a notice while the server cannot be reached, and runs the page anew when it is back.
"""

from __future__ import annotations

from aklo.lab.components.registry import Component

_WATCH = Component("aklo_window_watch", "window_watch/window_watch.js", html="<span></span>")


def window_watch() -> None:
    """Look after the window. Call it once on each page."""
    _WATCH(key="window_watch", on_back_change=lambda: None)
