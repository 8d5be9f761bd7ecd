"""The frame of every page: settings from the address or the session, the menu, the sidebar, sharing and reset.

One settings object lives in the session and is written to the address. An address that the lab did not write itself (a
link, a reload, the browser's Back) is read anew.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import streamlit as st

from aklo.lab.settings import FIELDS, PRESETS, Settings, read_address
from aklo.lab.share import share_button
from aklo.lab.widgets import widget

ASSETS = Path(__file__).parents[2] / "assets"

# The menu: section -> (page, label, icon, the question that it answers).
MENU = {
    "Start": [("app.py", "Home", ":material/home:", "What is this?")],
    "Explore": [
        ("pages/watch.py", "Watch it learn", ":material/play_circle:", "What happens, example by example?"),
        ("pages/tasks.py", "Make the tasks", ":material/scatter_plot:", "What kind of world do the tasks come from?"),
        ("pages/alpha.py", "Shape alpha", ":material/trending_down:", "When should one stop listening to the past?"),
        ("pages/compare.py", "Race the six", ":material/leaderboard:", "Which method wins, and is it luck?"),
        ("pages/transfer.py", "When knowledge hurts", ":material/call_split:", "Who gains by the past, who pays?"),
        ("pages/world.py", "You are the world", ":material/touch_app:", "Can it guess what you have in mind?"),
    ],
}

# The sidebar: section -> the settings in it. A page names the sections that it shows.
SECTIONS = {
    "Stream": ("dataset", "n_tasks", "n_examples", "share", "order", "angle", "seed"),
    "Generator": (
        *("spread", "sd", "mean1_x", "mean1_y", "mean2_x", "mean2_y"),
        *("vector1_x", "vector1_y", "vector2_x", "vector2_y"),
    ),
    "Learner": ("lam",),
    "Knowledge": ("clip", "horizon", "alpha"),
    "View": ("task", "method"),
    "Method": ("method",),
    "Repetitions": ("repetitions",),
}


@contextmanager
def page(title: str, question: str, sections: Sequence[str] = ()) -> Iterator[Settings]:
    """A page's frame around what it draws: `with page(...) as settings`. The sidebar comes last, since the picture is
    what people wait for.

    title: the page's name; question: the one it answers, shown under the title; sections: names in SECTIONS.
    """
    _freeze()
    st.set_page_config(page_title=f"{title} · AKLO Lab", page_icon=str(ASSETS / "icon.svg"), layout="wide")
    settings = _read(title)
    st.html(ASSETS / "lab.css")
    st.logo(ASSETS / "logo.svg", size="large", icon_image=ASSETS / "icon.svg")
    heading, share = st.columns([5, 1], vertical_alignment="bottom")
    heading.title(title, anchor=False)
    heading.caption(question)
    with share:
        share_button()
    for note in st.session_state.pop("notes", []):
        st.caption(f":material/info: {plain(note)}")
    try:
        yield settings
    finally:
        with st.sidebar:
            _menu(settings)
            if sections:
                _controls(settings, sections)


def change(**values: object) -> None:
    """Change settings, from a widget's callback or a page, and remember what they were for Undo."""
    replace(settings().change(**values))


def replace(new: Settings) -> None:
    st.session_state["settings"] = new
    st.session_state["changed"] = True


def begin(new: Settings) -> None:
    """Start from other settings, such as a preset; Undo takes it back."""
    st.session_state["before"] = settings()
    replace(new)


def settings() -> Settings:
    """The settings of this visitor."""
    return st.session_state.get("settings", PRESETS["syn1, as printed"])


def plain(text: str) -> str:
    """A text that came from outside, so that Markdown takes none of it for a link, an icon or a formula."""
    return re.sub(r"([^\w\s])", r"\\\1", text)


@cache
def _freeze() -> None:
    """Once, when all is imported: spare every later garbage collection the libraries' objects."""
    gc.collect()
    gc.freeze()


def _read(page: str) -> Settings:
    """The session's settings, unless the address says something that the lab did not write; then write the address."""
    state, asked = st.session_state, st.query_params.to_dict()
    # A fragment may have moved on since the menu was drawn: its links then carry what was, and what is now holds.
    by_menu = asked == state.get("linked") and page != state.get("page")
    foreign = asked != state.get("address") and not by_menu and (asked or "settings" not in state)
    if foreign and not state.pop("changed", False):
        state["settings"], state["notes"] = read_address(asked)
    state["page"] = page
    return _write()


def _write() -> Settings:
    """Write the settings to the address, where they are not there yet."""
    st.session_state.pop("changed", None)
    current = settings()
    address = current.address()
    if st.query_params.to_dict() != address:
        st.query_params.from_dict(address)
    st.session_state["address"] = address
    return current


def controls(*names: str) -> Settings:
    """The widgets of some settings side by side, for a fragment: moving one runs the fragment alone, which is quicker
    than the whole page. Gives the settings as they are now, and keeps the address up to date."""
    current = _write()
    with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
        for name in names:
            widget(name, current, change)
    return current


def _menu(settings: Settings) -> None:
    st.session_state["linked"] = settings.address()
    for section, pages in MENU.items():
        st.caption(section)
        for path, label, icon, question in pages:
            st.page_link(path, label=label, icon=icon, help=question, query_params=settings.address(), width="stretch")


def _controls(settings: Settings, sections: Sequence[str]) -> None:
    st.divider()
    names = list(PRESETS)
    at = next((i for i, name in enumerate(names) if same(PRESETS[name], settings)), None)
    st.session_state["preset"] = None if at is None else names[at]
    st.selectbox(
        "Preset", names, index=None, key="preset", on_change=_choose_preset, placeholder="Your own mix",
        help="A known starting point. Everything can be changed afterwards.",
    )  # fmt: skip
    for section in sections:
        fields = [name for name in SECTIONS[section] if settings.dataset in FIELDS[name].datasets]
        if fields:
            with st.expander(section, expanded=True):
                for name in fields:
                    widget(name, settings, change)
    reset, undo = st.columns(2)
    reset.button(
        "Reset", icon=":material/restart_alt:", on_click=_reset, width="stretch", help="Back to the lab's defaults."
    )
    undo.button(
        "Undo", icon=":material/undo:", on_click=_undo, width="stretch", disabled="before" not in st.session_state,
        help="Take the last preset or reset back.",
    )  # fmt: skip


def same(preset: Settings, settings: Settings) -> bool:
    """Whether only what is looked at, not what is computed, differs from a preset."""
    return preset == settings.change(task=preset.task, method=preset.method, repetitions=preset.repetitions)


def _choose_preset() -> None:
    if name := st.session_state["preset"]:
        begin(PRESETS[name])


def _reset() -> None:
    begin(Settings())


def _undo() -> None:
    if before := st.session_state.pop("before", None):
        replace(before)
