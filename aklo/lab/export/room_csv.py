"""All guesses of a room as a CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import UTC, datetime

from aklo.lab.content import room_questions
from aklo.lab.server.room_records import Guess, Question
from aklo.lab.settings.text import escape_cell

COLUMNS = ("question", "title", "student", "guess", "guess_in_words", "outcome", "outcome_in_words", "time")


def room_csv(questions: Sequence[Question], guesses: Sequence[Guess]) -> str:
    """Return one line for each guess. Students have numbers, in the order in which they joined."""
    shown = [room_questions.shown(question) for question in questions]
    file = io.StringIO()
    out = csv.writer(file, lineterminator="\n")
    out.writerow(COLUMNS)
    for guess in guesses:
        question, text = questions[guess.number - 1], shown[guess.number - 1]
        outcome = question.outcome
        cells = (
            guess.number, question.text or text.title, guess.student, f"{guess.value:g}", text.plain(guess.value),
            "" if outcome is None else f"{outcome:g}", "" if outcome is None else text.plain(outcome),
            datetime.fromtimestamp(guess.at, UTC).isoformat(timespec="seconds"),
        )  # fmt: skip
        out.writerow([escape_cell(str(cell)) for cell in cells])
    return file.getvalue()
