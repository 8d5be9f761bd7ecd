"""The answer to a room's question, on all screens: what was guessed, what happens, and the picture of it."""

from __future__ import annotations

import streamlit as st

from aklo.lab.charts import room as charts
from aklo.lab.components.plotly_chart import show
from aklo.lab.content.lab_links import link_to
from aklo.lab.content.room_questions import Shown
from aklo.lab.frame.navigation import PAGES
from aklo.lab.frame.page import picture
from aklo.lab.server.room_records import Question, Sight
from aklo.lab.session import url


def answer(sight: Sight, question: Question, shown: Shown, *, height: int) -> None:
    """Draw what the room has guessed beside the outcome, the picture that answers the question, and what to keep.

    height: of the histogram, in pixels.
    """
    outcome = "" if question.outcome is None else f" What happens: **{shown.say(question.outcome)}**."
    left, right = st.columns([2, 3], gap="medium")
    with left:
        st.subheader(f"{sight.room.number} · {shown.title}", anchor=False)
        st.markdown(f"{shown.asked}  \n{_guesses(len(sight.guesses))}.{outcome}")
        _histogram(sight, question, shown, height)
    with right, picture("room_picture"):
        shown.draw(f"room_{sight.room.number}")
        if not question.lesson:
            about = PAGES[question.page]
            st.link_button(
                f"Open “{about.name}” in a tab", link_to(url.lab_address(), question.page, shown.settings),
                icon=about.icon, help="The page with all its controls. The room stays open here.",
            )  # fmt: skip
    if shown.look:
        st.markdown(shown.look)
    if shown.keep:
        st.info(f"**To keep.** {shown.keep}", icon=":material/bookmark:")


def _histogram(sight: Sight, question: Question, shown: Shown, height: int) -> None:
    guesses, own = sight.guesses, sight.own
    if question.choices:
        figure = charts.choices(guesses, question.choices, outcome=question.outcome, own=own, height=height)
        said = ", ".join(f"{label} {guesses.count(at)}" for at, label in enumerate(question.choices))
    else:
        figure = charts.numbers(
            guesses, question.low, question.high, question.step, outcome=question.outcome, own=own, title="Guess",
            height=height,
        )  # fmt: skip
        said = ", ".join(f"{value:g}" for value in guesses)
    happens = "" if question.outcome is None else f" What happens: {shown.plain(question.outcome)}."
    show(figure, "room_guesses", f"The room's guesses: {said or 'none'}.{happens}")


def _guesses(n: int) -> str:
    return "1 guess" if n == 1 else f"{n} guesses"
