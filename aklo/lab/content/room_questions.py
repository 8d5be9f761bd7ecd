"""The questions of a room: those of the lessons, and a teacher's own about any state of the lab."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from aklo.lab.components.player import PlayerView, task_player
from aklo.lab.compute import effort
from aklo.lab.content import lab_links, lesson_answers, lessons
from aklo.lab.content.lessons import Lesson
from aklo.lab.server.room_records import Question
from aklo.lab.server.rooms_database import Refused
from aklo.lab.session import url
from aklo.lab.settings.schema import Settings, read_address
from aklo.lab.settings.text import escape_markdown, one_line
from aklo.rules import METHODS

LONGEST_TEXT, LONGEST_CHOICE, MOST_CHOICES = 300, 60, 8
LARGEST = 1e6  # number that can be asked for
FRAME = 560  # height of a page that is shown in the place of a picture, in pixels
PLAYER = "one task"  # what is played where it is no lesson's picture


@dataclass(frozen=True)
class Shown:
    """A question as it is drawn. Texts are Markdown.

    Attributes
    ----------
    title, text, label : before the guess.
    asked : the question in one sentence.
    say, plain : return a guess, or the outcome, in words: as Markdown, and as plain text.
    draw : draws the picture that answers the question, given a key.
    look, keep : what to see in the picture, and the sentence to keep; they may be empty.
    page, settings : the state of the lab that answers it.
    before : draws the picture that a guess needs, given a key; None where it needs none.
    """

    title: str
    text: str
    label: str
    asked: str
    say: Callable[[float], str]
    plain: Callable[[float], str]
    draw: Callable[[str], None]
    look: str
    keep: str
    page: str
    settings: Settings
    before: Callable[[str], None] | None = None


def all_lessons() -> list[Lesson]:
    """Return the lessons, in order."""
    return lessons.load(lesson_answers.check)[0]


def of_lesson(lesson: Lesson) -> Question:
    """Return a lesson's question, with its outcome computed."""
    answer, settings = lesson_answers.ANSWERS[lesson.answer], lesson.settings
    outcome, choices = answer.outcome(settings), answer.choices(settings) if answer.choices else {}
    at = list(choices).index(str(outcome)) if choices else float(outcome)
    high = len(choices) - 1 if choices else answer.high(settings) if answer.high else 100
    return Question(
        lesson=lesson.name, page=lesson.page, query=urlencode(settings.address()), choices=tuple(choices.values()),
        high=high, outcome=at,
    )  # fmt: skip


def own_number(text: str, page: str, settings: Settings, *, low: float, high: float, outcome: float | None) -> Question:
    """Return a teacher's question for a number; `Refused` says what is wrong. page, settings: what answers it."""
    if not -LARGEST <= low < high <= LARGEST:
        raise Refused(f"The lowest answer has to be below the highest, and both within ±{LARGEST:,.0f}.")
    if outcome is not None and not low <= outcome <= high:
        raise Refused(f"The answer {outcome:g} is not between {low:g} and {high:g}.")
    whole = low == int(low) and high == int(high) and high - low >= 10
    return Question(
        text=_text(text), page=page, query=urlencode(settings.address()), low=low, high=high,
        step=1 if whole else (high - low) / 100, outcome=outcome,
    )  # fmt: skip


def own_choice(text: str, page: str, settings: Settings, *, choices: str, outcome: int | None) -> Question:
    """Return a teacher's question with choices, one in each line. outcome: the number of the right one, from 1."""
    found = [one_line(line) for line in choices[:5000].splitlines() if line.strip()]
    if not 2 <= len(found) <= MOST_CHOICES or len(set(found)) < len(found):
        raise Refused(f"Give two to {MOST_CHOICES} choices, one in each line, no two alike.")
    if any(len(choice) > LONGEST_CHOICE for choice in found):
        raise Refused(f"A choice has at most {LONGEST_CHOICE} characters.")
    if outcome is not None and not 1 <= outcome <= len(found):
        raise Refused(f"Choice {outcome} cannot be the right one: there are {len(found)}.")
    return Question(
        text=_text(text), page=page, query=urlencode(settings.address()), choices=tuple(found), high=len(found) - 1,
        outcome=None if outcome is None else outcome - 1,
    )  # fmt: skip


def shown(question: Question) -> Shown:
    """Return how a question is drawn."""
    if not question.lesson:
        return _own(question)
    lesson = next((one for one in all_lessons() if one.name == question.lesson), None)
    if lesson is None:
        raise Refused(f"The lesson of this question, {question.lesson}, is no longer there.")
    return _of_lesson(question, lesson)


@lru_cache(maxsize=100)  # the same for all screens of a class
def _of_lesson(question: Question, lesson: Lesson) -> Shown:
    answer, settings, facts = lesson_answers.ANSWERS[lesson.answer], lesson.settings, lesson_answers.facts(lesson)

    def say(value: float) -> str:
        return question.choices[int(value)] if question.choices else answer.say(round(value), settings)

    fill = partial(lessons.fill, facts=facts)
    return Shown(
        title=lesson.title, text=fill(lesson.question), label=fill(lesson.guess), asked=fill(lesson.guess),
        say=say, plain=say,
        draw=lambda key: lesson_answers.draw(lesson, key), look=fill(lesson.look), keep=fill(lesson.keep),
        page=lesson.page, settings=settings, before=partial(answer.before, lesson) if answer.before else None,
    )  # fmt: skip


def _own(question: Question) -> Shown:
    settings = read_address(dict(parse_qsl(question.query)))[0]

    def say(value: float) -> str:
        return question.choices[int(value)] if question.choices else f"{value:g}"

    return Shown(
        title="Your teacher asks", text=escape_markdown(question.text), label="Your guess",
        asked=escape_markdown(question.text),
        say=lambda value: escape_markdown(say(value)), plain=say, draw=partial(_draw_state, question.page, settings),
        look="", keep="", page=question.page, settings=settings,
    )  # fmt: skip


def _draw_state(page: str, settings: Settings, key: str) -> None:
    """Play the picture of a page, or show the page itself in a frame: its picture, where it has one."""
    answer = _played(page, settings)
    if answer == PLAYER:
        task_player(settings, key=key, view=PlayerView(method=settings.method), small=True, autoplay=True)
    elif answer is not None:
        lesson_answers.ANSWERS[answer].draw(settings, key)
    else:
        st.iframe(
            lab_links.link_to(url.lab_address(), page, settings, embed="true"), height=FRAME,
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


def _text(text: str) -> str:
    found = one_line(text)
    if not 1 <= len(found) <= LONGEST_TEXT:
        raise Refused(f"A question has 1 to {LONGEST_TEXT} characters; this one has {len(found)}.")
    return found
