"""A page's parts: each is drawn by itself when a setting that it needs has moved, the picture first, all else later.

What is asked for together is one run of the script. The parts of a page, what they need and which of them wait stand in
the session, since every visitor's page is another.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

import streamlit as st

from aklo.lab import kept, pace, rest, uploads
from aklo.lab.address import settings, write
from aklo.lab.settings import FIELDS, OWN, SECTIONS, Settings, preset_of

HEAD_START = 0.06  # seconds that a picture is ahead of what follows it


def begin_page(beside: Callable[[], None]) -> None:
    """A page is drawn whole, and its parts are still to come. beside: draws what stands beside the first of them."""
    st.session_state.update(parts=[], later=[], needs={}, waiting=[], turn=0, beside=beside)


def end_page() -> bool:
    """Whether the page that was drawn is made of parts; the address is the last of them."""
    if st.session_state["parts"]:
        part(_address)()
        return True
    return False


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
            write()
        if st.session_state["parts"][0] == key:
            head_start()
            with pace.turn():
                st.session_state["beside"]()
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
    write()
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


def moved(here: str | None, **values: object) -> None:
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
    return settings.dataset, settings.n_tasks, settings.horizon, type(settings.schedule), preset_of(settings)


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


def _address() -> None:
    """A part that draws nothing: the address follows."""
