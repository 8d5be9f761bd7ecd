"""A page's parts: when a setting moves, those that show something of it are drawn anew, and nothing else.

- A picture (`part`, or `first` with the settings that it shows) is drawn at once.
- What stands around it (`later`) comes after a pause, in which the browser shows the picture: it draws what comes
  together in one go, and shows nothing of it before the last is drawn.
- Widgets (`knobs`) show their new value by themselves. They are drawn anew, later, when something else has changed what
  they show: a preset, a curve drawn by hand, a dataset with other ranges.

All that one move asks for is one run of the script; the next move waits for its end. The parts of a page stand in the
session, since every visitor's page is another.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import wraps

import streamlit as st

from aklo.lab.server import load
from aklo.lab.session import exports, uploads
from aklo.lab.session.url import settings, write
from aklo.lab.settings.schema import FIELDS, OWN, SECTIONS, Settings, preset_of

Draw = Callable[[], None]
Need = str | Callable[[Settings], object]  # a setting, a section of them, or what they come to
PAUSE = "part_pause"  # the part that draws nothing
HEAD_START = 0.09  # seconds that a picture is ahead of what follows it
SENT = 0.5  # seconds after which what was drawn has surely been sent
YIELD = 0.001  # seconds in which a picture that was drawn is sent, before more is drawn


@dataclass
class Part:
    """needs: what it shows of the settings, None for all; kind: as above; drawn: when it was."""

    needs: set[Need] | None
    kind: str = "first"
    drawn: float = 0.0

    @property
    def fresh(self) -> bool:
        """Whether it may still be on its way to the browser. Streamlit drops what is when a widget of the part moves,
        since it expects the part to be drawn again: then it has to be, or the browser would lose its widgets."""
        return time.monotonic() - self.drawn < SENT


@dataclass
class Parts:
    """drawn: the parts of the page by their keys, in its order; whole: that the page is drawn whole; ahead: the parts
    that a visitor who has moved something waits for; pausing: that they are to be shown before the others come."""

    drawn: dict[str, Part] = field(default_factory=dict)
    whole: bool = False
    ahead: frozenset[str] = frozenset()
    pausing: bool = False


def mine() -> Parts:
    """The parts of the page that this visitor sees."""
    return st.session_state["parts"]


def begin_page() -> None:
    """A page is drawn whole, and its parts are still to come."""
    st.session_state["parts"] = Parts()


def end_page() -> bool:
    """Whether the page that was drawn is made of parts."""
    if mine().drawn:
        _pause()
    return bool(mine().drawn)


def part(draw: Draw) -> Draw:
    """Make a function a part of its page, to be called in the page's frame: `@part`. It draws what depends on settings,
    and asks `settings()` for them."""
    return _part(draw, None, "first")


def first(*needs: Need) -> Callable[[Draw], Draw]:
    """A part that shows only the settings that are named, singly or by sections, or what a function makes of them:
    `@first(...)`."""
    return lambda draw: _part(draw, _named(needs), "first")


def later(*needs: Need) -> Callable[[Draw], Draw]:
    """A part that comes after the picture: `@later(...)`. It shows the settings that are named, or all if none is."""
    return lambda draw: _part(draw, _named(needs) if needs else None, "later")


def knobs(draw: Draw) -> Draw:
    """A part that is made of settings' widgets: `@knobs`. It shows those whose widgets it draws."""
    return _part(draw, set(), "knobs")


def needs(*what: Need) -> None:
    """What the part that is being drawn shows as it is now, as in `first`."""
    if here := mine().drawn.get(exports.mine().part or ""):
        here.needs = _named(what)


def drawn(name: str) -> None:
    """The widget of a setting is drawn."""
    here = mine().drawn.get(exports.mine().part or "")
    if here is not None and here.kind == "knobs" and here.needs is not None:
        here.needs.add(name)


def whole() -> None:
    """Draw this page whole, though it has parts, while it has long work to do: nothing that a visitor does in a part
    ends the work of another."""
    mine().whole = True


def _named(needs: Iterable[Need]) -> set[Need]:
    return {one for need in needs for one in (SECTIONS.get(need, [need]) if isinstance(need, str) else [need])}


def _part(draw: Draw, needs: set[Need] | None, kind: str) -> Draw:
    key = f"part_{draw.__name__}"

    @wraps(draw)
    def anew() -> None:
        exports.forget(key)
        parts = mine()
        if kind == "knobs":
            parts.drawn[key].needs = set()
        urgent = kind == "first" or key in parts.ahead
        if not urgent:
            time.sleep(YIELD)
        with load.turn(urgent) if kind != "pause" else nullcontext():
            draw()
            write()
        exports.mine().part = None
        parts.drawn[key].drawn = time.monotonic()

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
    again = [here] if here in _drawn() and _drawn()[here].fresh else []
    _take(after, [*_concerned(before, after, here, shown), *again], here)


def note(**values: object) -> None:
    """Change settings whose picture is there already, from its callback: only the address follows."""
    _take(settings().change(**values), [key for key, part in _drawn().items() if part.kind == "first" and part.fresh])
    if _drawn():
        st.rerun([PAUSE])


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

    def is_other(need: Need) -> bool:
        return need in changed if isinstance(need, str) else need(before) != need(after)

    found = []
    for key, part in _drawn().items():
        if part.kind != "knobs":
            differs = bool(changed) and (part.needs is None or any(map(is_other, part.needs)))
        else:
            differs = other_ranges or bool((changed - shown if key == here else changed) & (part.needs or set()))
        if differs and part.kind != "pause":
            found.append(key)
    return found


def _take(new: Settings, concerned: list[str], here: str | None = None) -> None:
    """Take other settings, and draw what they concern: the pictures, or else the first part, then all others."""
    came_or_went = (settings().dataset == OWN) != (new.dataset == OWN)  # own tasks make other pages, not other parts
    st.session_state.update(settings=uploads.fit(new), changed=True)
    load.came()
    parts = _drawn()
    if came_or_went and parts:
        st.rerun()
    todo = [key for key in parts if key in concerned]
    if not todo:
        return
    ahead = [key for key in todo if parts[key].kind == "first"] or todo[:1]
    between = [] if load.crowded() else [PAUSE]  # in a crowd what follows comes late enough by itself
    mine().ahead, mine().pausing = frozenset(ahead), bool(between) and todo != [here]
    if todo != [here]:  # what stands `here` is drawn without being asked for
        st.rerun([*ahead, *between, *(key for key in todo if key not in ahead)])


def pause() -> None:
    """Nothing to see: the browser shows what has come."""
    if mine().pausing:
        mine().pausing = False
        time.sleep(HEAD_START)


_pause = _part(pause, set(), "pause")
