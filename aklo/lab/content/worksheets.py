"""Worksheets: a lesson's question on one page of paper, for any seed, with the numbers of its answer key.

Everything is computed by the functions of the lessons (`lesson_answers`) from the lesson's settings with another seed,
so a worksheet is there for every lesson of the folder.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import aklo
from aklo.lab.charts import worksheet as charts
from aklo.lab.compute import bounds, lesson_outcomes, runs
from aklo.lab.content import lesson_answers
from aklo.lab.content.lesson_needs import FIRST
from aklo.lab.content.lessons import Lesson
from aklo.lab.settings.schema import FIELDS, Settings
from aklo.lab.settings.text import percent

SHOWN = 30  # examples that are shown of a task of a stream
MOST = 500  # worksheets that are made at once
LENGTHS = 101  # lengths of the counterexample, from the lesson's own on


@dataclass(frozen=True)
class Picture:
    """What a question needs to be answered by reasoning: a picture, or a table.

    svg: the picture; rows: those of the table, the headings first; caption: what it shows.
    """

    caption: str
    svg: str = ""
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Worksheet:
    """The worksheet of a lesson.

    Attributes
    ----------
    number : of the lesson, from 1.
    lesson : with the worksheet's seed.
    facts : the values in the lesson's texts, by name, for this seed.
    own_seed, own_facts : the seed of the lesson itself, and the same values for it.
    picture : beside the question; None if there is none.
    """

    number: int
    lesson: Lesson
    facts: Mapping[str, str]
    own_seed: int
    own_facts: Mapping[str, str]
    picture: Picture | None

    @property
    def seed(self) -> int:
        return self.lesson.settings.seed

    @property
    def range(self) -> str:
        """Between which numbers the answer is, in words; empty if it is a choice."""
        answer, settings = lesson_answers.ANSWERS[self.lesson.answer], self.lesson.settings
        if answer.high is None:
            return ""
        return f"from {answer.say(0, settings)} to {answer.say(answer.high(settings), settings)}"

    @property
    def choices(self) -> tuple[str, ...]:
        """The answers to choose from; empty if it is a number."""
        choices = lesson_answers.ANSWERS[self.lesson.answer].choices
        return () if choices is None else tuple(choices(self.lesson.settings).values())

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the values that the lesson's texts contain, the outcome first."""
        return tuple(dict.fromkeys(["outcome", *(name for name in self.facts if name in self._used)]))

    @property
    def _used(self) -> set[str]:
        return set().union(*self.lesson.placeholders.values())


def worksheet(number: int, lesson: Lesson, seed: int) -> Worksheet:
    """Return the worksheet of a lesson for a seed.

    number: of the lesson, from 1.
    """
    seeded = with_seed(lesson, seed)
    picture = PICTURES.get(lesson.answer, first_tasks)(seeded)
    return Worksheet(number, seeded, _facts(seeded), lesson.settings.seed, _facts(lesson), picture)


@lru_cache(maxsize=64)
def _facts(lesson: Lesson) -> Mapping[str, str]:
    """Return the values in the lesson's texts. Those of the lesson itself are needed for each worksheet of a class."""
    return lesson_answers.facts(lesson)


def with_seed(lesson: Lesson, seed: int) -> Lesson:
    """Return the lesson with another seed.

    A counterexample has no random numbers. There the seed changes the number of examples instead, so that there is
    another answer; with the lesson's own seed it is the lesson's own number.
    """

    def seeded(settings: Settings) -> Settings:
        changed = settings.change(seed=seed)
        if lesson.answer == "mistakes against a promise":
            n = settings.liar_n + (changed.seed - settings.seed) % LENGTHS
            changed = changed.change(liar_n=n, theory_part="Counterexamples")  # the part of the page that shows it
        return changed

    beside = None if lesson.beside is None else seeded(lesson.beside)
    return dataclasses.replace(lesson, settings=seeded(lesson.settings), beside=beside)


def read_seeds(text: str) -> list[int]:
    """Return the seeds of a text such as "1-30" or "3,5,8"; ValueError says what is wrong with it.

    >>> read_seeds("3,5,8-10")
    [3, 5, 8, 9, 10]
    """
    highest, seeds = int(FIELDS["seed"].high), list[int]()
    for part in text.split(","):
        first, dash, last = (word.strip() for word in part.partition("-"))
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise ValueError(f"The seeds are {text[:60]!r}, where something like 1-30 or 3,5,8 is needed.")
        ends = int(first), int(last or first)
        if not ends[0] <= ends[1] <= highest:
            raise ValueError(f"The seeds {part.strip()[:60]} are not between 0 and {highest}, the lower one first.")
        seeds += range(ends[0], ends[1] + 1)
    if len(seeds) > MOST:
        raise ValueError(f"These are {len(seeds)} seeds, and {MOST} worksheets at most are made at once.")
    return seeds


# ---------------------------------------------------------------------------------------------------------- pictures


def first_tasks(lesson: Lesson) -> Picture | None:
    """The first task of each of two groups, or the first two tasks; None if the examples are not in a plane."""
    settings = lesson.settings
    stream = runs.stream(settings)
    if stream.d != 2:
        return None
    groups = list(stream.task_groups)
    numbers = sorted({group: groups.index(group) for group in groups}.values())[:2]
    if len(numbers) < 2:
        numbers = list(range(min(2, len(stream))))
    names = runs.group_names(settings)
    titles = {f"Task {number}, group {names[groups[number]]}": number for number in numbers}
    svg = charts.planes(stream, titles, first=SHOWN)
    return Picture(f"The first {SHOWN} examples of two of the tasks: ● is +1, ◆ is −1. The line parts them.", svg)


def first_examples(lesson: Lesson) -> Picture | None:
    """The first examples of the lesson's task, without the line that the learner has to find."""
    settings = lesson.settings
    stream = runs.stream(settings)
    if stream.d != 2:
        return None
    svg = charts.planes(stream, {f"Task {settings.task}": settings.task}, first=FIRST, numbered=True)
    return Picture(f"The first {FIRST} examples, in their order: ● is +1, ◆ is −1.", svg)


def alphas(lesson: Lesson) -> Picture:
    """The schedules to choose from."""
    settings = lesson.settings
    values = [aklo.Schedule.parse(spec).values(settings.n_examples) for spec in settings.kept_schedules]
    return Picture("α, the experts' share of the vote, at each step of a task.", charts.schedules(values))


def experts(lesson: Lesson) -> Picture:
    """What each expert of a counterexample says of the first example."""
    case = bounds.case(lesson.settings)
    replay = case.replay()
    rows = [("Expert", "weight at the start", "its number for the first example", "the same, cut to [−1, 1]")]
    for i, score in enumerate(case.experts @ case.X[0]):
        rows.append((str(i + 1), f"{replay.weights[0, i]:g}", _number(score), _number(replay.advice[0, i])))
    return Picture(f"The label of the first example is {_number(case.y[0])}.", rows=tuple(rows))


def errors_by_alpha(lesson: Lesson) -> Picture:
    """The error of AKLO Sum with constant values of alpha, on the stream to compare with and on the lesson's."""
    streams = {"first stream": lesson.beside, "second stream": lesson.settings}
    rows = [("α", *(f"{alpha:g}" for alpha in lesson_outcomes.ALPHAS))]
    for name, settings in streams.items():
        if settings is not None:
            rows.append((name, *map(percent, lesson_outcomes.by_alpha(settings).mean(axis=1))))
    return Picture("The share of wrong predictions of AKLO Sum, if α is the same at every step.", rows=tuple(rows))


def _number(value: float) -> str:
    return f"{value:+,.10g}".replace("-", "−")


# Kind of answer -> its picture; all others have the first tasks of the stream.
PICTURES: dict[str, Callable[[Lesson], Picture | None]] = {
    "mistakes in the task": first_examples,
    "best schedule": alphas,
    "mistakes against a promise": experts,
    "values of alpha that win": errors_by_alpha,
}
