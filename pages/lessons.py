"""Lessons: a question, a guess that one commits to, the picture that answers it, and one sentence to keep."""

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

import aklo  # noqa: F401  all of it, before any of its modules: see tests/test_imports.py
from aklo.lab.content import glossary, lesson_answers, lessons
from aklo.lab.content.lessons import Lesson
from aklo.lab.frame.navigation import PAGES
from aklo.lab.frame.page import page, table
from aklo.lab.frame.room_door import open_button
from aklo.lab.frame.widgets import keep_true
from aklo.lab.session import exports, guesses, state, url
from aklo.lab.settings.text import escape_markdown

PLACE = "lesson"  # in the address


def radio(choices: dict[str, str], *, value: str | None, **options: Any) -> str | None:
    index = None if value is None else list(choices).index(value)
    return st.radio(options=list(choices), index=index, format_func=choices.__getitem__, **options)


def ask(lesson: Lesson, label: str) -> None:
    """The widget for the guess, and the button that commits to it."""
    answer, settings = lesson_answers.ANSWERS[lesson.answer], lesson.settings
    words = {"label": label, "help": "Your guess. It counts when you commit to it, and then it cannot be changed."}
    draft = guesses.drafts().get(lesson.name)
    if answer.choices is not None:
        choices = answer.choices(settings)
        said, draw = "this guess", partial(radio, choices, **words)
    else:
        high = answer.high(settings)
        draft = guesses.drafts().setdefault(lesson.name, high // 2)
        said, draw = f"“{answer.say(draft, settings)}”", partial(st.slider, min_value=0, max_value=high, **words)
    keep_true(f"guess_{lesson.name}", draft, draw, partial(guesses.drafts().__setitem__, lesson.name))
    st.button(
        f"Commit to {said}", key="commit", type="primary", icon=":material/lock:", on_click=guesses.commit,
        args=(lesson.name,),
        disabled=lesson.name not in guesses.drafts(), help="Then the picture is shown, and the guess stays as it is.",
    )  # fmt: skip


def reveal(lesson: Lesson, facts: dict[str, str]) -> None:
    """The picture, what to see in it, the sentence to keep, and the guess beside the outcome."""
    answer, settings = lesson_answers.ANSWERS[lesson.answer], lesson.settings
    guess, outcome = guesses.committed()[lesson.name], answer.outcome(settings)
    st.markdown(lessons.fill(lesson.look, facts))
    answer.draw(settings, f"lesson_{lesson.name}")
    st.info(f"**To keep.** {lessons.fill(lesson.keep, facts)}", icon=":material/bookmark:")
    values = {"Your guess": answer.say(guess, settings), "What happened": facts["outcome"]}
    for column, (name, value) in zip(st.columns(2), values.items(), strict=True):
        column.container(border=True, key=f"said_{name.split()[-1]}").markdown(f"{name}  \n:blue[**{value}**]")
    st.markdown(f"**{lesson_answers.difference(guess, outcome)}**")


def go_on(lesson: Lesson) -> None:
    """Where one may go from an answered lesson."""
    target = PAGES[lesson.page]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Start this lesson anew", key="anew", icon=":material/restart_alt:", on_click=guesses.forget,
                  args=(lesson.name,), help="Takes your guess back, so that you can make another.")  # fmt: skip
        if st.button(
            f"Go on in “{target.name}”", key="try", icon=target.icon,
            help="Opens that page with this lesson's settings, to change them as you like. Undo in its sidebar brings "
            "your own back, and Lessons in the menu brings you here again.",
        ):  # fmt: skip
            state.replace(lesson.settings)
            st.switch_page(target.path, query_params=lesson.settings.address())


def turn(every: list[Lesson], number: int) -> None:
    """Back, all, next."""
    back, all_of_them, following = st.columns(3)
    back.button("Back", key="back", icon=":material/arrow_back:", width="stretch", disabled=number == 1,
                on_click=url.go, args=(PLACE, str(number - 1)), help="The lesson before this one.")  # fmt: skip
    all_of_them.button("All lessons", key="all", icon=":material/list:", width="stretch", on_click=url.go,
                       args=(PLACE, None), help="The list, with your guesses so far.")  # fmt: skip
    last, answered = number == len(every), every[number - 1].name in guesses.committed()
    following.button(
        "Next", key="next", icon=":material/arrow_forward:", width="stretch", disabled=last, on_click=url.go,
        args=(PLACE, str(number + 1)), type="primary" if answered and not last else "secondary",
        help="The lesson after this one. You can come back to this one.",
    )  # fmt: skip


def one(every: list[Lesson], number: int) -> None:
    lesson = every[number - 1]
    exports.describe(lesson.page, lesson.settings, {PLACE: str(number)})
    done = sum(lesson.name in guesses.committed() for lesson in every)
    st.progress(done / len(every), f"Lesson {number} of {len(every)} · {done} answered")
    st.subheader(lesson.title, anchor=False)
    with st.spinner("Computing what happens …"):
        facts = lesson_answers.facts(lesson)
    st.markdown(lessons.fill(lesson.question, facts))
    label = lessons.fill(lesson.guess, facts)
    if lesson.name in guesses.committed():
        said = lesson_answers.ANSWERS[lesson.answer].say(guesses.committed()[lesson.name], lesson.settings)
        st.markdown(f"**{label}** You said: {said}.")
        reveal(lesson, facts)
        go_on(lesson)
    else:
        ask(lesson, label)
    if lesson.words:
        st.caption(f"Words of this lesson, each opening in a tab of its own: {glossary.links(lesson.words)}.")
    turn(every, number)


def all_of(every: list[Lesson]) -> None:
    """The list, and guesses beside outcomes."""
    done = [lesson for lesson in every if lesson.name in guesses.committed()]
    st.markdown(
        "Each lesson asks a question first. **You guess and commit to it**, then the lab computes what happens and "
        "shows it. A few minutes each; leave and come back as you like. Your own settings elsewhere stay as they are."
    )
    st.progress(len(done) / len(every), f"{len(done)} of {len(every)} answered")
    left = next((number for number, lesson in enumerate(every, 1) if lesson not in done), None)
    for number, lesson in enumerate(every, 1):
        st.button(
            f"{number} · {lesson.title}", key=f"open_{number}", width="stretch", on_click=url.go,
            args=(PLACE, str(number)),
            icon=":material/check_circle:" if lesson in done else ":material/radio_button_unchecked:",
            type="primary" if number == left else "secondary", help="Answered." if lesson in done else "Not answered.",
        )  # fmt: skip
    open_button("open_room")
    if done:
        st.subheader("Your guesses beside what happened", anchor=False)
        table("Guesses and outcomes", _summary(done))
        st.button("Start all lessons anew", key="all_anew", icon=":material/restart_alt:", on_click=guesses.forget,
                  args=tuple(lesson.name for lesson in every), help="Takes all your guesses back.")  # fmt: skip
    st.caption(
        "Guesses are kept while this tab is open, and nowhere else. For a class: the address of a lesson is a link to "
        "it. The texts are Markdown files in assets/lessons; edit them, or add one."
    )


def _summary(done: list[Lesson]) -> pd.DataFrame:
    rows = {}
    for lesson in done:
        answer, guess = lesson_answers.ANSWERS[lesson.answer], guesses.committed()[lesson.name]
        outcome = answer.outcome(lesson.settings)
        said = [answer.say(value, lesson.settings) for value in (guess, outcome)]
        rows[lesson.title] = [*said, lesson_answers.difference(guess, outcome)]
    return pd.DataFrame.from_dict(rows, orient="index", columns=["Your guess", "What happened", "So"]).rename_axis(
        "Lesson"
    )


with page("lessons", place=PLACE):
    found, faults = lessons.load(lesson_answers.check)
    for fault in faults:
        st.caption(f":material/info: {escape_markdown(fault)}")
    asked = url.place(PLACE)
    if not found:
        st.info("There are no lessons: the folder assets/lessons has no file that can be read.")
    elif asked is None:
        all_of(found)
    elif asked in map(str, range(1, len(found) + 1)):
        one(found, int(asked))
    else:
        st.caption(f":material/info: Lesson {escape_markdown(asked[:20])} does not exist: here are those that do.")
        url.go(PLACE, None)
        all_of(found)
