"""The questions of a room: those of the lessons, and a teacher's own about any state of the lab."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from urllib.parse import parse_qsl, urlencode, urlsplit

from aklo.lab.components.player import PlayerView, task_player
from aklo.lab.content import lesson_answers, lessons
from aklo.lab.content.lessons import Lesson
from aklo.lab.server.room_records import Question
from aklo.lab.server.rooms_database import Refused
from aklo.lab.settings.schema import OWN, Settings, read_address
from aklo.lab.settings.text import escape_markdown, one_line

LONGEST_TEXT, LONGEST_CHOICE, LONGEST_LINK, MOST_CHOICES = 300, 60, 2000, 8
LARGEST = 1e6  # number that can be asked for


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


def own_number(
    text: str, link: str, pages: Collection[str], *, low: float, high: float, outcome: float | None
) -> Question:
    """Return a teacher's question for a number; `Refused` says what is wrong. pages: those that a link may lead to."""
    if not -LARGEST <= low < high <= LARGEST:
        raise Refused(f"The lowest answer has to be below the highest, and both within ±{LARGEST:,.0f}.")
    if outcome is not None and not low <= outcome <= high:
        raise Refused(f"The answer {outcome:g} is not between {low:g} and {high:g}.")
    whole = low == int(low) and high == int(high) and high - low >= 10
    page, query = _state(link, pages)
    return Question(
        text=_text(text), page=page, query=query, low=low, high=high, step=1 if whole else (high - low) / 100,
        outcome=outcome,
    )  # fmt: skip


def own_choice(text: str, link: str, pages: Collection[str], *, choices: str, outcome: int | None) -> Question:
    """Return a teacher's question with choices, one in each line. outcome: the number of the right one, from 1."""
    found = [one_line(line) for line in choices[:5000].splitlines() if line.strip()]
    if not 2 <= len(found) <= MOST_CHOICES or len(set(found)) < len(found):
        raise Refused(f"Give two to {MOST_CHOICES} choices, one in each line, no two alike.")
    if any(len(choice) > LONGEST_CHOICE for choice in found):
        raise Refused(f"A choice has at most {LONGEST_CHOICE} characters.")
    if outcome is not None and not 1 <= outcome <= len(found):
        raise Refused(f"Choice {outcome} cannot be the right one: there are {len(found)}.")
    page, query = _state(link, pages)
    at = None if outcome is None else outcome - 1
    return Question(text=_text(text), page=page, query=query, choices=tuple(found), high=len(found) - 1, outcome=at)


def shown(question: Question) -> Shown:
    """Return how a question is drawn."""
    if not question.lesson:
        return _own(question)
    lesson = next((one for one in all_lessons() if one.name == question.lesson), None)
    if lesson is None:
        raise Refused(f"The lesson of this question, {question.lesson}, is no longer there.")
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
    settings = read_address(dict(parse_qsl(question.query)))[0].change(challengers=())

    def say(value: float) -> str:
        return question.choices[int(value)] if question.choices else f"{value:g}"

    def draw(key: str) -> None:
        answer = _pictured(question.page, settings)
        if answer:
            lesson_answers.ANSWERS[answer].draw(settings, key)
        else:
            task_player(settings, key=key, view=PlayerView(method=settings.method), small=True, autoplay=True)

    return Shown(
        title="Your teacher asks", text=escape_markdown(question.text), label="Your guess",
        asked=escape_markdown(question.text),
        say=lambda value: escape_markdown(say(value)), plain=say, draw=draw, look="", keep="", page=question.page,
        settings=settings,
    )  # fmt: skip


def _pictured(page: str, settings: Settings) -> str | None:
    """Return the lessons' answer whose picture shows what a page shows; None where that is the task in the player."""
    if page == "theory":
        return "mistakes against a promise" if settings.theory_part == "Counterexamples" else None
    if page == "alpha":
        return "best schedule" if settings.kept_schedules else None
    return {"compare": "errors over the stream", "transfer": "tasks that it hurts"}.get(page)


def _text(text: str) -> str:
    found = one_line(text)
    if not 1 <= len(found) <= LONGEST_TEXT:
        raise Refused(f"A question has 1 to {LONGEST_TEXT} characters; this one has {len(found)}.")
    return found


def _state(link: str, pages: Collection[str]) -> tuple[str, str]:
    """Return the page and the query of a link to a state of the lab."""
    if len(link) > LONGEST_LINK:
        raise Refused(f"A link has at most {LONGEST_LINK} characters; this one has {len(link)}.")
    try:
        parts = urlsplit(link.strip())
        query = dict(parse_qsl(parts.query))
    except ValueError:
        raise Refused("The link cannot be read. Copy it from Share, or from the address of the page.") from None
    page = parts.path.rstrip("/").rpartition("/")[2]
    if page not in pages:
        raise Refused(f"The link has to lead to a page with a picture: {', '.join(pages)}.")
    settings, notes = read_address(query)
    if notes:
        raise Refused(f"The link is not a valid one. {notes[0]}")
    if settings.dataset == OWN:
        raise Refused("A question cannot be about tasks of your own: the students' screens do not have them.")
    return page, urlencode(settings.address())
