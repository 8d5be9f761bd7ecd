"""The frame of every page: settings from the address or the session, the menu, the sidebar, sharing and reset.

One settings object lives in the session and is written to the address. An address that the lab did not write itself (a
link, a reload, the browser's Back) is read anew. A page may be made of parts: then a moved setting draws these and the
sidebar's settings anew, the picture first, and not the whole page.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial, wraps
from pathlib import Path
from typing import Any

import streamlit as st
from threadpoolctl import threadpool_limits

from aklo.lab import kept, pace, rest, shown, uploads
from aklo.lab.settings import FIELDS, OWN, PRESETS, Settings, read_address
from aklo.lab.share import share_button
from aklo.lab.takeaway import takeaway
from aklo.lab.widgets import tell, widget

ASSETS = Path(__file__).parents[2] / "assets"

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

HEAD_START = 0.06  # seconds that a picture is ahead of what follows it

# What a preset leaves as it is: which part of a page one looks at, and what is kept for comparison.
STAYING = ("follow", "expected", "kept", "race_part", "alpha_part", "tasks_part", "theory_part", "case", "mended_on")

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
def page(
    title: str,
    question: str,
    sections: Sequence[str] = (),
    *,
    apart: Sequence[str] = (),
    place: str = "",
    anchors: bool = False,
) -> Iterator[Settings]:
    """A page's frame around what it draws: `with page(...) as settings`. The sidebar comes last, since the picture is
    what people wait for.

    title: the page's name; question: the one it answers, shown under the title; sections: names in SECTIONS, and apart:
    those of them that a part draws itself, with `aside`; place: a word of the page's own in the address, which
    `place()` reads and `go()` writes; anchors: whether links lead to places within it, as in glossary#alpha. An address
    without settings is then left as it is, since to write it would drop the anchor.
    """
    _prepare()
    pace.came()
    st.set_page_config(page_title=f"{title} · AKLO Lab", page_icon=str(ASSETS / "icon.svg"), layout="wide")
    st.session_state.update(place=place, anchors=anchors)
    settings = _read(title)
    st.html(ASSETS / "lab.css")
    st.logo(ASSETS / "logo.svg", size="large", icon_image=ASSETS / "icon.svg")
    with st.sidebar:
        menu, places = st.container(), _places(sections, apart)
    st.session_state.update(parts=[], later=[], needs={}, waiting=[], turn=0, places_aside=places)
    heading, away, share = st.columns([9, 2, 2], vertical_alignment="bottom")
    heading.title(title, anchor=False)
    heading.caption(question)
    with away:
        takeaway(title)
    with share:
        share_button()
    kept.forget()
    for note in st.session_state.pop("notes", []):
        st.caption(f":material/info: {plain(note)}")
    try:
        yield settings
    finally:
        parts = st.session_state["parts"]
        if parts:
            part(_address)()
        with menu:
            _menu(settings)
            shown.way_out()
        if not parts:
            _controls()


def part(draw: Callable[[], None]) -> Callable[[], None]:
    """Make a function a part of its page, to be called in the page's frame: `@part`.

    It draws what depends on settings, and asks `settings()` for them. When one moves, the parts are drawn in the order
    in which the page called them, and nothing else. The first of them draws the sidebar's settings too, after its
    picture: so they belong to it, and what is moved there draws it without detours.
    """
    key = f"part_{draw.__name__}"

    @wraps(draw)
    def anew() -> None:
        kept.forget(key)
        if key in st.session_state["waiting"]:
            st.session_state["waiting"].remove(key)
        with pace.turn():
            draw()
            _write()
        if st.session_state["parts"][0] == key:
            head_start()
            with pace.turn():
                _controls()
                # Last of all: what the browser sends when it asks for the rest holds the values of all its widgets, and
                # one that had not been told of its new value yet would seem to have been moved back by the visitor.
                if st.session_state["later"]:
                    rest.asked(st.session_state["turn"], _the_rest)
        kept.mine().part = None

    fragment = st.fragment(anew, key=key)

    @wraps(draw)
    def called() -> None:
        if st.session_state["parts"] is None:
            draw()
        else:
            st.session_state["parts"].append(key)
            fragment()

    return called


def _the_rest() -> None:
    """Draw the parts that wait, if no later move has had them drawn already."""
    if st.session_state["waiting"]:
        st.rerun(list(st.session_state["waiting"]))


def whole() -> None:
    """Draw this page whole, though it has parts, while it has long work to do: nothing that a visitor does in a part
    ends the work of another."""
    st.session_state["parts"] = None


def first(*needs: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """A part with the picture that people wait for: `@first(...)`. It depends on the settings that are named, singly or
    by sections, and stays as it is when only others move."""
    names = {name for need in needs for name in SECTIONS.get(need, [need])}

    def decorate(draw: Callable[[], None]) -> Callable[[], None]:
        called = part(draw)

        @wraps(draw)
        def drawn() -> None:
            if st.session_state["parts"] is not None:
                st.session_state["needs"][f"part_{draw.__name__}"] = names
            called()

        return drawn

    return decorate


def needs(*names: str) -> None:
    """What the part that is being drawn depends on as it is now, singly or by sections."""
    if st.session_state["parts"] is not None:
        found = {name for need in names for name in SECTIONS.get(need, [need])}
        st.session_state["needs"][kept.mine().part] = found


def head_start() -> None:
    """After the picture and its address, before all else: the browser draws what comes within ten milliseconds in one
    go, widgets and all, and shows nothing of it before the last is drawn. What comes alone is shown at once. In a crowd
    it comes slowly enough by itself."""
    _write()
    if st.session_state.pop("moved", False) and not pace.crowded():
        pace.step_aside(HEAD_START)


def later(*needs: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """A part that waits until the browser has shown the picture, and asks for it: `@later(...)`. It depends on the
    settings that are named, singly or by sections, or on all where none is."""

    def decorate(draw: Callable[[], None]) -> Callable[[], None]:
        called = first(*needs)(draw) if needs else part(draw)

        @wraps(draw)
        def drawn() -> None:
            st.session_state["later"].append(f"part_{draw.__name__}")
            called()

        return drawn

    return decorate


def change(**values: object) -> None:
    """Change settings, from a callback or from a page that is not made of parts."""
    replace(settings().change(**values))


def replace(new: Settings) -> None:
    """Take other settings, and draw what may have changed."""
    _take(new, _concerned(st.session_state.get("parts") or [], None, settings(), new))


def _moved(here: str | None, **values: object) -> None:
    """A setting's own widget has moved, in the part `here`, which is drawn anew unless something else is said."""
    before, after, parts = settings(), settings().change(**values), st.session_state.get("parts") or []
    concerned = _concerned(parts, here, before, after)
    if here not in concerned or any(key != here and key not in st.session_state["later"] for key in concerned):
        _take(after, concerned)
        return
    if len(concerned) > 1 and here != parts[0]:  # it is the first part that has the others asked for
        _take(after, concerned)
        return
    _wait([key for key in concerned if key != here])
    _take(after, None)


def _depend(settings: Settings) -> tuple:
    """What the sidebar's widgets look like by."""
    return settings.dataset, settings.n_tasks, settings.horizon, type(settings.schedule), _preset(settings)


def _concerned(parts: list[str], here: str | None, before: Settings, after: Settings) -> list[str]:
    """Which parts look different when a widget in the part `here` has moved."""
    changed = {name for name in FIELDS if getattr(before, name) != getattr(after, name)}
    found = []
    for key in parts:
        needs = st.session_state["needs"].get(key, changed)
        if key != "part__address" and (changed & needs or (key == parts[0] and _depend(before) != _depend(after))):
            found.append(key)
    # What a later part looks at is its own affair, and that of those that say they need it.
    later, said = st.session_state["later"], st.session_state["needs"]
    own = here in later and all(FIELDS[name].looks for name in changed)
    return [key for key in found if key == here or not own or key not in later or key in said]


def _take(new: Settings, parts: list[str] | None) -> None:
    came_or_went = (settings().dataset == OWN) != (new.dataset == OWN)  # own tasks make other pages, not other parts
    st.session_state["settings"] = uploads.fit(new)
    st.session_state.update(changed=True, moved=True)
    pace.came()
    if came_or_went and st.session_state.get("parts"):
        st.rerun()
    if parts:
        st.rerun(_now(parts))


def _now(parts: list[str]) -> list[str]:
    """Of some parts those to draw at once: the later ones only where there is no picture to be shown before them."""
    at_once = [key for key in parts if key not in st.session_state["later"]]
    if not any(key in st.session_state["needs"] for key in at_once):
        return parts
    _wait([key for key in parts if key not in at_once])
    return at_once


def _wait(parts: list[str]) -> None:
    """Some parts wait until the browser has shown the picture, and asks for them."""
    waiting = st.session_state["waiting"]
    waiting += [key for key in parts if key not in waiting]
    st.session_state["turn"] += bool(parts)


def note(**values: object) -> None:
    """Change settings whose picture is there already, from a callback: only the address follows."""
    _take(settings().change(**values), st.session_state.get("parts") and ["part__address"])


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
def _prepare() -> None:
    """Once, when all is imported: spare every later garbage collection the libraries' objects; and one thread for each
    product of matrices. They are small here, and a second thread would only keep a core from the next visitor."""
    threadpool_limits(1)
    gc.collect()
    gc.freeze()


def _read(page: str) -> Settings:
    """The session's settings, unless the address says something that the lab did not write; then write the address."""
    state, asked = st.session_state, st.query_params.to_dict()
    # A fragment may have moved on since the menu was drawn: its links then carry what was, and what is now holds.
    place = state["place"]
    bare = {name: text for name, text in asked.items() if name not in (shown.KEY, place)}
    by_menu = bare == state.get("linked") and page != state.get("page")
    foreign = asked != state.get("address") and not by_menu and (asked or "settings" not in state)
    if foreign and not state.pop("changed", False):
        state["settings"], state["notes"] = uploads.fitted(*read_address(asked))
        names, unknown = shown.read(asked.get(shown.KEY))
        shown.take(names)
        state["notes"] += unknown
    if place and asked != state.get("address") and (foreign or place in asked):
        state.setdefault("places", {})[place] = asked.get(place)
    state["page"] = page
    return _write()


def _write() -> Settings:
    """Write the settings to the address, where they are not there yet."""
    st.session_state.pop("changed", None)
    current = kept.mine().settings = settings()
    where = {st.session_state["place"]: place()} if place() else {}
    address = current.address() | shown.address() | where
    asked = st.query_params.to_dict()
    if asked != address and (asked or not st.session_state["anchors"]):
        st.query_params.from_dict(address)
    st.session_state["address"] = address
    return current


def _address() -> None:
    """A part that draws nothing: the address follows."""


def place() -> str | None:
    """Where on its page this visitor is, as the address says it; to be checked, since it may come from outside. It is
    kept while the visitor is on other pages."""
    return st.session_state.get("places", {}).get(st.session_state["place"])


def go(where: str | None) -> None:
    """Go to another place of the page, from a callback; the address follows."""
    st.session_state.setdefault("places", {})[st.session_state["place"]] = where
    _write()


def controls(*names: str) -> Settings:
    """The widgets of some settings side by side. Gives the settings as they are now."""
    current = settings()
    with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
        for name in names:
            widget(name, current, partial(_moved, kept.mine().part))
    return current


def setting(name: str) -> None:
    """The widget of one setting, wherever a page wants it."""
    widget(name, settings(), partial(_moved, kept.mine().part))


def _menu(settings: Settings) -> None:
    st.session_state["linked"] = settings.address()
    for section, pages in MENU.items():
        st.caption(section)
        for path, label, icon, question in pages:
            query = settings.address() | shown.address()
            st.page_link(path, label=label, icon=icon, help=question, query_params=query, width="stretch")


def _places(sections: Sequence[str], apart: Sequence[str]) -> dict[str, Any]:
    """Where in the sidebar the settings go: in one place, but for the sections that parts draw themselves."""
    together: list[tuple[Any, list[str]]] = [(st.container(), [])]
    alone = {}
    for section in sections:
        if section in apart:
            alone[section] = st.container()
            together.append((st.container(), []))
        else:
            together[-1][1].append(section)
    return {"together": together if sections else [], "alone": alone}


def aside(section: str) -> None:
    """A section of the sidebar, drawn by the part that it is about: what is moved there draws that part at once, rather
    than by way of the first one."""
    with st.session_state["places_aside"]["alone"][section]:
        _section(section)


def _controls() -> None:
    """The settings in the sidebar, those apart left out."""
    everything, together = shown.names() is None, st.session_state["places_aside"]["together"]
    for number, (container, sections) in enumerate(together, 1):
        with container:
            if number == 1 and everything:
                _choose()
            for section in sections:
                _section(section)
            if number == len(together) and everything:
                _take_back()


def _section(section: str) -> None:
    current = settings()
    fields = [name for name in SECTIONS[section] if current.dataset in FIELDS[name].datasets]
    if any(map(shown.is_shown, fields)):
        with st.expander(section, expanded=True):
            for name in fields:
                setting(name)


def _choose() -> None:
    st.divider()
    tell("preset", _preset(settings()))
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


def _preset(settings: Settings) -> str | None:
    return next((name for name, preset in PRESETS.items() if same(preset, settings)), None)


def same(preset: Settings, settings: Settings) -> bool:
    """Whether only what is looked at, not what is computed, differs from a preset."""
    return all(getattr(preset, name) == getattr(settings, name) for name, f in FIELDS.items() if not f.looks)


def _choose_preset() -> None:
    if name := st.session_state["preset"]:
        before = settings()
        begin(PRESETS[name].change(**{look: getattr(before, look) for look in STAYING}))


def _reset() -> None:
    begin(Settings())


def _undo() -> None:
    if before := st.session_state.pop("before", None):
        replace(before)
