"""The door of the rooms: to open one, to join one by its code, and how a page talks to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

import streamlit as st

from aklo.lab.frame.navigation import PAGES
from aklo.lab.server.room_records import CODE_LENGTH, read_code
from aklo.lab.server.rooms import Rooms, rooms
from aklo.lab.server.rooms_database import Refused
from aklo.lab.server.turns import turn_given_up
from aklo.lab.session import room_keys, url
from aklo.lab.settings.text import escape_markdown

PLACE, SECRET = "room", "teacher"  # in the address
CODE = "room_code"  # the key of the field for it
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
        room_keys.say(str(refused))
        return None


def open_button(key: str, *, primary: bool = False) -> None:
    """Draw the button that opens a room, makes the visitor its teacher, and goes there."""
    if not st.button(
        "Open a room", key=key, icon=":material/meeting_room:", type="primary" if primary else "secondary",
        help="For a class. You get a code for the wall; students join without a name or an account, and guess. You see "
        "how many have answered, and then reveal what.",
    ):  # fmt: skip
        return
    try:
        code, secret = ask(Rooms.open)
    except Refused as refused:
        warn(str(refused))
    else:
        room_keys.keep_secret(code, secret)
        st.switch_page(PAGES["room"].path, query_params={PLACE: code})


def door() -> None:
    """Draw the two ways into a room."""
    if last := room_keys.last():
        st.button(f"Back to the room {last}", key="room_back", icon=":material/arrow_back:", on_click=url.go,
                  args=(PLACE, last), help="The room where you were before.")  # fmt: skip
    student, teacher = st.columns(2, gap="medium")
    with student.container(border=True, height="stretch"):
        st.subheader("Join a room", anchor=False)
        st.markdown("Your teacher shows a code. You need no name and no account.")
        with st.form("join", border=False):
            st.text_input("Code", key=CODE, max_chars=20, placeholder="KXBDT",
                          help=f"{CODE_LENGTH} letters, large or small.")  # fmt: skip
            st.form_submit_button("Join", icon=":material/login:", type="primary", on_click=_go_in,
                                  help="Goes to the room, at the question where it is.")  # fmt: skip
    with teacher.container(border=True, height="stretch"):
        st.subheader("Open a room", anchor=False)
        st.markdown(
            "Ask your class a lesson's question, or one of your own. The wall shows **how many** have answered, and "
            "after *Reveal* **what** they answered, beside what really happens."
        )
        open_button("open_room")
        st.caption(
            "A room is gone after a day. It holds guesses, and neither names nor addresses: a student is a random "
            "number in the browser."
        )


def leave_button() -> None:
    """Draw the button that leads from a room to the door."""
    st.button("Leave the room", key="room_leave", icon=":material/logout:", on_click=url.go, args=(PLACE, None),
              help="Goes to the page where rooms are joined and opened. You can come back to this one.")  # fmt: skip


def warn(sentence: str) -> None:
    """Draw a sentence that says why something was not done."""
    st.warning(escape_markdown(sentence), icon=":material/info:")


def _go_in() -> None:
    try:
        url.go(PLACE, read_code(st.session_state[CODE]))
    except Refused as refused:
        room_keys.say(str(refused))
