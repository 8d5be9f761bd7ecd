"""The frame of every page, and all that a page asks for: `shell.page`, its settings, its parts and its widgets.

One settings object lives in the session and is written to the address (address.py). A page may be made of parts
(parts.py): then a moved setting draws those that need it, the picture first, and not the whole page. The menu and the
settings stand in the sidebar (sidebar.py).
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import streamlit as st
from threadpoolctl import threadpool_limits

from aklo.lab.components.connection_notice import connection_notice
from aklo.lab.components.share_button import share_button
from aklo.lab.export.menu import takeaway
from aklo.lab.frame import fragments, sidebar
from aklo.lab.frame.fragments import begin, change, first, knobs, later, needs, note, part, replace, whole
from aklo.lab.frame.sidebar import MENU, controls, setting
from aklo.lab.server import load, theme, tidy
from aklo.lab.session import exports, visible_controls
from aklo.lab.session.url import go, place, read, settings
from aklo.lab.settings.schema import Settings, same
from aklo.lab.settings.text import escape_markdown

__all__ = [  # what a page asks for
    "ASSETS",
    "MENU",
    "begin",
    "change",
    "controls",
    "first",
    "go",
    "knobs",
    "later",
    "needs",
    "note",
    "page",
    "part",
    "place",
    "replace",
    "same",
    "setting",
    "settings",
    "whole",
]
ASSETS = Path(__file__).parents[3] / "assets"
SWITCH = 0.001  # seconds, Python's own being 0.005: for thirty visitors the slowest twentieth was 35 ms, not 44


@contextmanager
def page(
    title: str,
    question: str,
    sections: Sequence[str] = (),
    *,
    place: str = "",
    anchors: bool = False,
) -> Iterator[Settings]:
    """A page's frame around what it draws: `with page(...) as settings`. The sidebar comes last, since the picture is
    what people wait for.

    title: the page's name; question: the one it answers, shown under the title; sections: of the sidebar, names in
    SECTIONS; place: a word of the page's own in the address, which `place()` reads and `go()` writes; anchors: whether
    links lead to places within it, as in glossary#alpha. An address without settings is then left as it is, since to
    write it would drop the anchor.
    """
    _prepare()
    load.came()
    st.set_page_config(page_title=f"{title} · AKLO Lab", page_icon=str(ASSETS / "icon.svg"), layout="wide")
    st.session_state.update(place=place, anchors=anchors, sections=sections)
    settings = read(title)
    st.html(ASSETS / "lab.css")
    st.logo(ASSETS / "logo.svg", size="large", icon_image=ASSETS / "icon.svg")
    with st.sidebar:
        menu, knobs_below = st.container(), st.container()
    fragments.begin_page()
    heading, away, share = st.columns([9, 2, 2], vertical_alignment="bottom")
    heading.title(title, anchor=False)
    heading.caption(question)
    with away:
        takeaway(title)
    with share:
        share_button()
        connection_notice()
    exports.forget()
    for word in st.session_state.pop("notes", []):
        st.caption(f":material/info: {escape_markdown(word)}")
    try:
        yield settings
    finally:
        in_parts = fragments.end_page()
        with menu:
            sidebar.menu(settings)
            visible_controls.way_out()
        with knobs_below:
            (_sidebar if in_parts else sidebar.draw)()


_sidebar = knobs(sidebar.draw)


@cache
def _prepare() -> None:
    """Once, when all is imported: spare every later garbage collection the libraries' objects; one thread for each
    product of matrices, since they are small here, and a second thread would only keep a core from the next visitor;
    let the thread that sends what was drawn have the interpreter soon, while another draws; and read the theme once."""
    threadpool_limits(1)
    theme.read_once()
    sys.setswitchinterval(SWITCH)
    gc.collect()
    gc.freeze()
    tidy.begin()
