"""Lessons: a question, a guess that one commits to, the picture that answers it, and one sentence to keep."""

import pandas as pd
import streamlit as st

from aklo.lab.content import glossary, lesson_answers, lessons
from aklo.lab.content.lessons import Lesson
from aklo.lab.frame import page
from aklo.lab.session import exports
from aklo.lab.settings.text import escape_markdown

PAGES = {path.removeprefix("pages/").removesuffix(".py"): (path, label, icon)
         for section in page.MENU.values() for path, label, icon, _ in section}  # fmt: skip


def guesses() -> dict[str, lesson_answers.Guess]:
    """Lesson -> what this visitor has committed to. It outlives a visit to other pages, not a reload."""
    return st.session_state.setdefault("guesses", {})


def drafts() -> dict[str, lesson_answers.Guess]:
    """Lesson -> where this visitor left the slider, or the choices, before committing."""
    return st.session_state.setdefault("drafts", {})


def commit(lesson: Lesson) -> None:
    if lesson.name in drafts():
        guesses().setdefault(lesson.name, drafts()[lesson.name])  # the first word holds


def anew(lesson: Lesson) -> None:
    guesses().pop(lesson.name, None)
    drafts().pop(lesson.name, None)


def everything_anew(every: list[Lesson]) -> None:
    for lesson in every:
        anew(lesson)


def ask(lesson: Lesson, label: str) -> None:
    """The widget for the guess, and the button that commits to it."""
    answer, settings, key = lesson_answers.ANSWERS[lesson.answer], lesson.settings, f"guess_{lesson.name}"

    def moved() -> None:
        drafts()[lesson.name] = st.session_state[key]

    once = "Your guess. It counts when you commit to it, and then it cannot be changed."
    arrives = key not in st.session_state  # later it is the browser's: setting it would undo what is being pressed
    if answer.choices is not None:
        choices, words = answer.choices(settings), "this guess"
        if arrives:
            st.session_state[key] = drafts().get(lesson.name)
        st.radio(label, list(choices), format_func=choices.__getitem__, key=key, on_change=moved, help=once)
    else:
        high = answer.high(settings)
        words = f"“{answer.say(drafts().setdefault(lesson.name, high // 2), settings)}”"
        if arrives:
            st.session_state[key] = drafts()[lesson.name]
        st.slider(label, 0, high, key=key, on_change=moved, help=once)
    st.button(
        f"Commit to {words}", key="commit", type="primary", icon=":material/lock:", on_click=commit, args=(lesson,),
        disabled=lesson.name not in drafts(), help="Then the picture is shown, and the guess stays as it is.",
    )  # fmt: skip


def reveal(lesson: Lesson, facts: dict[str, str]) -> None:
    """The picture, what to see in it, the sentence to keep, and the guess beside the outcome."""
    answer, settings = lesson_answers.ANSWERS[lesson.answer], lesson.settings
    guess, outcome = guesses()[lesson.name], answer.outcome(settings)
    st.markdown(lessons.fill(lesson.look, facts))
    answer.draw(settings, f"lesson_{lesson.name}")
    st.info(f"**To keep.** {lessons.fill(lesson.keep, facts)}", icon=":material/bookmark:")
    values = {"Your guess": answer.say(guess, settings), "What happened": facts["outcome"]}
    for column, (name, value) in zip(st.columns(2), values.items(), strict=True):
        column.container(border=True, key=f"said_{name.split()[-1]}").markdown(f"{name}  \n:blue[**{value}**]")
    st.markdown(f"**{lesson_answers.difference(guess, outcome)}**")


def go_on(lesson: Lesson) -> None:
    """Where one may go from an answered lesson."""
    path, label, icon = PAGES[lesson.page]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Start this lesson anew", key="anew", icon=":material/restart_alt:", on_click=anew, args=(lesson,),
                  help="Takes your guess back, so that you can make another.")  # fmt: skip
        if st.button(
            f"Go on in “{label}”", key="try", icon=icon,
            help="Opens that page with this lesson's settings, to change them as you like. Undo in its sidebar brings "
            "your own back, and Lessons in the menu brings you here again.",
        ):  # fmt: skip
            page.begin(lesson.settings)
            st.switch_page(path, query_params=lesson.settings.address())


def turn(every: list[Lesson], number: int) -> None:
    """Back, all, next."""
    back, all_of_them, following = st.columns(3)
    back.button("Back", key="back", icon=":material/arrow_back:", width="stretch", disabled=number == 1,
                on_click=page.go, args=(str(number - 1),), help="The lesson before this one.")  # fmt: skip
    all_of_them.button("All lessons", key="all", icon=":material/list:", width="stretch", on_click=page.go,
                       args=(None,), help="The list, with your guesses so far.")  # fmt: skip
    last = number == len(every)
    following.button(
        "Next", key="next", icon=":material/arrow_forward:", width="stretch", disabled=last, on_click=page.go,
        args=(str(number + 1),), type="primary" if every[number - 1].name in guesses() and not last else "secondary",
        help="The lesson after this one. You can come back to this one.",
    )  # fmt: skip


def one(every: list[Lesson], number: int) -> None:
    lesson = every[number - 1]
    done = sum(lesson.name in guesses() for lesson in every)
    st.progress(done / len(every), f"Lesson {number} of {len(every)} · {done} answered")
    st.subheader(lesson.title, anchor=False)
    with st.spinner("Computing what happens …"):
        facts = lesson_answers.facts(lesson)
    st.markdown(lessons.fill(lesson.question, facts))
    label = lessons.fill(lesson.guess, facts)
    if lesson.name in guesses():
        said = lesson_answers.ANSWERS[lesson.answer].say(guesses()[lesson.name], lesson.settings)
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
    done = [lesson for lesson in every if lesson.name in guesses()]
    st.markdown(
        "Each lesson asks a question first. **You guess and commit to it**, then the lab computes what happens and "
        "shows it. A few minutes each; leave and come back as you like. Your own settings elsewhere stay as they are."
    )
    st.progress(len(done) / len(every), f"{len(done)} of {len(every)} answered")
    left = next((number for number, lesson in enumerate(every, 1) if lesson not in done), None)
    for number, lesson in enumerate(every, 1):
        st.button(
            f"{number} · {lesson.title}", key=f"open_{number}", width="stretch", on_click=page.go, args=(str(number),),
            icon=":material/check_circle:" if lesson in done else ":material/radio_button_unchecked:",
            type="primary" if number == left else "secondary", help="Answered." if lesson in done else "Not answered.",
        )  # fmt: skip
    if done:
        st.subheader("Your guesses beside what happened", anchor=False)
        exports.table("Guesses and outcomes", _summary(done))
        st.button("Start all lessons anew", key="all_anew", icon=":material/restart_alt:", on_click=everything_anew,
                  args=(every,), help="Takes all your guesses back.")  # fmt: skip
    st.caption(
        "Guesses are kept while this tab is open, and nowhere else. For a class: the address of a lesson is a link to "
        "it. The texts are Markdown files in assets/lessons; edit them, or add one."
    )


def _summary(done: list[Lesson]) -> pd.DataFrame:
    rows = {}
    for lesson in done:
        answer, guess = lesson_answers.ANSWERS[lesson.answer], guesses()[lesson.name]
        outcome = answer.outcome(lesson.settings)
        said = [answer.say(value, lesson.settings) for value in (guess, outcome)]
        rows[lesson.title] = [*said, lesson_answers.difference(guess, outcome)]
    return pd.DataFrame.from_dict(rows, orient="index", columns=["Your guess", "What happened", "So"]).rename_axis(
        "Lesson"
    )


with page.page("Lessons", "What do you think will happen? Guess first, then see.", place="lesson"):
    found, faults = lessons.load(lesson_answers.check)
    for fault in faults:
        st.caption(f":material/info: {escape_markdown(fault)}")
    asked = page.place()
    if not found:
        st.info("There are no lessons: the folder assets/lessons has no file that can be read.")
    elif asked is None:
        all_of(found)
    elif asked in map(str, range(1, len(found) + 1)):
        one(found, int(asked))
    else:
        st.caption(f":material/info: Lesson {escape_markdown(asked[:20])} does not exist: here are those that do.")
        page.go(None)
        all_of(found)
