"""The outcomes that a lesson can ask for, each computed from the lesson's settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import aklo
from aklo.lab.compute import bounds, schedule_comparison
from aklo.lab.compute import lesson_outcomes as outcomes
from aklo.lab.content import lesson_needs as need
from aklo.lab.content import lessons
from aklo.lab.content.lesson_needs import FIRST, Need, first_lack
from aklo.lab.content.lessons import Lesson
from aklo.lab.session.guesses import Guess
from aklo.lab.settings.field import OWN
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import schedule_title
from aklo.wording import count


@dataclass(frozen=True)
class Answer:
    """One kind of outcome: a whole number from 0 to high(settings), or one of choices(settings), value -> label.

    Attributes
    ----------
    outcome : computes the number or the value.
    say : returns it as text.
    names : the names of the facts.
    facts : computes further values that a lesson's text can contain, as text.
    high, choices : the range of the outcome; one of them is given.
    needs : what the settings have to have for the outcome and its picture.
    lesson_needs : what a lesson has to have besides, for its text and for the picture before the question.
    compares : whether a lesson has to have other settings to compare with.
    """

    outcome: Callable[[Settings], Guess]
    say: Callable[[Guess, Settings], str]
    names: tuple[str, ...]
    facts: Callable[[Settings], dict[str, str]]
    high: Callable[[Settings], int] | None = None
    choices: Callable[[Settings], dict[str, str]] | None = None
    needs: tuple[Need, ...] = ()
    lesson_needs: tuple[Need, ...] = ()
    compares: bool = False

    def lacks(self, settings: Settings) -> str:
        """Return a sentence on what the settings lack for the outcome and its picture, or ""."""
        return first_lack(self.needs, settings)


def all_lessons() -> list[Lesson]:
    """Return the lessons of the folder that can be shown, in order."""
    return lessons.load(check)[0]


def facts(lesson: Lesson) -> dict[str, str]:
    """Return all values that the lesson's text can contain, by name, as text."""
    answer, settings, beside = ANSWERS[lesson.answer], lesson.settings, lesson.beside
    found = answer.facts(settings) | {"outcome": answer.say(answer.outcome(settings), settings)}
    if beside is not None:
        found["beside"] = answer.say(answer.outcome(beside), beside)
        found |= {f"beside {name}": value for name, value in answer.facts(beside).items()}
    return found


@lru_cache(maxsize=200)  # pages check all lessons whenever they are drawn
def check(lesson: Lesson) -> None:
    """Check that the lesson can be shown, without computing its outcome; ValueError says why not."""
    if lesson.answer not in ANSWERS:
        raise ValueError(f"{lesson.name}: {lesson.answer!r} is not an answer; choose from: {', '.join(ANSWERS)}.")
    if OWN in (lesson.settings.dataset, lesson.beside and lesson.beside.dataset):
        raise ValueError(f"{lesson.name}: a lesson cannot be about tasks that a visitor brings.")
    answer = ANSWERS[lesson.answer]
    names = answer.names
    beside = ["beside", *(f"beside {name}" for name in names)] if lesson.beside else []
    known = [*names, "outcome", *beside]
    unknown = sorted(set().union(*lesson.placeholders.values()) - set(known))
    if unknown:
        raise ValueError(f"{lesson.name}: {{{{{unknown[0]}}}}} is not computed here; there are {', '.join(known)}.")
    strange = [name for name in lesson.methods if name not in lesson.settings.methods]
    if strange:
        known = list(lesson.settings.methods)
        raise ValueError(
            f"{lesson.name}: {strange[0]!r} is not a method of these settings; choose from: {', '.join(known)}. Give "
            "others as ch=… in the settings."
        )
    if answer.compares and lesson.beside is None:
        raise ValueError(f"{lesson.name}: 'beside' is missing, the stream to compare with.")
    for settings in filter(None, (lesson.settings, lesson.beside)):
        if lack := first_lack((*answer.needs, *answer.lesson_needs), settings):
            raise ValueError(f"{lesson.name}: {lack}")


def is_guess(lesson: Lesson, value: object) -> bool:
    """Return whether a value, which may come from outside, is a possible guess of the lesson's question."""
    answer = ANSWERS[lesson.answer]
    if answer.choices is not None:
        return isinstance(value, str) and value in answer.choices(lesson.settings)
    assert answer.high is not None
    return type(value) is int and 0 <= value <= answer.high(lesson.settings)


def difference(guess: Guess, outcome: Guess) -> str:
    """Return a sentence on the difference between a guess and the outcome."""
    if guess == outcome:
        return "You had it exactly."
    if isinstance(guess, str) or isinstance(outcome, str):
        return "It went another way."
    return f"Your guess was {abs(guess - outcome)} too {'high' if guess > outcome else 'low'}."


def _schedules(settings: Settings) -> dict[str, str]:
    lettered = zip(schedule_comparison.LETTERS, settings.kept_schedules, strict=False)
    return {spec: f"{letter} · {schedule_title(aklo.Schedule.parse(spec))}" for letter, spec in lettered}


def _in(thing: str) -> Callable[[Guess, Settings], str]:
    """Return a function that says a number of things."""
    return lambda value, settings: count(int(value), thing)


_STREAM = ("tasks", "quarter", *aklo.METHODS, "early", "late")
_QUARTER = need.examples(4, "a quarter of a task is one example at least")
ANSWERS: dict[str, Answer] = {
    "mistakes in the task": Answer(
        outcomes.mistakes, _in("mistake"), ("examples", "quarter", "early", "late"), outcomes.task_facts,
        high=lambda settings: settings.n_examples,
        lesson_needs=(need.plane, need.examples(FIRST, f"the first {FIRST} examples are shown before the guess")),
    ),
    "errors over the stream": Answer(
        outcomes.error_share, lambda value, settings: outcomes.whole_percent(value), _STREAM, outcomes.stream_facts,
        high=lambda settings: 100,
        lesson_needs=(need.plane, _QUARTER),
    ),
    "tasks that it hurts": Answer(
        outcomes.hurt, _in("task"), (*_STREAM, "able"), outcomes.hurt_facts,
        high=lambda settings: settings.n_tasks,
        needs=(need.tasks(2, "one task alone has no experts"),), lesson_needs=(_QUARTER,),
    ),
    "steps to find friends": Answer(
        outcomes.steps_to_find_friends, _in("example"), (*_STREAM, "alike", "first", "last"), outcomes.friend_facts,
        high=lambda settings: settings.n_examples,
        needs=(need.friends_and_strangers,), lesson_needs=(_QUARTER,),
    ),
    "best method": Answer(
        outcomes.best_method, lambda value, settings: str(value), _STREAM, outcomes.stream_facts,
        choices=lambda settings: {method: method for method in settings.methods},
        lesson_needs=(_QUARTER,),
    ),
    "best schedule": Answer(
        outcomes.best_schedule, lambda value, settings: _schedules(settings).get(str(value), str(value)),
        ("repetitions", "best", "next", "lead", *schedule_comparison.LETTERS), outcomes.schedule_facts,
        choices=_schedules,
        needs=(need.two_schedules, need.schedules_that_run, need.two_repetitions),
    ),
    "mistakes against a promise": Answer(
        outcomes.mistakes_of_case, _in("mistake"), ("promise", "statement", "examples", "loudness"),
        outcomes.promise_facts, high=lambda settings: len(bounds.case(settings).y),
    ),
    "regret at the end": Answer(
        outcomes.final_regret, _in("mistake"),
        ("tasks", "examples", "quarter", "best", "early", "late", "Unif early", "Unif late"), outcomes.regret_facts,
        high=lambda settings: 100,
        needs=(need.tasks(2, "one task alone has no experts"),), lesson_needs=(_QUARTER,),
    ),
    "values of alpha that win": Answer(
        outcomes.alphas_that_win, _in("value"),
        ("values", "pool", "best", "best alpha", "experts", "learner", "rate"), outcomes.alpha_facts,
        high=lambda settings: len(outcomes.ALPHAS),
        needs=(need.tasks(5, "the picture's range is that of the fifth task and of later ones"),), compares=True,
    ),
}  # fmt: skip
