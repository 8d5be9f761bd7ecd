"""What is stored of a room, as records, and the codes by which rooms are found."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass

from aklo.lab.server.rooms_database import Refused

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # no vowels: a code is no word, and none looks like a digit
CODE_LENGTH = 5
TOKEN = re.compile(r"[0-9a-f]{32}")  # of a student's browser

# What a room can be: before its first question, while students guess, between guessing and the answer, and so on.
WAITING, ASKING, HIDDEN, REVEALED, CLOSED = "waiting", "asking", "hidden", "revealed", "closed"


@dataclass(frozen=True)
class Question:
    """A question to a room.

    Attributes
    ----------
    lesson : the name of the lesson that it is from, or "" where it is the teacher's own.
    text : the question, where it is the teacher's own.
    page, query : the state of the lab that answers it.
    choices : what one can choose from; empty where the answer is a number.
    low, high, step : the range of the answer; for choices it is the number of one of them, from 0.
    outcome : the answer, where it is known.
    """

    lesson: str = ""
    text: str = ""
    page: str = ""
    query: str = ""
    choices: tuple[str, ...] = ()
    low: float = 0
    high: float = 100
    step: float = 1
    outcome: float | None = None

    def takes(self, value: float) -> bool:
        """Return whether a guess is one that can be made."""
        return self.low <= value <= self.high and (not self.choices or value == int(value))


@dataclass(frozen=True)
class Room:
    """A room as it stands. The attributes are those of the table `ROOM`."""

    code: str
    state: str = WAITING
    number: int = 0
    revision: int = -1  # of a room that could not be reached


@dataclass(frozen=True)
class Counts:
    """What a screen may know of a room at any time. joined: students; answered: those of the question that it is at."""

    revision: int
    joined: int
    answered: int


@dataclass(frozen=True)
class RoomView:
    """What one visitor may see of a room.

    Attributes
    ----------
    room : as it stands.
    counts : of its students and guesses.
    question : the one that it is at, or None before the first.
    guesses : all guesses at that question; none unless they are revealed.
    own : the visitor's, or None.
    joined : whether the visitor is one of its students.
    teacher : whether the visitor is its teacher.
    """

    room: Room
    counts: Counts
    question: Question | None
    guesses: tuple[float, ...]
    own: float | None
    joined: bool
    teacher: bool


@dataclass(frozen=True)
class Guess:
    """A guess, for the teacher's table. student: their number in the order of joining, from 1; at: seconds, 1970."""

    number: int
    student: int
    value: float
    at: float


def read_code(text: str) -> str:
    """Return the code that somebody has typed; ValueError if it cannot be one.

    >>> read_code(" kxb-dt ")
    'KXBDT'
    """
    found = re.sub(r"[\s-]", "", text[:40]).upper()
    if len(found) != CODE_LENGTH or not set(found) <= set(LETTERS):
        raise Refused(f"A room's code has {CODE_LENGTH} letters and no vowels, such as KXBDT. Look at the wall again.")
    return found


def new_code() -> str:
    """Return a code, drawn at random."""
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
