"""A visitor's record of guesses: checked against the lessons, listed, and ready to be handed in."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from aklo.handin import Record
from aklo.handin_fields import iso
from aklo.lab.components.browser_store import Kept
from aklo.lab.content import lesson_answers
from aklo.lab.content.lessons import Lesson
from aklo.lab.session import guesses
from aklo.lab.session.guesses import Guess

NAME = "guesses"  # of what the browser keeps


def text_to_keep() -> str:
    """Return the text that the browser is to keep; "" for a record without a guess."""
    record = guesses.record()
    return record.to_json() if record.entries else ""


def take(kept: Kept, lessons: Sequence[Lesson]) -> None:
    """Take what a browser says that it has kept. A record that cannot be read is left out, and so is a bad guess."""
    fault, record = None, guesses.empty_record()
    if kept.text is not None:
        try:
            record = Record.from_json(kept.text)
        except ValueError as error:
            fault = f"What this browser had kept of your guesses cannot be read, and was left out. {error}"
    good = [entry for entry in record.entries if _is_possible(entry.lesson, entry.guess, lessons)]
    if len(good) < len(record.entries):
        fault = "A guess that this browser had kept is not a possible answer to its question, and was left out."
    guesses.take(record.with_entries(good), replace=kept.by_other_tab)
    guesses.browser_says(kept.works, fault)


def _is_possible(name: str, guess: Guess, lessons: Sequence[Lesson]) -> bool:
    """Return whether a guess is one of its lesson. A lesson that is not here now may be back tomorrow."""
    lesson = next((lesson for lesson in lessons if lesson.name == name), None)
    return lesson is None or lesson_answers.is_guess(lesson, guess)


def outcomes(done: Sequence[Lesson]) -> dict[str, Guess]:
    """Lesson -> its outcome."""
    return {lesson.name: lesson_answers.ANSWERS[lesson.answer].outcome(lesson.settings) for lesson in done}


def summary(done: Sequence[Lesson]) -> pd.DataFrame:
    """Return guesses beside outcomes, one row for each lesson that is answered."""
    entries, found, rows = {entry.lesson: entry for entry in guesses.record().entries}, outcomes(done), {}
    for lesson in done:
        say, entry = lesson_answers.ANSWERS[lesson.answer].say, entries[lesson.name]
        guess, outcome = say(entry.guess, lesson.settings), say(found[lesson.name], lesson.settings)
        when = iso(entry.when).replace("T", " ").removesuffix("Z")
        rows[lesson.title] = [guess, outcome, lesson_answers.difference(entry.guess, found[lesson.name]), when]
    columns = ["Your guess", "What happened", "So", "When (UTC)"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("Lesson")
