"""The answer to a room's question, on all screens: what was guessed, what happens, and the picture of it."""

from __future__ import annotations

import streamlit as st

from aklo.lab.charts import room as charts
from aklo.lab.components.player import PlayerOptions, PlayerView, task_player
from aklo.lab.components.plotly_chart import show
from aklo.lab.compute import effort
from aklo.lab.content import lesson_answers
from aklo.lab.content.lab_links import link_to
from aklo.lab.content.room_questions import Shown
from aklo.lab.frame import lesson_pictures
from aklo.lab.frame.lesson_pictures import Showing
from aklo.lab.frame.navigation import PAGES
from aklo.lab.frame.page import picture
from aklo.lab.server.room_records import Question, RoomView
from aklo.lab.session import url
from aklo.lab.settings.schema import Settings
from aklo.rules import METHODS

FRAME = 560  # height of a page that is shown in the place of a picture, in pixels
PLAYER = "one task"  # what is played where it is no lesson's picture


def before(shown: Shown, number: int) -> None:
    """Draw what is seen before the guess, if the question needs a picture. number: of the question."""
    if shown.lesson is not None and shown.lesson.answer in lesson_pictures.BEFORE:
        with picture("room_before"):
            lesson_pictures.BEFORE[shown.lesson.answer](shown.lesson, f"room_before_{number}")


def answer(view: RoomView, question: Question, shown: Shown, *, height: int) -> None:
    """Draw what the room has guessed beside the outcome, the picture that answers the question, and what to keep.

    height: of the histogram, in pixels.
    """
    outcome = "" if question.outcome is None else f" What happens: **{shown.say(question.outcome)}**."
    left, right = st.columns([2, 3], gap="medium")
    with left:
        st.subheader(f"{view.room.number} · {shown.title}", anchor=False)
        st.markdown(f"{shown.asked}  \n{_guesses(len(view.guesses))}.{outcome}")
        _histogram(view, question, shown, height)
    with right, picture("room_picture"):
        _draw_picture(shown, f"room_{view.room.number}")
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


def _draw_picture(shown: Shown, key: str) -> None:
    """Play the lesson's answer or what the page shows, or else show the page itself in a frame."""
    page, settings = shown.page, shown.settings
    if shown.lesson is not None:
        lesson_pictures.draw(shown.lesson, key)
        return
    answer = _played(page, settings)
    if answer == PLAYER:
        options = PlayerOptions(small=True, autoplay=True)
        task_player(settings, key=key, view=PlayerView(method=settings.method), options=options)
    elif answer is not None:
        lesson_pictures.PICTURES[answer](settings, key, Showing())
    else:
        st.iframe(
            link_to(url.lab_address(), page, settings, embed="true"), height=FRAME,
            alt="The page of the lab that answers the question",
        )  # fmt: skip


def _played(page: str, settings: Settings) -> str | None:
    """Return the lessons' answer whose picture plays what a page shows, or `PLAYER`; None where there is none.

    There is none, either, for rules beside the paper's six, which only some pages show, and for more work than is done
    unasked: the page itself says how long it takes, and lets others draw meanwhile.
    """
    times = settings.repetitions * len(settings.kept_schedules) if page == "alpha" else 1
    if settings.challengers or settings.method not in METHODS or times * effort.units(settings) > effort.UNASKED:
        return None
    if page == "watch":
        return PLAYER
    kind = {
        "alpha": "best schedule",
        "compare": "errors over the stream",
        "theory": "mistakes against a promise" if settings.theory_part == "Counterexamples" else None,
        "transfer": "tasks that it hurts",
    }.get(page)
    return None if kind is None or lesson_answers.ANSWERS[kind].lacks(settings) else kind


def _histogram(view: RoomView, question: Question, shown: Shown, height: int) -> None:
    guesses, own = view.guesses, view.own
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
