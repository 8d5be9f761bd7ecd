"""A room: a teacher asks, a class guesses, each on their own screen, and then all see the guesses and the answer."""

from functools import partial

import streamlit as st

import aklo  # noqa: F401  all of it, before any of its modules: see tests/test_imports.py
from aklo.lab.components.room_client import room_client
from aklo.lab.frame.page import page
from aklo.lab.frame.room_calls import ask, warn
from aklo.lab.frame.room_door import PARAMETER, SECRET, door
from aklo.lab.frame.room_seat import seat
from aklo.lab.frame.room_wall import wall
from aklo.lab.server.room_records import Room, read_code
from aklo.lab.server.rooms import Rooms
from aklo.lab.server.rooms_database import Refused, Unavailable
from aklo.lab.session import room_keys, url


def enter(code: str, given: str | None) -> None:
    """Draw a room for its teacher or a student. given: the secret in the address, which may be anybody's."""
    student, held = room_keys.student() or "", given or room_keys.secret(code) or ""
    view = ask(Rooms.view, code, token=student, secret=held)
    if given:
        room_keys.keep_secret(code, given if view.teacher else "")
        if not view.teacher:
            warn(f"This link does not give a teacher's rights in the room {code}. You come in as a student.")
    room_keys.enter(code)
    if view.teacher:
        wall(view, held, f"{st.context.url or 'room'}?{PARAMETER}={code}")
    elif not student or room_keys.secret(code) is None:
        st.caption(f"Going into the room {code} …")
        room_client(view.room, on_who=partial(room_keys.learn, code), asks=True)
    else:
        if not view.joined:
            ask(Rooms.join, code, student)
        seat(view, student)


given = st.query_params.get(SECRET)  # before the frame writes the address anew, without it
with page("room", place=PARAMETER):
    if notice := room_keys.pop_notice():
        warn(notice)
    text = url.parameter(PARAMETER)
    if text is None:
        door()
    else:
        try:
            code = read_code(text)
            enter(code, given)
        except Unavailable as fault:
            warn(str(fault))
            # It asks every second, and has the page drawn anew when the rooms can be reached again.
            room_client(Room(code), on_who=partial(room_keys.learn, code))
        except Refused as refused:
            warn(str(refused))
            room_keys.enter("")
            door()
