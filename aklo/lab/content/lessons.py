"""Reads and checks lessons, which are Markdown files that a teacher can edit.

A file has a title, some lines `- name: value`, and four sections, in this order:

    # The title

    - answer: what is computed, a key of `lesson_answers.ANSWERS`
    - settings: d=conflict&an=180     as in a page's address; the others have their defaults
    - beside: an=0                    optional: other settings to compare with
    - page: watch                     the page to which the lesson links
    - words: alpha, expert            anchors of the glossary
    - methods: ITOL, TOL              optional: the methods that the answer's picture shows; all of them by default

    ## Question
    ## Guess      one sentence, the label of the slider or the choices
    ## Look       what to see in the picture
    ## Keep       one sentence

In the sections `{{name}}` is a placeholder for a computed value: `{{outcome}}` (not before the guess), the facts of
the answer, and the same with the settings to compare with: `{{beside}}` for the outcome, `{{beside name}}` for a fact.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from urllib.parse import parse_qsl

from aklo.lab.settings.schema import Settings, read_strictly, waiting_sentence
from aklo.location import lab_folder

FOLDER = lab_folder() / "assets" / "lessons"
SECTIONS = ("Question", "Guess", "Look", "Keep")
NEEDED, OPTIONAL = ("answer", "settings", "page"), ("beside", "words", "methods")
PLACEHOLDER = re.compile(r"\{\{(.*?)\}\}")


@dataclass(frozen=True)
class Lesson:
    """One lesson. name: of its file, which identifies it; beside: settings to compare with; the others are as above."""

    name: str
    title: str
    answer: str
    settings: Settings
    beside: Settings | None
    page: str
    words: tuple[str, ...]
    methods: tuple[str, ...]
    question: str
    guess: str
    look: str
    keep: str

    @property
    def placeholders(self) -> dict[str, set[str]]:
        """The names of the placeholders in each section."""
        return {section: set(PLACEHOLDER.findall(getattr(self, section.lower()))) for section in SECTIONS}


def fill(text: str, facts: Mapping[str, str]) -> str:
    """Return a section with its placeholders replaced.

    >>> fill("It was {{outcome}}.", {"outcome": "8 mistakes"})
    'It was 8 mistakes.'
    """
    return PLACEHOLDER.sub(lambda found: facts[found[1]], text)


@lru_cache(maxsize=200)  # pages ask for all lessons whenever they are drawn
def read(text: str, name: str) -> Lesson:
    """Return the lesson of a file's text; ValueError says what is wrong with it."""
    head, *rest = re.split(r"^## +", text, flags=re.MULTILINE)
    titles = re.findall(r"^# +(.+)$", head, re.MULTILINE)
    if len(titles) != 1:
        raise ValueError(f"{name}: a lesson begins with one title, a line such as '# Learning alone'.")
    given = dict(re.findall(r"^- +(\w+): *(.*?) *$", head, re.MULTILINE))
    unknown = sorted(given.keys() - {*NEEDED, *OPTIONAL})
    missing = [word for word in NEEDED if not given.get(word)]
    if unknown or missing:
        wrong = f"{unknown[0]!r} is not known here" if unknown else f"{missing[0]!r} is missing"
        raise ValueError(f"{name}: {wrong}; the lines are {', '.join(NEEDED)} and, if wanted, {', '.join(OPTIONAL)}.")
    parts = [(word.strip(), body.strip()) for word, _, body in (part.partition("\n") for part in rest)]
    if [word for word, _ in parts] != list(SECTIONS) or not all(body for _, body in parts):
        raise ValueError(f"{name}: the sections are {', '.join(SECTIONS)}, in this order, and none is empty.")
    sections = {word.lower(): " ".join(body.split("\n")) if word in ("Guess", "Keep") else body for word, body in parts}
    lesson = Lesson(
        name=name, title=titles[0].strip(), answer=given["answer"], settings=_settings(given["settings"], name),
        beside=_settings(f"{given['settings']}&{given['beside']}", name) if given.get("beside") else None,
        page=given["page"], words=_listed(given.get("words", "")), methods=_listed(given.get("methods", "")),
        **sections,
    )  # fmt: skip
    if "outcome" in lesson.placeholders["Question"] | lesson.placeholders["Guess"]:
        raise ValueError(f"{name}: {{{{outcome}}}} stands before the guess, and would give it away.")
    return lesson


def _listed(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, text.split(","))))


def _settings(query: str, name: str) -> Settings:
    try:
        settings = read_strictly(dict(parse_qsl(query)))
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    if settings.alpha_waits:
        raise ValueError(f"{name}: {waiting_sentence(settings)}")
    return settings


def load(check: Callable[[Lesson], None], folder: Path = FOLDER) -> tuple[list[Lesson], list[str]]:
    """Return the lessons of a folder, sorted by file name, and a sentence for each file that is not a valid lesson.

    check: raises ValueError for a lesson that cannot be shown, as `lesson_answers.check` does.
    """
    lessons, faults = [], []
    for file in sorted(folder.glob("*.md")):
        try:
            lesson = read(file.read_text(encoding="utf-8"), file.stem)
            check(lesson)
        except (ValueError, UnicodeDecodeError) as error:
            faults.append(str(error))
        else:
            lessons.append(lesson)
    return lessons, faults
