"""The sidebar: the menu, the settings by sections, presets, Reset and Undo."""

from __future__ import annotations

from functools import partial

import streamlit as st

from aklo.lab.frame.fragments import begin, drawn, moved, undo
from aklo.lab.frame.widgets import stale, tell, widget
from aklo.lab.session import exports, visible_controls
from aklo.lab.session.url import settings
from aklo.lab.settings.schema import FIELDS, PRESETS, SECTIONS, Settings, preset_of

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
            query = settings.address() | visible_controls.address()
            st.page_link(path, label=label, icon=icon, help=question, query_params=query, width="stretch")


def draw() -> None:
    """The settings of the page's sections, presets, Reset and Undo."""
    everything, sections = visible_controls.names() is None, st.session_state["sections"]
    if sections and everything:
        _choose()
    for section in sections:
        _section(section)
    if sections and everything:
        _take_back()


def _section(section: str) -> None:
    current = settings()
    fields = [name for name in SECTIONS[section] if current.dataset in FIELDS[name].datasets]
    if any(map(visible_controls.is_shown, fields)):
        with st.expander(section, expanded=True):
            for name in fields:
                setting(name)


def setting(name: str) -> None:
    """The widget of one setting, wherever a page wants it."""
    drawn(name)
    widget(name, settings(), partial(moved, exports.mine().part))


def controls(*names: str) -> Settings:
    """The widgets of some settings side by side. Gives the settings as they are now."""
    with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
        for name in names:
            setting(name)
    return settings()


def _choose() -> None:
    st.divider()
    tell("preset", preset_of(settings()))
    st.selectbox(
        "Preset", list(PRESETS), index=None, key="preset", on_change=_choose_preset, placeholder="Your own mix",
        help="A known starting point. Everything can be changed afterwards.",
    )  # fmt: skip


def _take_back() -> None:
    left, right = st.columns(2)
    left.button(
        "Reset", icon=":material/restart_alt:", on_click=_reset, width="stretch", help="Back to the lab's defaults."
    )
    right.button(
        "Undo", icon=":material/undo:", on_click=undo, width="stretch", disabled="before" not in st.session_state,
        help="Take the last preset or reset back.",
    )  # fmt: skip


def _choose_preset() -> None:
    if (name := st.session_state["preset"]) and not stale("preset"):
        before = settings()
        begin(PRESETS[name].change(**{look: getattr(before, look) for look in STAYING}))


def _reset() -> None:
    begin(Settings())
