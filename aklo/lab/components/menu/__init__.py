"""The menu: links to the lab's pages, by sections.

It is one component, since every element of a page takes time at every run, on the server and in the browser, and
Streamlit's own links are one each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from aklo.lab.components.registry import Component, to_bytes
from aklo.lab.session import url

_MENU = Component("aklo_menu", "menu/menu.js", ("menu/menu.css",))


@dataclass(frozen=True)
class Link:
    """A link to a page.

    Parameters
    ----------
    name, icon : as they are shown; the icon as Streamlit names it, such as ":material/home:".
    path : the page's, below the lab's root; "" is Home.
    query : the settings that it opens with in another tab, or after a lost session, as in an address.
    """

    name: str
    icon: str
    path: str
    query: Mapping[str, str]


def menu(sections: Mapping[str, Sequence[Link]], current: str) -> None:
    """Draw the menu.

    Parameters
    ----------
    sections
        Title -> links.
    current
        The path of the page that is shown.
    """
    told = [{"title": title, "links": [_told(link) for link in links]} for title, links in sections.items()]
    _MENU(key="menu", data=to_bytes({"sections": told, "current": current, "stay": urlencode([url.STAY])}))


def _told(link: Link) -> dict[str, str]:
    icon = link.icon.removeprefix(":material/").removesuffix(":")
    return {"name": link.name, "icon": icon, "path": link.path, "query": urlencode(link.query)}
