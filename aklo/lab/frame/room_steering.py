"""What a teacher steers a room with: Reveal, Hide, Reopen, the next question, export, and the end."""

from __future__ import annotations

from typing import Any

import streamlit as st

from aklo.lab.content import lab_links, lesson_answers, room_questions
from aklo.lab.export.room_csv import room_csv
from aklo.lab.frame.navigation import PAGES
from aklo.lab.frame.room_calls import ask, attempt
from aklo.lab.frame.room_door import SECRET, leave_button
from aklo.lab.server.room_records import ASKING, CLOSED, REVEALED, WAITING, Question, Room
from aklo.lab.server.rooms import Rooms
from aklo.lab.session import url
from aklo.lab.settings.schema import Settings

# The pages that a question can be about -> the settings with which they open.
ASKABLE = {stem: page.opening(Settings()) for stem, page in PAGES.items() if stem != "room"}


def steering(room: Room, question: Question | None, secret: str, link: str) -> None:
    """The teacher's buttons."""
    if room.state != CLOSED:
        if room.number:
            _states(room, secret)
        _next(room, question, secret)
    with st.popover("More", icon=":material/more_horiz:", width="content"):
        st.download_button(
            "Export the guesses (CSV)", data=lambda: room_csv(*ask(Rooms.table, room.code, secret)),
            file_name=f"room_{room.code}.csv", mime="text/csv", icon=":material/download:", key="room_export",
            on_click="ignore",
            help="One line for each guess: the question, the student's number, the guess, what happens, and the time.",
        )  # fmt: skip
        if st.toggle(
            "Show my link as the teacher", key="room_secret",
            help="For another device, such as a phone to steer from. Anyone who has it can do all that you can: do not "
            "show it on the wall.",
        ):  # fmt: skip
            st.code(f"{link}&{SECRET}={secret}", language=None, wrap_lines=True)
        if room.state != CLOSED:
            help = "Ends the room for everybody, for good. The guesses can still be exported."
            _button("Close the room", Rooms.close, room, secret, icon=":material/lock:", help=help)
        leave_button()


def _states(room: Room, secret: str) -> None:
    if room.state != REVEALED:
        _button("Reveal", Rooms.reveal, room, secret, icon=":material/visibility:", type="primary",
                help="Ends the guessing. All screens show the guesses, what happens, and its picture.")  # fmt: skip
    else:
        _button("Hide", Rooms.hide, room, secret, icon=":material/visibility_off:",
                help="Hides guesses and answer again on all screens. Nobody can guess meanwhile.")  # fmt: skip
    if room.state != ASKING:
        _button("Reopen", Rooms.reopen, room, secret, icon=":material/lock_open:",
                help="Hides guesses and answer, and lets students change their guess, or make one.")  # fmt: skip


def _next(room: Room, question: Question | None, secret: str) -> None:
    """The choice of the next question. The lesson after the present one is chosen to begin with."""
    every = lesson_answers.all_lessons()
    names = [lesson.name for lesson in every]
    here = question.lesson if question else ""
    following = min(names.index(here) + 1, len(names) - 1) if here in names else 0
    key = f"room_next_{room.number}"
    if every:
        st.selectbox(
            "Next question", range(len(every)), index=following, key=key, label_visibility="collapsed", width=280,
            format_func=lambda at: f"{at + 1} · {every[at].title}", help="The lesson whose question comes next.",
        )  # fmt: skip
        st.button(
            "Next question" if room.number else "Ask", key="room_ask", icon=":material/arrow_forward:",
            type="primary" if room.state in (WAITING, REVEALED) else "secondary", on_click=_ask_lesson,
            args=(room, secret, key), help="Moves everybody on to the question that is chosen beside this button.",
        )  # fmt: skip
    with st.popover("A question of your own", icon=":material/edit:", width="content"):
        _own_question(room, secret)


def _own_question(room: Room, secret: str) -> None:
    st.caption(
        "Set any page of the lab as you like, in another tab, and copy its link: by Share, or from the address. "
        "*Reveal* plays that page's picture, or shows the page itself."
    )
    number, choice = st.tabs(["A number", "A choice"])
    for tab, kind in ((number, "number"), (choice, "choice")):
        with tab, st.form(f"own_{kind}", border=False):
            st.text_input("Link", key=f"own_{kind}_link", placeholder="…/watch?t=12", help="To the page that "
                          "answers the question.", max_chars=lab_links.LONGEST_LINK)  # fmt: skip
            st.text_area("Question", key=f"own_{kind}_text", max_chars=room_questions.LONGEST_TEXT, height=80,
                         help="What the students read.")  # fmt: skip
            if kind == "number":
                low, high, outcome = st.columns(3)
                largest = room_questions.LARGEST_ANSWER
                limits: dict[str, Any] = {"min_value": -largest, "max_value": largest}
                low.number_input("Lowest", value=0.0, key="own_low", format="%g", **limits,
                                 help="The left end of the students' slider.")  # fmt: skip
                high.number_input("Highest", value=100.0, key="own_high", format="%g", **limits,
                                  help="The right end of the students' slider.")  # fmt: skip
                outcome.number_input("Answer", value=None, key="own_number_outcome", format="%g", **limits,
                                     help="Drawn as a line at the reveal; empty if there is none.")  # fmt: skip
            else:
                st.text_area("Choices", key="own_choices", height=100, max_chars=1000, help="One in each line.")
                st.number_input("Right choice", value=None, min_value=1, max_value=room_questions.MOST_CHOICES, step=1,
                                key="own_choice_outcome", help="Its number; empty if there is none.")  # fmt: skip
            st.form_submit_button("Ask the room", type="primary", on_click=_ask_own, args=(room, secret, kind),
                                  help="Moves everybody on to this question.")  # fmt: skip


def _button(label: str, action: Any, room: Room, secret: str, **options: Any) -> None:
    key = f"room_{label.split()[0].lower()}"
    arguments: dict[str, Any] = {"args": (action, room.code, secret), "kwargs": {"at": room.number}}
    st.button(label, key=key, on_click=attempt, **arguments, **options)


def _ask_lesson(room: Room, secret: str, key: str) -> None:
    lesson = lesson_answers.all_lessons()[st.session_state[key]]
    attempt(lambda rooms: rooms.ask(room.code, secret, room_questions.of_lesson(lesson), at=room.number))


def _ask_own(room: Room, secret: str, kind: str) -> None:
    given = st.session_state
    text, link = given[f"own_{kind}_text"], given[f"own_{kind}_link"]

    def put(rooms: Rooms) -> None:
        page, settings = lab_links.read_link(link, lab=url.lab_address(), openings=ASKABLE)
        if kind == "number":
            limits = {"low": given["own_low"], "high": given["own_high"], "outcome": given["own_number_outcome"]}
            question = room_questions.own_number(text, page, settings, **limits)
        else:
            choices, outcome = given["own_choices"], given["own_choice_outcome"]
            question = room_questions.own_choice(text, page, settings, choices=choices, outcome=outcome)
        rooms.ask(room.code, secret, question, at=room.number)

    attempt(put)
