"""A room as its teacher sees it, on the wall: the code, how many have answered, and after Reveal what they said."""

from __future__ import annotations

from functools import partial

import streamlit as st

from aklo.lab.components.room_client import room_client
from aklo.lab.content import room_questions
from aklo.lab.frame.room_answer import answer, before
from aklo.lab.frame.room_steering import steering
from aklo.lab.server.room_records import ASKING, CLOSED, HIDDEN, RoomView
from aklo.lab.session import room_keys

HISTOGRAM = 380  # its height in pixels


def wall(view: RoomView, secret: str, link: str) -> None:
    """Draw the wall. secret: the teacher's; link: by which students join."""
    room, question = view.room, view.question
    client = partial(
        room_client, room, on_who=partial(room_keys.learn, room.code), secret=secret, link=link, counts=view.counts
    )
    with st.container(key="room_bar", horizontal=True, vertical_alignment="center", gap="small"):
        steering(room, question, secret, link)
    if room.state == CLOSED:
        st.info(
            "The room is closed: nobody can join or guess any more. Its guesses can be exported until it is gone, a "
            "day after it was opened.",
            icon=":material/lock:",
        )
    if question is None:
        client(size="large")
        return
    shown = room_questions.shown(question)
    if room.state in (ASKING, HIDDEN):
        left, right = st.columns(2, gap="large")
        with left.container(key="room_question"):
            st.subheader(f"{room.number} · {shown.title}", anchor=False)
            st.markdown(shown.text)
            if shown.asked != shown.text:
                st.markdown(f"**{shown.asked}**")
            if room.state == HIDDEN:
                st.caption("Guesses and answer are hidden. Nobody can guess now: Reveal shows them, Reopen goes on.")
        with right:
            client(size="large")
            before(shown, room.number)  # beside the question, where the wall has room for it
        return
    client(size="small")
    answer(view, question, shown, height=HISTOGRAM)
