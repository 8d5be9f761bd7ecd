"""The sidebar: the menu, presets, the settings by sections, and Reset."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from aklo.lab.components.controls import Control, Group, controls
from aklo.lab.frame.navigation import menu
from aklo.lab.frame.setting_controls import preset, setting_controls
from aklo.lab.session import state, visible_controls
from aklo.lab.settings.schema import FIELDS, SECTIONS, Settings


def draw(stem: str, sections: Sequence[str], without: Sequence[str] = (), *, presets: bool = True) -> None:
    """Draw the sidebar.

    Parameters
    ----------
    stem
        The page that is shown, as in `PAGES`.
    sections
        Names in SECTIONS, those of the page's settings.
    without
        Settings to leave out.
    presets
        Whether to list the presets.
    """
    settings = state.settings()
    menu(stem, settings)
    everything = visible_controls.names() is None
    if not everything:
        _show_all()
    first = [Group("", [preset(settings)])] if sections and everything and presets else []
    controls([*first, *(Group(section, _controls(section, without)) for section in sections)], key="controls_sidebar")
    if sections and everything:
        st.button(
            "Reset", key="reset", icon=":material/restart_alt:", on_click=state.replace, args=(Settings(),),
            width="stretch", help="Back to the lab's defaults. Undo, at the top of the page, takes it back.",
        )  # fmt: skip


def draw_listed(sections: Sequence[str], without: Sequence[str]) -> None:
    """Draw the controls of these sections that the address lists, in a row: where the lab is embedded, without menu."""
    with st.container(key="listed"):
        found = [control for section in sections for control in _controls(section, without)]
        controls([Group("", found)], key="controls_listed", row=True)


def _controls(section: str, without: Sequence[str]) -> list[Control]:
    """The controls of a section's settings that the dataset has, but for those that stand elsewhere on the page."""
    settings = state.settings()
    names = [name for name in SECTIONS[section] if settings.dataset in FIELDS[name].datasets and name not in without]
    return [control for name in names for control in setting_controls(name, settings)]


def _show_all() -> None:
    """Where a link has hidden some controls: which are left, and a button that brings the others back."""
    left = ", ".join(FIELDS[name].label for name in visible_controls.names() or ()) or "none"
    st.caption(f"This link leaves some controls out. Shown, where a page has them: {left}.")
    st.button(
        "Show all controls", key="show_all", icon=":material/tune:", width="stretch",
        on_click=visible_controls.show_only, args=(None,),
        help="Brings every control back, on all pages. The settings stay as they are.",
    )  # fmt: skip
