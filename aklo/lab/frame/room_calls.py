"""How a page talks to the rooms: it asks them, does something with them, and says where that is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

import streamlit as st

from aklo.lab.server.rooms import Rooms, rooms
from aklo.lab.server.rooms_database import Refused
from aklo.lab.server.turns import turn_given_up
from aklo.lab.session import room_keys
from aklo.lab.settings.text import escape_markdown

P = ParamSpec("P")
R = TypeVar("R")


def ask(question: Callable[Concatenate[Rooms, P], R], *arguments: P.args, **options: P.kwargs) -> R:
    """Ask the rooms something, `ask(Rooms.counts, code)`. Other visitors' pages are drawn meanwhile."""
    with turn_given_up():
        return question(rooms(), *arguments, **options)


def attempt(action: Callable[Concatenate[Rooms, P], R], *arguments: P.args, **options: P.kwargs) -> R | None:
    """Do something with the rooms, in a callback. Where it is refused, the page says why, and this returns None."""
    try:
        return action(rooms(), *arguments, **options)
    except Refused as refused:
        room_keys.set_notice(str(refused))
        return None


def warn(sentence: str) -> None:
    """Draw a sentence that says why something was not done."""
    st.warning(escape_markdown(sentence), icon=":material/info:")
