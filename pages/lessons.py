"""Lessons: a question, a guess that one commits to, the picture that answers it, and one sentence to keep."""

from functools import partial
from typing import Any

import streamlit as st

import aklo  # noqa: F401  all of it, before any of its modules: see tests/test_imports.py
from aklo import handin
from aklo.lab.components.browser_store import browser_store
from aklo.lab.components.scroll_into_view import scroll_into_view
from aklo.lab.content import glossary, lesson_answers, lesson_record, lessons
from aklo.lab.content.lessons import Lesson
from aklo.lab.frame import lesson_pictures
from aklo.lab.frame.navigation import PAGES
from aklo.lab.frame.page import page, picture, table
from aklo.lab.frame.room_door import open_button
from aklo.lab.frame.widgets import controlled_widget
from aklo.lab.server import signing
from aklo.lab.session import exports, guesses, state, url
from aklo.lab.settings.text import escape_markdown

PARAMETER = "lesson"  # in the address


def radio(choices: dict[str, str], *, value: str | None, **options: Any) -> str | None:
    index = None if value is None else list(choices).index(value)
    return st.radio(options=list(choices), index=index, format_func=choices.__getitem__, **options)


def ask(lesson: Lesson, label: str) -> None:
    """The widget for the guess, and the button that commits to it once a guess has been made."""
    answer, settings, draft = lesson_answers.ANSWERS[lesson.answer], lesson.settings, guesses.drafts().get(lesson.name)
    options = {"label": label, "help": "Your guess. It counts when you commit to it, and then it cannot be changed."}
    report = partial(guesses.drafts().__setitem__, lesson.name)
    if answer.choices is not None:
        first, draw = "Choose an answer first", partial(radio, answer.choices(settings), **options)
        controlled_widget(f"guess_{lesson.name}", draft, draw, report)
    else:
        assert answer.high is not None
        first = "Move the slider to your guess first"
        draw = partial(st.slider, min_value=0, max_value=answer.high(settings), **options)
        controlled_widget(f"guess_{lesson.name}", 0 if draft is None else draft, draw, report)
    st.button(
        first if draft is None else f"Commit to “{answer.say(draft, settings)}”", key="commit", type="primary",
        icon=":material/lock:", on_click=guesses.commit, args=(lesson.name,), disabled=draft is None,
        help="Then the answer is played, and the guess stays as it is.",
    )  # fmt: skip


def question(lesson: Lesson, text: str, label: str) -> None:
    """The question, beside a picture where the guess needs one; on a phone the picture comes first."""
    before = lesson_pictures.BEFORE.get(lesson.answer)
    right = st.container()
    if before is not None:
        left, right = st.columns(2, gap="medium")
        with left, picture("before"):
            before(lesson, f"before_{lesson.name}")
    with right:
        st.markdown(text)
        ask(lesson, label)


def verdict(lesson: Lesson, label: str, played: bool) -> None:
    """The guess beside the outcome, which is told when the picture has been played."""
    answer, settings = lesson_answers.ANSWERS[lesson.answer], lesson.settings
    guess, outcome = guesses.committed()[lesson.name], answer.outcome(settings)
    values = {"Your guess": answer.say(guess, settings)}
    values["What happened"] = answer.say(outcome, settings) if played else "watch …"
    with st.container(key="lesson_verdict", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{label}**", width="stretch")
        for name, value in values.items():
            st.container(border=True, key=f"said_{name.split()[-1]}", width="content").markdown(
                f"{name}  \n:blue[**{value}**]"
            )
        if played:
            st.markdown(f"**{lesson_answers.difference(guess, outcome)}**", width="content")
        else:
            st.button(
                "Skip to the end", key="skip", icon=":material/skip_next:", on_click=guesses.played().add,
                args=(lesson.name,), help="Shows the answer at once.",
            )  # fmt: skip


def reveal(lesson: Lesson, facts: dict[str, str], text: str, label: str) -> None:
    """The answer, which is played; then what to see in it, and the sentence to keep."""
    played = lesson.name in guesses.played()
    verdict(lesson, label, played)
    with picture("answer"):
        lesson_pictures.draw(
            lesson, f"lesson_{lesson.name}", guess=guesses.committed()[lesson.name], played=played,
            on_end=partial(guesses.played().add, lesson.name),
        )  # fmt: skip
    if played:
        st.markdown(lessons.fill(lesson.look, facts))
        st.info(f"**To keep.** {lessons.fill(lesson.keep, facts)}", icon=":material/bookmark:")
        go_on(lesson)
    else:
        st.caption("When the picture has been played to its end, the lesson goes on here.")
    with st.expander("The question again"):
        st.markdown(text)


def go_on(lesson: Lesson) -> None:
    """Where one may go from an answered lesson."""
    target = PAGES[lesson.page]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Start this lesson anew", key="anew", icon=":material/restart_alt:", on_click=guesses.forget,
                  args=(lesson.name,), help="Takes your guess back, so that you can make another.")  # fmt: skip
        if st.button(
            f"Go on in “{target.name}”", key="try", icon=target.icon,
            help="Opens that page with this lesson's settings, to change them as you like. Undo, at the top of that "
            "page, brings your own back, and Lessons in the menu brings you here again.",
        ):  # fmt: skip
            state.replace(lesson.settings)
            st.switch_page(target.path, query_params=lesson.settings.address())


def turn(every: list[Lesson], number: int) -> None:
    """Back, all, next."""
    back, all_of_them, following = st.columns(3)
    back.button("Back", key="back", icon=":material/arrow_back:", width="stretch", disabled=number == 1,
                on_click=url.go, args=(PARAMETER, str(number - 1)), help="The lesson before this one.")  # fmt: skip
    all_of_them.button("All lessons", key="all", icon=":material/list:", width="stretch", on_click=url.go,
                       args=(PARAMETER, None), help="The list, with your guesses so far.")  # fmt: skip
    last, answered = number == len(every), every[number - 1].name in guesses.committed()
    following.button(
        "Next", key="next", icon=":material/arrow_forward:", width="stretch", disabled=last, on_click=url.go,
        args=(PARAMETER, str(number + 1)), type="primary" if answered and not last else "secondary",
        help="The lesson after this one. You can come back to this one.",
    )  # fmt: skip


def one(every: list[Lesson], number: int) -> None:
    lesson = every[number - 1]
    exports.describe(lesson.page, lesson.settings, {PARAMETER: str(number)})
    answered = lesson.name in guesses.committed()
    scroll_into_view(f"{number} {'answered' if answered else 'asked'}")
    done = sum(lesson.name in guesses.committed() for lesson in every)
    with st.container(key="lesson_title", horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader(lesson.title, anchor=False, width="content")
        st.caption(f"Lesson {number} of {len(every)} · {done} answered", width="content")
    with st.spinner("Computing what happens …"):
        facts = lesson_answers.facts(lesson)
    text, label = lessons.fill(lesson.question, facts), lessons.fill(lesson.guess, facts)
    if answered:
        reveal(lesson, facts, text, label)
    else:
        question(lesson, text, label)
    if lesson.words:
        st.caption(f"Words of this lesson, each opening in a tab of its own: {glossary.links(lesson.words)}.")
    turn(every, number)


def all_of(every: list[Lesson]) -> None:
    """The list, and guesses beside outcomes."""
    done = [lesson for lesson in every if lesson.name in guesses.committed()]
    st.markdown(
        "Each lesson asks a question first. **You guess and commit to it**, then the lab computes what happens and "
        "plays it. A few minutes each; leave and come back as you like. Your own settings elsewhere stay as they are."
    )
    st.progress(len(done) / len(every), f"{len(done)} of {len(every)} answered")
    left = next((number for number, lesson in enumerate(every, 1) if lesson not in done), None)
    for number, lesson in enumerate(every, 1):
        st.button(
            f"{number} · {lesson.title}", key=f"open_{number}", width="stretch", on_click=url.go,
            args=(PARAMETER, str(number)),
            icon=":material/check_circle:" if lesson in done else ":material/radio_button_unchecked:",
            type="primary" if number == left else "secondary", help="Answered." if lesson in done else "Not answered.",
        )  # fmt: skip
    open_button("open_room")
    if done:
        my_guesses(every, done)
    elif guesses.can_restore():
        undo_clear()
    st.caption(
        "For a class: each lesson has an address of its own, which can be sent as a link. The texts are Markdown files "
        "in assets/lessons; edit them, or add one."
    )


def my_guesses(every: list[Lesson], done: list[Lesson]) -> None:
    """What the visitor has guessed, how to clear it, and how to hand it in."""
    st.subheader("Your guesses beside what happened", anchor=False)
    with st.spinner("Computing what happens …"):
        summary = lesson_record.summary(done)
    table("Guesses and outcomes", summary)
    works, _ = guesses.browser() or (True, None)
    st.caption(
        "This browser keeps your guesses, on this computer: they are here again after a reload."
        if works
        else ":material/warning: This browser does not keep anything for this page (a private window, or a frame), so "
        "your guesses are gone when the page is closed. Hand them in before."
    )
    with st.container(horizontal=True):
        st.button("Clear all guesses", key="all_anew", icon=":material/delete:", on_click=guesses.forget,
                  args=tuple(lesson.name for lesson in every),
                  help="Takes all your guesses back, and deletes them from this browser.")  # fmt: skip
        if guesses.can_restore():
            undo_clear()
    hand_in(done)


def undo_clear() -> None:
    """The button that brings back what was cleared last."""
    st.button("Bring cleared guesses back", key="restore", icon=":material/undo:", on_click=guesses.restore,
              help="Undoes the last clearing. It is possible until the page is closed.")  # fmt: skip


def hand_in(done: list[Lesson]) -> None:
    """The record as one file and as one line, signed."""
    st.subheader("Hand in", anchor=False)
    draw = partial(
        st.text_input, label="Name (optional)", max_chars=60, width=360,
        help="As your teacher knows you: a name, or a number. It stands in what you hand in, and nowhere else.",
    )  # fmt: skip
    controlled_widget("handin_name", guesses.name(), draw, guesses.rename)
    made = guesses.hand_in(lesson_record.outcomes(done))
    st.markdown("One line to paste where your teacher asks for it:")
    st.code(made.to_line(), language=None, wrap_lines=True)
    st.download_button(
        "Download as a file", made.to_json(), "aklo_guesses.json", "application/json", key="handin_file",
        icon=":material/download:", on_click="ignore", help="The same as a file (JSON), to upload or to mail.",
    )  # fmt: skip
    fault = signing.fault()
    doubtful = sum(not row.vouched for row in made.rows)
    if fault is not None:
        st.caption(f":material/warning: The host's secret cannot be used, so this is a checksum only. {fault}")
    elif signing.handin_key().kind == "checksum":
        st.caption(
            "The host of this lab has set no secret, so the signature is a checksum: it finds mistakes in copying, and "
            "is no proof."
        )
    else:
        st.caption("Signed by this lab: a teacher who has its secret can check that nothing was changed.")
    if doubtful:
        st.caption(f":material/info: Guesses that this lab has not signed: {doubtful}. They are marked as such.")


with page("lessons", place=PARAMETER):
    found, faults = lessons.load(lesson_answers.check)
    for fault in faults:
        st.caption(f":material/info: {escape_markdown(fault)}")
    heard = guesses.browser()
    if heard is not None and heard[1] is not None:
        st.caption(f":material/info: {escape_markdown(heard[1])}")
    asked = url.parameter(PARAMETER)
    if not found:
        st.info("There are no lessons: the folder assets/lessons has no file that can be read.")
    elif asked is None:
        all_of(found)
    elif asked in map(str, range(1, len(found) + 1)):
        one(found, int(asked))
    else:
        st.caption(f":material/info: Lesson {escape_markdown(asked[:20])} does not exist: here are those that do.")
        url.go(PARAMETER, None)
        all_of(found)
    browser_store(
        lesson_record.NAME, lesson_record.text_to_keep(), longest=handin.LONGEST, heard=heard is not None,
        on_kept=lambda kept: lesson_record.take(kept, found),
    )  # fmt: skip
