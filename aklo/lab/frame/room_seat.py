"""A room as a student sees it: guess, wait for the others, and see the own guess among theirs."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from aklo.lab.components.room_client import room_client
from aklo.lab.components.scroll_into_view import scroll_into_view
from aklo.lab.content import room_questions
from aklo.lab.content.room_questions import Shown
from aklo.lab.frame.navigation import PAGES
from aklo.lab.frame.page import picture
from aklo.lab.frame.room_answer import answer
from aklo.lab.frame.room_door import attempt, leave_button
from aklo.lab.frame.widgets import keep_true
from aklo.lab.server.room_records import ASKING, CLOSED, HIDDEN, REVEALED, Question, Room, Sight
from aklo.lab.server.rooms import Rooms
from aklo.lab.session import room_keys, state

HISTOGRAM = 260  # its height in pixels: on a phone the picture begins to play in view


def seat(sight: Sight, student: str) -> None:
    """Draw the room for a student, who has joined it."""
    room, question = sight.room, sight.question
    scroll_into_view(f"{room.number} {room.state}")  # a phone may stand anywhere in what was there before
    room_client(room, on_who=partial(room_keys.learn, room.code))
    if room.state == CLOSED:
        st.info("This room is closed. The lessons are there for you as long as you like.", icon=":material/lock:")
        PAGES["lessons"].link(state.settings(), "Go to the lessons")
    elif question is None:
        st.info(f"You are in the room {room.code}. The first question comes in a moment.", icon=":material/hourglass:")
    else:
        _at_question(sight, question, room_questions.shown(question), student)
    leave_button()


def _at_question(sight: Sight, question: Question, shown: Shown, student: str) -> None:
    room, own = sight.room, sight.own
    if room.state == REVEALED:
        if own is None:
            st.markdown("You have not guessed this time.")
        else:
            verdict = "" if question.outcome is None else f" **{_difference(question, own)}**"
            st.markdown(f"Your guess: :blue[**{shown.say(own)}**].{verdict}")
        answer(sight, question, shown, height=HISTOGRAM)
        return
    st.subheader(f"{room.number} · {shown.title}", anchor=False)
    st.markdown(shown.text)
    if shown.before is not None:
        with picture("room_before"):
            shown.before(f"room_before_{room.number}")
    if room.state == HIDDEN:
        said = "You have not guessed." if own is None else f"Your guess: **{shown.say(own)}**."
        st.info(f"{said} The guessing has ended; look at the wall.", icon=":material/hourglass:")
    elif room.state == ASKING:
        _guess(room, question, shown, student, own)


def _guess(room: Room, question: Question, shown: Shown, student: str, own: float | None) -> None:
    """The slider or the choices, and the button that sends the guess."""
    place = (room.code, room.number)
    draft = room_keys.drafts().get(place, own)
    words: dict[str, Any] = {"label": shown.label, "help": "You can change your guess until the answer is revealed."}
    if question.choices:
        value, draw = draft, partial(_choices, question, shown, **words)
    else:
        whole = question.step == 1
        number = int if whole else float
        middle = question.low + round((question.high - question.low) / 2 / question.step) * question.step
        value = number(middle if draft is None else draft)
        limits = {"min_value": number(question.low), "max_value": number(question.high), "step": number(question.step)}
        draw = partial(st.slider, **limits, **words)
    keep_true(f"guess_{room.code}_{room.number}", value, draw, partial(room_keys.drafts().__setitem__, place))
    changed = draft is not None and draft != own
    st.button(
        "Send my guess", key="send", type="primary", icon=":material/send:", disabled=not changed, on_click=_send,
        args=(room, student), help="Stores your guess. Nobody sees whose it is.",
    )  # fmt: skip
    if own is not None:
        st.markdown(f"Your guess is in: :blue[**{shown.say(own)}**]. You can change it until the answer is revealed.")
    elif draft is None:
        st.caption("Choose one, then send it." if question.choices else "Move the slider to your guess, then send it.")


def _send(room: Room, student: str) -> None:
    """Store what the slider shows: the browser reports it together with the press, and it may have moved since."""
    guess = room_keys.drafts().get((room.code, room.number))
    if guess is not None:
        attempt(Rooms.guess, room.code, student, room.number, guess)


def _choices(question: Question, shown: Shown, *, value: float | None, **words: Any) -> int | None:
    index = None if value is None else int(value)
    return st.radio(options=range(len(question.choices)), index=index, format_func=shown.say, **words)


def _difference(question: Question, own: float) -> str:
    assert question.outcome is not None
    if question.choices:
        return "That is right." if own == question.outcome else "It went another way."
    apart = own - question.outcome
    return f"It was {abs(apart):g} too {'high' if apart > 0 else 'low'}." if apart else "You had it exactly."
