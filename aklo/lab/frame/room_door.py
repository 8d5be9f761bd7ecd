"""The door of the rooms: to open one, and to join one by its code."""

from __future__ import annotations

import streamlit as st

from aklo.lab.frame.navigation import PAGES
from aklo.lab.frame.room_calls import ask, warn
from aklo.lab.server.room_records import CODE_LENGTH, read_code
from aklo.lab.server.rooms import Rooms
from aklo.lab.server.rooms_database import Refused
from aklo.lab.session import room_keys, url

PARAMETER, SECRET = "room", "teacher"  # in the address
CODE = "room_code"  # the key of the field for it


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
        st.switch_page(PAGES["room"].path, query_params={PARAMETER: code})


def door() -> None:
    """Draw the two ways into a room."""
    if last := room_keys.last():
        st.button(f"Back to the room {last}", key="room_back", icon=":material/arrow_back:", on_click=url.go,
                  args=(PARAMETER, last), help="The room where you were before.")  # fmt: skip
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
    st.button("Leave the room", key="room_leave", icon=":material/logout:", on_click=url.go, args=(PARAMETER, None),
              help="Goes to the page where rooms are joined and opened. You can come back to this one.")  # fmt: skip


def _go_in() -> None:
    try:
        url.go(PARAMETER, read_code(st.session_state[CODE]))
    except Refused as refused:
        room_keys.set_notice(str(refused))
