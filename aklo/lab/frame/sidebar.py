"""The sidebar: the menu, presets, the settings by sections, and Reset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from aklo.lab.frame import widgets
from aklo.lab.frame.navigation import menu
from aklo.lab.session import state, visible_controls
from aklo.lab.settings.presets import PRESETS, apply_preset, preset_of
from aklo.lab.settings.schema import FIELDS, SECTIONS, Settings


def draw(sections: Sequence[str], without: Sequence[str] = (), *, presets: bool = True) -> None:
    """Draw the sidebar.

    Parameters
    ----------
    sections
        Names in SECTIONS, those of the page's settings.
    without
        Settings to leave out.
    presets
        Whether to list the presets.
    """
    menu(state.settings())
    everything = visible_controls.names() is None
    if not everything:
        _show_all()
    if sections and everything and presets:
        _presets()
    for section in sections:
        _section(section, without)
    if sections and everything:
        st.button(
            "Reset", key="reset", icon=":material/restart_alt:", on_click=state.replace, args=(Settings(),),
            width="stretch", help="Back to the lab's defaults. Undo, at the top of the page, takes it back.",
        )  # fmt: skip


def draw_listed(sections: Sequence[str], without: Sequence[str]) -> None:
    """Draw the controls of these sections that the address lists, in a row: where the lab is embedded, without menu."""
    with st.container(key="listed", horizontal=True, vertical_alignment="top", gap="medium"):
        for section in sections:
            for name in _names(section, without):
                widgets.control(name)


def _presets() -> None:
    st.divider()
    settings = state.settings()

    def draw(*, value: str | None, **options: Any) -> str | None:
        return st.selectbox(
            "Preset", list(PRESETS), index=None if value is None else list(PRESETS).index(value),
            placeholder="Your own mix", help="A known starting point. Everything can be changed afterwards.", **options,
        )  # fmt: skip

    def choose(name: str | None) -> None:
        if name is not None:
            state.replace(apply_preset(name, state.settings()))

    widgets.keep_true("preset", preset_of(settings), draw, choose, derived=True)


def _section(section: str, without: Sequence[str]) -> None:
    names = _names(section, without)
    if any(map(visible_controls.is_shown, names)):
        with st.expander(section, expanded=True):
            for name in names:
                widgets.control(name)


def _names(section: str, without: Sequence[str]) -> list[str]:
    """The settings of a section that the dataset has, but for those that stand elsewhere on the page."""
    dataset = state.settings().dataset
    return [name for name in SECTIONS[section] if dataset in FIELDS[name].datasets and name not in without]


def _show_all() -> None:
    """Where a link has hidden some controls: which are left, and a button that brings the others back."""
    left = ", ".join(FIELDS[name].label for name in visible_controls.names() or ()) or "none"
    st.caption(f"This link leaves some controls out. Shown, where a page has them: {left}.")
    st.button(
        "Show all controls", key="show_all", icon=":material/tune:", width="stretch",
        on_click=visible_controls.show_only, args=(None,),
        help="Brings every control back, on all pages. The settings stay as they are.",
    )  # fmt: skip
