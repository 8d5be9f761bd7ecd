"""An invisible component through which the visitor's browser keeps a text (localStorage).

What the browser has kept is input from outside: who uses it has to check it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from aklo.lab.components.moves import sent_value
from aklo.lab.components.registry import Component, to_bytes

STORE = Component("aklo_browser_store", "browser_store/browser_store.js", html="<span></span>")


@dataclass(frozen=True)
class Kept:
    """What a browser says that it has kept.

    Attributes
    ----------
    text : not yet checked; None for nothing.
    works : whether the browser keeps anything; some do not in private windows and frames.
    by_other_tab : whether another tab has just changed it.
    """

    text: object
    works: bool
    by_other_tab: bool


def browser_store(name: str, text: str, *, longest: int, heard: bool, on_kept: Callable[[Kept], None]) -> None:
    """Let the browser keep a text under a name.

    Parameters
    ----------
    text
        What the browser is to keep from now on; "" for nothing.
    longest
        The most characters of a text that can be used. The browser sends one more of a longer text, and no more.
    heard
        Whether the browser has said in this visit what it had kept before. Until then nothing is written.
    on_kept
        Called with what the browser has kept: at the beginning of a visit, and when another tab has changed it.
    """
    key = f"store_{name}"

    def said() -> None:
        report = sent_value(key, "kept")
        if isinstance(report, dict):
            on_kept(Kept(report.get("text"), report.get("works") is True, report.get("changed") is True))

    data = {"name": name, "heard": heard, "text": text, "longest": longest}
    STORE(key=key, data=to_bytes(data), on_kept_change=said)
