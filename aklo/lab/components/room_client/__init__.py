"""The line between a screen and its room, as a Streamlit component.

The browser keeps who it is, and says so when it is asked. It asks the server every second what has changed
(server/room_status.py), shows the counts, and has the page drawn anew when the teacher has gone on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Literal
from urllib.parse import urlsplit

from aklo.lab.components.moves import sent_value
from aklo.lab.components.registry import Component, to_bytes
from aklo.lab.components.share_dialog.qr_code import qr_code
from aklo.lab.server.room_records import Counts, Room
from aklo.lab.server.web import LOOPBACK

KEY = "room_client"
_CLIENT = Component("aklo_room_client", "room_client/room_client.js", ("room_client/room_client.css",))


def room_client(
    room: Room,
    *,
    on_who: Callable[[Any], None],
    asks: bool = False,
    secret: str = "",
    size: Literal["none", "small", "large"] = "none",
    link: str = "",
    counts: Counts | None = None,
) -> None:
    """Draw it. A page has one.

    Parameters
    ----------
    room : as the page shows it. When it has another revision, the page is drawn anew.
    on_who : called with what the browser says it is, {"student": …, "secret": …}, which has to be checked.
    asks : whether to ask the browser who it is.
    secret : the teacher's, for the browser to keep.
    size : how code, link and QR code are shown, if they are.
    link : by which students join.
    counts : to begin with, until the server is asked.
    """
    large = size == "large" and bool(link)
    data = {
        "code": room.code,
        "state": room.state,
        "revision": room.revision,
        "asks": asks,
        "secret": secret,
        "size": size,
        "counts": None if counts is None else asdict(counts),
        "link": link,
        "qr": qr_code(link) if large else None,
        "local": large and (urlsplit(link).hostname or "") in LOOPBACK,
    }
    _CLIENT(
        key=KEY, data=to_bytes(data), on_news_change=lambda: None,
        on_who_change=lambda: on_who(sent_value(KEY, "who")),
    )  # fmt: skip
