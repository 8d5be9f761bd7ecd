"""The sidebar: the menu, the settings by sections, presets, Reset and Undo."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from aklo.lab import kept, shown
from aklo.lab.address import settings
from aklo.lab.parts import begin, moved, replace
from aklo.lab.settings import FIELDS, PRESETS, SECTIONS, Settings, preset_of
from aklo.lab.widgets import tell, widget

# The menu: section -> (page, label, icon, the question that it answers).
MENU = {
    "Start": [
        ("app.py", "Home", ":material/home:", "What is this?"),
        ("pages/lessons.py", "Lessons", ":material/school:", "Six questions: guess first, then see."),
        ("pages/glossary.py", "Words and symbols", ":material/menu_book:", "What does that mean?"),
    ],
    "Explore": [
        ("pages/watch.py", "Watch it learn", ":material/play_circle:", "What happens, example by example?"),
        ("pages/tasks.py", "Make the tasks", ":material/scatter_plot:", "What kind of world do the tasks come from?"),
        ("pages/alpha.py", "Shape alpha", ":material/trending_down:", "When should one stop listening to the past?"),
        ("pages/compare.py", "Race the six", ":material/leaderboard:", "Which method wins, and is it luck?"),
        ("pages/transfer.py", "When knowledge hurts", ":material/call_split:", "Who gains by the past, who pays?"),
        ("pages/world.py", "You are the world", ":material/touch_app:", "Can it guess what you have in mind?"),
    ],
    "Check": [
        ("pages/theory.py", "Does the promise hold?", ":material/gavel:", "What is promised, and is it kept?"),
        ("pages/reproduce.py", "Does it really do that?", ":material/fact_check:", "Do the claims come out again?"),
        ("pages/data.py", "Bring your own tasks", ":material/upload_file:", "What about my data?"),
    ],
}

# What a preset leaves as it is: which part of a page one looks at, and what is kept for comparison.
STAYING = ("follow", "expected", "kept", "race_part", "alpha_part", "tasks_part", "theory_part", "case", "mended_on")


def menu(settings: Settings) -> None:
    st.session_state["linked"] = settings.address()
    for section, pages in MENU.items():
        st.caption(section)
        for path, label, icon, question in pages:
            query = settings.address() | shown.address()
            st.page_link(path, label=label, icon=icon, help=question, query_params=query, width="stretch")


def make_room(sections: Sequence[str], apart: Sequence[str]) -> None:
    """Keep places in the sidebar for the settings: one for all, but for the sections that parts draw themselves."""
    together: list[tuple[Any, list[str]]] = [(st.container(), [])]
    alone = {}
    for section in sections:
        if section in apart:
            alone[section] = st.container()
            together.append((st.container(), []))
        else:
            together[-1][1].append(section)
    st.session_state["room"] = {"together": together if sections else [], "alone": alone}


def draw() -> None:
    """The settings in the sidebar, those apart left out."""
    everything, together = shown.names() is None, st.session_state["room"]["together"]
    for number, (container, sections) in enumerate(together, 1):
        with container:
            if number == 1 and everything:
                _choose()
            for section in sections:
                _section(section)
            if number == len(together) and everything:
                _take_back()


def aside(section: str) -> None:
    """A section of the sidebar, drawn by the part that it is about: what is moved there draws that part at once, rather
    than by way of the first one."""
    with st.session_state["room"]["alone"][section]:
        _section(section)


def _section(section: str) -> None:
    current = settings()
    fields = [name for name in SECTIONS[section] if current.dataset in FIELDS[name].datasets]
    if any(map(shown.is_shown, fields)):
        with st.expander(section, expanded=True):
            for name in fields:
                setting(name)


def setting(name: str) -> None:
    """The widget of one setting, wherever a page wants it."""
    widget(name, settings(), partial(moved, kept.mine().part))


def controls(*names: str) -> Settings:
    """The widgets of some settings side by side. Gives the settings as they are now."""
    current = settings()
    with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
        for name in names:
            widget(name, current, partial(moved, kept.mine().part))
    return current


def _choose() -> None:
    st.divider()
    tell("preset", preset_of(settings()))
    st.selectbox(
        "Preset", list(PRESETS), index=None, key="preset", on_change=_choose_preset, placeholder="Your own mix",
        help="A known starting point. Everything can be changed afterwards.",
    )  # fmt: skip


def _take_back() -> None:
    reset, undo = st.columns(2)
    reset.button(
        "Reset", icon=":material/restart_alt:", on_click=_reset, width="stretch", help="Back to the lab's defaults."
    )
    undo.button(
        "Undo", icon=":material/undo:", on_click=_undo, width="stretch", disabled="before" not in st.session_state,
        help="Take the last preset or reset back.",
    )  # fmt: skip


def _choose_preset() -> None:
    if name := st.session_state["preset"]:
        before = settings()
        begin(PRESETS[name].change(**{look: getattr(before, look) for look in STAYING}))


def _reset() -> None:
    begin(Settings())


def _undo() -> None:
    if before := st.session_state.pop("before", None):
        replace(before)
