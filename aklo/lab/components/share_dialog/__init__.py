"""The Share button and its dialog: a link to exactly what is seen, as text, as a QR code, and as code for a frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aklo.lab.components.moves import sent_value
from aklo.lab.components.registry import Component, to_bytes
from aklo.lab.components.share_dialog.qr_code import qr_code

KEY = "share"
_DIALOG = Component(
    "aklo_share", "share_dialog/share_dialog.js", ("shared/button.css", "share_dialog/share_dialog.css")
)


def share_dialog(title: str, controls: Mapping[str, str], shown: Sequence[str] | None) -> None:
    """Show the button. The dialog opens in the browser, and only its QR code is made here, when it is asked for.

    Parameters
    ----------
    title
        The page's, for the frame's name.
    controls
        Setting -> label, of the page's controls that a link can hide.
    shown
        The settings whose controls the link shows to begin with; None for all.
    """
    asked = sent_value(KEY, "link")  # the browser's, for one run only
    data = {
        "title": title,
        "controls": [{"name": name, "label": label} for name, label in controls.items()],
        "shown": None if shown is None else [name for name in shown if name in controls],
        "qr": None if not isinstance(asked, str) else {"link": asked, "image": qr_code(asked)},
    }
    _DIALOG(key=KEY, width="content", data=to_bytes(data), on_link_change=lambda: None, on_theme_change=lambda: None)
