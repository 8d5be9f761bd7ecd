"""A page's parts: when a setting moves, those that show something of it are drawn anew, and nothing else.

- A picture (`part`, or `first` with the settings that it shows) is drawn at once.
- What stands around it (`later`) waits until the browser has shown the picture, and asks for it. Sent together, a
  browser would draw all of a page's charts before it shows any of them.
- Widgets (`knobs`) show their new value by themselves. They are drawn anew, later, when something else has changed what
  they show: a preset, a curve drawn by hand, a dataset with other ranges.

What is drawn together is one run of the script. The parts of a page and which of them wait stand in the session, since
every visitor's page is another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import wraps

import streamlit as st

from aklo.lab import kept, pace, rest, uploads
from aklo.lab.address import settings, write
from aklo.lab.settings import FIELDS, OWN, SECTIONS, Settings, preset_of

Draw = Callable[[], None]
ASKS = "part_what_asks"  # the part that has the browser ask for those that wait


@dataclass
class Part:
    """needs: the settings that it shows, None for all; kind: as above."""

    needs: set[str] | None
    kind: str = "first"


@dataclass
class Parts:
    """drawn: the parts of the page by their keys, in its order; waiting: those that the browser will ask for; turn: how
    often it was told to ask; whole: whether the page is drawn whole."""

    drawn: dict[str, Part] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)
    turn: int = 0
    whole: bool = False


def mine() -> Parts:
    """The parts of the page that this visitor sees."""
    return st.session_state["parts"]


def begin_page() -> None:
    """A page is drawn whole, and its parts are still to come."""
    st.session_state["parts"] = Parts()


def end_page() -> bool:
    """Whether the page that was drawn is made of parts; what asks for those that wait is the last of them."""
    if mine().drawn:
        _asks()
    return bool(mine().drawn)


def part(draw: Draw) -> Draw:
    """Make a function a part of its page, to be called in the page's frame: `@part`. It draws what depends on settings,
    and asks `settings()` for them."""
    return _part(draw, None, "first")


def first(*needs: str) -> Callable[[Draw], Draw]:
    """A part that shows only the settings that are named, singly or by sections: `@first(...)`."""
    return lambda draw: _part(draw, _named(needs), "first")


def later(*needs: str) -> Callable[[Draw], Draw]:
    """A part that waits for the picture: `@later(...)`. It shows the settings that are named, or all where none is."""
    return lambda draw: _part(draw, _named(needs) if needs else None, "later")


def knobs(draw: Draw) -> Draw:
    """A part that is made of settings' widgets: `@knobs`. It shows those whose widgets it draws."""
    return _part(draw, set(), "knobs")


def needs(*names: str) -> None:
    """What the part that is being drawn shows as it is now, singly or by sections."""
    if here := mine().drawn.get(kept.mine().part or ""):
        here.needs = _named(names)


def drawn(name: str) -> None:
    """The widget of a setting is drawn."""
    here = mine().drawn.get(kept.mine().part or "")
    if here is not None and here.kind == "knobs" and here.needs is not None:
        here.needs.add(name)


def whole() -> None:
    """Draw this page whole, though it has parts, while it has long work to do: nothing that a visitor does in a part
    ends the work of another."""
    mine().whole = True


def _named(needs: Iterable[str]) -> set[str]:
    return {name for need in needs for name in SECTIONS.get(need, [need])}


def _part(draw: Draw, needs: set[str] | None, kind: str) -> Draw:
    key = f"part_{draw.__name__}"

    @wraps(draw)
    def anew() -> None:
        kept.forget(key)
        parts = mine()
        if key in parts.waiting:
            parts.waiting.remove(key)
        if kind == "knobs":
            parts.drawn[key].needs = set()
        with pace.turn(urgent=kind == "first"):
            draw()
            write()
        kept.mine().part = None

    fragment = st.fragment(anew, key=key)

    @wraps(draw)
    def called() -> None:
        parts = mine()
        if parts.whole:
            draw()
        else:
            parts.drawn[key] = Part(None if needs is None else set(needs), kind)
            fragment()

    return called


# ------------------------------------------------------------------------------------------------- when settings change


def change(**values: object) -> None:
    """Change settings, from a callback or from a page that is not made of parts."""
    replace(settings().change(**values))


def replace(new: Settings) -> None:
    """Take other settings, and draw what may have changed."""
    _take(new, _concerned(settings(), new))


def begin(new: Settings) -> None:
    """Start from other settings, such as a preset; `undo` takes it back."""
    st.session_state["before"] = settings()
    _start(new)


def undo() -> None:
    if before := st.session_state.pop("before", None):
        _start(before)


def _start(new: Settings) -> None:
    """Take other settings. Whether that can be undone shows among the knobs."""
    _take(new, [*_concerned(settings(), new), *(key for key, part in _drawn().items() if part.kind == "knobs")])


def moved(here: str | None, **values: object) -> None:
    """The widget of a setting has moved, in the part `here`, which is drawn anew unless something else is said."""
    before = settings()
    after = before.change(**values)
    shown = {name for name, value in values.items() if getattr(after, name) == value}
    _take(after, _concerned(before, after, here, shown), here)


def note(**values: object) -> None:
    """Change settings whose picture is there already, from a callback: only the address follows."""
    _take(settings().change(**values), [ASKS] if _drawn() else [])


def _drawn() -> dict[str, Part]:
    return st.session_state["parts"].drawn if "parts" in st.session_state else {}


def _ranges(settings: Settings) -> tuple:
    """What widgets look like by, other than their own settings."""
    return settings.dataset, settings.n_tasks, settings.horizon, type(settings.schedule), preset_of(settings)


def _concerned(
    before: Settings, after: Settings, here: str | None = None, shown: frozenset[str] | set[str] = frozenset()
) -> list[str]:
    """Which parts look different. here: that in which a widget has moved, and so shows the settings `shown` already."""
    changed = {name for name in FIELDS if getattr(before, name) != getattr(after, name)}
    other_ranges = _ranges(before) != _ranges(after)
    found = []
    for key, part in _drawn().items():
        if part.kind != "knobs":
            differs = part.needs is None or bool(changed & part.needs)
        else:
            differs = other_ranges or bool((changed - shown if key == here else changed) & (part.needs or set()))
        if differs and key != ASKS:
            found.append(key)
    return found


def _take(new: Settings, concerned: list[str], here: str | None = None) -> None:
    came_or_went = (settings().dataset == OWN) != (new.dataset == OWN)  # own tasks make other pages, not other parts
    st.session_state.update(settings=uploads.fit(new), changed=True)
    pace.came()
    if came_or_went and _drawn():
        st.rerun()
    at_once = _at_once(list(dict.fromkeys(concerned)))
    if at_once and at_once != [here]:  # what stands `here` is drawn without being asked for
        st.rerun(at_once)


def _at_once(concerned: list[str]) -> list[str]:
    """Of some parts those to draw at once: the pictures, and what asks for the others; or all, where no picture is
    among them."""
    parts = _drawn()
    pictures = [key for key in concerned if parts[key].kind == "first"]
    others = [key for key in concerned if key not in pictures]
    if not pictures or not others:
        return concerned
    waiting = mine().waiting
    waiting += [key for key in others if key not in waiting]
    mine().turn += 1
    return [*pictures, ASKS]


def what_asks() -> None:
    """Nothing to see: what asks for the parts that wait."""
    rest.asked(mine().turn, _the_rest)


_asks = _part(what_asks, set(), "first")


def _the_rest() -> None:
    """Draw the parts that wait, if no later move has had them drawn already."""
    if mine().waiting:
        st.rerun(list(mine().waiting))
