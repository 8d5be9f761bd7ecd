"""The frame of every page: `with page("watch", sections) as settings`.

A page is drawn from top to bottom whenever a visitor moves something: read the settings, compute, draw. The settings in
force are one object in the session, and the same in the address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.lib.mutable_popover_container import PopoverContainer

from aklo.lab.components.print_footer import print_footer
from aklo.lab.components.share_dialog import share_dialog
from aklo.lab.components.window_watch import window_watch
from aklo.lab.content.settings_line import settings_line
from aklo.lab.export.menu import export_button, export_menu, export_waits
from aklo.lab.frame import guide_bar, sidebar
from aklo.lab.frame.navigation import PAGES
from aklo.lab.server import visit_end, visitors
from aklo.lab.server.tuning import tune
from aklo.lab.server.turns import pictures_first, turn
from aklo.lab.session import control_keys, exports, state, url, visible_controls
from aklo.lab.settings.schema import FIELDS, Settings
from aklo.lab.settings.text import escape_markdown
from aklo.location import lab_folder

ASSETS = lab_folder() / "assets"
LATER = "later"  # in the session: what the page that is being drawn does when all else is there


@contextmanager
def page(
    stem: str,
    sections: Sequence[str] = (),
    *,
    title: str = "",
    question: str = "",
    place: str = "",
    anchors: bool = False,
    presets: bool = True,
    beside: Sequence[str] = (),
) -> Iterator[Settings]:
    """Draw a page's frame around what the page draws.

    The sidebar comes after the page, since people wait for the picture; then what takes a while (`later`); and last the
    export menu, which so has all that was drawn.

    Parameters
    ----------
    stem
        The name of the page's script, as in `PAGES`.
    sections
        The sections of the sidebar: names in SECTIONS.
    title, question
        Over the page, where they are not those of the menu.
    place
        The name of a parameter of the page's own in the address; `url.parameter` reads and `url.go` writes it.
    anchors
        Whether links lead to places within the page, as in glossary#alpha. An address without settings is then left as
        it is, since writing it would drop the anchor.
    presets
        Whether the sidebar has the list of presets; False where the page has it in a picture of its own.
    beside
        Settings whose controls the page itself draws, beside its picture, so that the sidebar leaves them out.

    Yields
    ------
    The settings that the page shows: those in force, but for challengers where it has none (`with_papers_methods`).
    """
    tune()
    visitors.arrive()
    visit_end.watch()
    with turn():
        about = PAGES[stem]
        title, question = title or about.name, question or about.question
        st.set_page_config(page_title=f"{title} · AKLO Lab", page_icon=str(ASSETS / "icon.svg"), layout="wide")
        notes = url.read(place, guide_bar.opening(stem) or about.opening(Settings()), about.opening)
        url.write(place, keep_bare=anchors)
        settings = state.settings()
        if "Methods" not in sections:
            settings = with_papers_methods(settings)
        control_keys.begin_page(stem)
        visible_controls.begin()
        exports.begin(stem, settings)
        st.session_state[LATER] = []
        st.html(_styles())
        embedded = visible_controls.is_embedded()
        if embedded:
            st.html(ASSETS / "embed.css")
        else:
            st.logo(ASSETS / "logo.svg", size="large", icon_image=ASSETS / "icon.svg")
            with st.sidebar:
                below = st.container()
            menu, share = _header(title, question, bool(sections))
        if notes:
            with st.container(key="notes", gap=None):
                for note in notes:
                    st.caption(f":material/info: {escape_markdown(note)}")
        if not embedded:
            guide_bar.draw(stem)
        try:
            yield settings
            if embedded:
                sidebar.draw_listed(sections, without=beside)
            else:
                with below:
                    sidebar.draw(stem, sections, without=beside, presets=presets)
                with share:
                    _share(title)
            print_footer(settings_line(settings))
            window_watch()
            todo = st.session_state.pop(LATER)
            said = export_waits(menu) if todo and not embedded else None
            for work in todo:
                work()
            if said is not None:
                said.empty()
            if not embedded:
                export_menu(menu, title)
        finally:
            control_keys.end_page()


@cache
def _styles() -> str:
    """The lab's style sheets, for the screen and for paper."""
    return f"<style>{''.join((ASSETS / name).read_text(encoding='utf-8') for name in ('lab.css', 'print.css'))}</style>"


def _header(title: str, question: str, has_controls: bool) -> tuple[PopoverContainer, DeltaGenerator]:
    """One line: the page's name and question, Undo, Redo, Export, Share. Returns the export menu and the place of the
    Share button, both still empty: what they hold is known at the end of the page."""
    with st.container(key="header", horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.title(title, anchor=False, width="content")
        st.caption(question, width="stretch")
        if has_controls:
            st.button(
                "Undo", key="undo", icon=":material/undo:", on_click=state.undo, disabled=not state.can_undo(),
                help="Take the last change of a setting back, whatever made it.",
            )  # fmt: skip
            st.button(
                "Redo", key="redo", icon=":material/redo:", on_click=state.redo, disabled=not state.can_redo(),
                help="Repeat the change that was undone.",
            )  # fmt: skip
        return export_button(), st.container(width="content")


def _share(title: str) -> None:
    """Draw the Share button for the controls that the page has."""
    controls = {name: FIELDS[name].label for name in visible_controls.offered()}
    share_dialog(title, controls, visible_controls.names())


@contextmanager
def picture(key: str = "picture") -> Iterator[None]:
    """The place of a page's main picture. When it is drawn, other visitors' pictures come before the rest of this page.

    key: of the place. With the default the picture alone is shown where the lab is embedded (assets/embed.css). Lessons
    and rooms have keys of their own, since their pictures mean nothing without the question.
    """
    with st.container(key=key):
        yield
    pictures_first()


def later(work: Callable[[], None]) -> None:
    """Do what takes a while when all else of the page is there, the sidebar too, and before its export menu is made.

    work: draws into places that the page has already.
    """
    st.session_state[LATER].append(work)


def with_papers_methods(settings: Settings) -> Settings:
    """The settings as a page shows them that has no section "Methods": the paper's six, and one of these.

    They are not those in force, which are `state.settings()`, and must not replace them.
    """
    return settings.change(challengers=())


def finding(text: str) -> None:
    """Draw a page's first sentence, a finding about what the page shows.

    It has room for two lines on a laptop (assets/lab.css), so that nothing below moves when it changes.
    """
    with st.container(key="finding"):
        st.markdown(text)


def table(name: str, frame: pd.DataFrame, styled: object = None) -> None:
    """Draw a table, and offer it in the export menu. styled: the same, as it is to be drawn.

    Its texts are Markdown, so names from a visitor's file have to be escaped.
    """
    st.table(frame if styled is None else styled)
    exports.table(name, frame)
