"""Links to states of the lab, as a visitor pastes them: of a link only the page and the settings are kept."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from aklo.lab.server.rooms_database import Refused
from aklo.lab.session import url
from aklo.lab.settings.field import OWN
from aklo.lab.settings.schema import Settings, read_strictly
from aklo.lab.settings.text import one_line

HOME = "app"  # the page at the lab's own address, without a name of its own there
LONGEST_LINK = 2000  # characters of a link
COPY = "Copy one from Share, or from the address of a page."


def link_to(lab: str, page: str, settings: Settings, **more: str) -> str:
    """Return the link to a page with settings. lab: its address, without a slash at the end; more: of the query.

    >>> link_to("https://lab.example", "watch", Settings(task=3), embed="true")
    'https://lab.example/watch?v=2&d=syn1&s=0&t=3&embed=true'
    """
    return link(f"{lab}/{'' if page == HOME else page}", settings, **more)


def link(address: str, settings: Settings, **more: str) -> str:
    """Return the address of a page with settings. more: of the query."""
    return f"{address}?{urlencode({**settings.address(), **more}, quote_via=quote)}"


def read_link(link: str, *, lab: str, openings: Mapping[str, Settings]) -> tuple[str, Settings]:
    """Return the page and the settings that a link leads to; `Refused` says what is wrong with it.

    Parameters
    ----------
    link
        What somebody has pasted: the whole address of a page, or what follows the lab's own.
    lab
        The lab's address, as the visitor's browser has it, without a slash at the end. A link to elsewhere is refused.
    openings
        The pages that a link may lead to -> the settings with which they open where a link has none.
    """
    text = link.strip()
    if not text:
        raise Refused(f"The link is missing. {COPY}")
    if len(text) > LONGEST_LINK:
        raise Refused(f"A link has at most {LONGEST_LINK} characters; this one has {len(text)}.")
    try:
        parts, here = urlsplit(text), urlsplit(lab)
    except ValueError:
        raise Refused(f"The link cannot be read. {COPY}") from None
    if parts.scheme or parts.netloc:
        folders = {here.path}
        foreign = parts.scheme not in ("http", "https") or parts.netloc.lower() != here.netloc.lower()
    else:
        folders, foreign = {"", here.path}, False
    page = _page(parts.path, folders)
    if foreign or page is None:
        raise Refused(f"The link does not lead to this lab{f', which is at {lab}' if lab else ''}. {COPY}")
    if page not in openings:
        raise Refused(f"The link leads to {one_line(page)[:40]!r}, about which no question can be asked. {COPY}")
    query = dict(parse_qsl(parts.query))
    try:
        settings = read_strictly(query) if url.has_settings(query) else openings[page]
    except ValueError as error:
        raise Refused(f"The link is not a valid one. {error}") from None
    if settings.dataset == OWN:
        raise Refused("A question cannot be about tasks of your own: the students' screens do not have them.")
    return page, settings


def _page(path: str, folders: set[str]) -> str | None:
    """Return the page of a path, if it lies in one of the folders.

    >>> _page("/lab/watch", {"/lab"}), _page("/lab/", {"/lab"}), _page("/watch", {"/lab"})
    ('watch', 'app', None)
    """
    if path.rstrip("/") in folders:
        return HOME
    folder, _, page = path.rstrip("/").rpartition("/")
    return page if folder in folders and page != HOME else None
