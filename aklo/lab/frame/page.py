"""The frame of every page: `with page("watch", sections) as settings`.

A page is drawn from top to bottom whenever a visitor moves something: read the settings, compute, draw. The settings in
force are one object in the session, and the same in the address.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import streamlit as st
from streamlit.elements.lib.mutable_popover_container import PopoverContainer

from aklo.lab.components.connection_notice import connection_notice
from aklo.lab.components.share_button import share_button
from aklo.lab.export.menu import export_button, export_menu
from aklo.lab.frame import sidebar
from aklo.lab.frame.navigation import PAGES
from aklo.lab.server.tuning import tune
from aklo.lab.server.turns import turn
from aklo.lab.session import control_keys, exports, state, url
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import escape_markdown

ASSETS = Path(__file__).parents[3] / "assets"


@contextmanager
def page(
    stem: str,
    sections: Sequence[str] = (),
    *,
    title: str = "",
    question: str = "",
    place: str = "",
    anchors: bool = False,
) -> Iterator[Settings]:
    """Draw a page's frame around what the page draws. The sidebar comes last, since people wait for the picture.

    Parameters
    ----------
    stem
        The name of the page's script, as in `PAGES`.
    sections
        The sections of the sidebar: names in SECTIONS.
    title, question
        Over the page, where they are not those of the menu.
    place
        The name of a parameter of the page's own in the address; `url.place` reads and `url.go` writes it.
    anchors
        Whether links lead to places within the page, as in glossary#alpha. An address without settings is then left as
        it is, since writing it would drop the anchor.
    """
    tune()
    with turn():
        about = PAGES[stem]
        title, question = title or about.name, question or about.question
        st.set_page_config(page_title=f"{title} · AKLO Lab", page_icon=str(ASSETS / "icon.svg"), layout="wide")
        notes = url.read(place)
        url.write(place, keep_bare=anchors)
        settings = state.settings()
        control_keys.enter(stem)
        exports.begin(settings)
        st.html(ASSETS / "lab.css")
        st.logo(ASSETS / "logo.svg", size="large", icon_image=ASSETS / "icon.svg")
        with st.sidebar:
            below = st.container()
        menu = _header(title, question, bool(sections))
        for note in notes:
            st.caption(f":material/info: {escape_markdown(note)}")
        yield settings
        with below:
            sidebar.draw(sections)
        export_menu(menu, stem, title)
        connection_notice()


def _header(title: str, question: str, has_controls: bool) -> PopoverContainer:
    """The page's name and question, Undo and Redo, Export and Share. Returns the export menu, still empty."""
    heading, buttons = st.columns([7, 5], vertical_alignment="center")
    heading.title(title, anchor=False)
    heading.caption(question)
    with buttons.container(key="header_buttons", horizontal=True, horizontal_alignment="right", gap="xsmall"):
        if has_controls:
            st.button(
                "Undo", key="undo", icon=":material/undo:", on_click=state.undo, disabled=not state.can_undo(),
                help="Take the last change of a setting back, whatever made it.",
            )  # fmt: skip
            st.button(
                "Redo", key="redo", icon=":material/redo:", on_click=state.redo, disabled=not state.can_redo(),
                help="Make the change again that was taken back.",
            )  # fmt: skip
        menu = export_button()
        share_button()
    return menu


def table(name: str, frame: pd.DataFrame, styled: object = None) -> None:
    """Draw a table, and offer it in the export menu. styled: the same, as it is to be drawn."""
    st.table(frame if styled is None else styled)
    exports.table(name, frame)
