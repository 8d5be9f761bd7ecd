"""Rooms: a teacher asks, a class guesses, and nobody sees what before the teacher reveals it.

A room has a short code, by which students join, and a long random secret, which alone gives a teacher's rights. Neither
names nor addresses are stored: a student is the hash of a random number that the browser keeps. A room is gone a day
after it was opened.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from typing import Any

import sqlalchemy as sa

from aklo.lab.server.room_queries import COUNTS, GUESSES, VIEW
from aklo.lab.server.room_records import (
    ASKING,
    CLOSED,
    HIDDEN,
    REVEALED,
    TOKEN,
    WAITING,
    Counts,
    Guess,
    Question,
    Room,
    RoomView,
    new_code,
)
from aklo.lab.server.rooms_database import (
    GUESS,
    QUESTION,
    ROOM,
    STUDENT,
    Refused,
    address,
    connection,
    failures_in_words,
)

LIFETIME = 24 * 3600.0  # seconds
UNUSED = 3600.0  # seconds that a room stays which nobody has joined, once there are too many
MOST_ROOMS, MOST_STUDENTS, MOST_QUESTIONS = 1000, 500, 100


class Rooms:
    """All rooms of a database.

    Whoever writes to a room takes its turn (`_write`), so that limits hold and no guess arrives after a reveal. Every
    method raises `Refused` with a sentence where it cannot do what is asked.

    Parameters
    ----------
    engine : of the database, with its tables.
    clock : the time in seconds since 1970.
    """

    def __init__(self, engine: sa.Engine, clock: Callable[[], float] = time.time) -> None:
        self.engine, self.clock = engine, clock

    # ------------------------------------------------------------------------------------------------- everybody

    def view(self, code: str, *, token: str = "", secret: str = "") -> RoomView:
        """Return what a visitor may see of a room. token, secret: what the visitor's browser holds, or ""."""
        given = {"code": code, "student": _student(code, token) if token else "", "since": self.clock() - LIFETIME}
        with self._read() as connection:
            found = connection.execute(VIEW, given).one_or_none()
            if found is None:
                raise _no_room(code)
            *counts, state, number, stored, body, own, joined = found
            revealed = state in (REVEALED, CLOSED)
            guesses = connection.scalars(GUESSES, {"code": code, "number": number}).all() if revealed else []
        return RoomView(
            Room(code, state, number, counts[0]),
            Counts(*counts),
            None if body is None else _read_question(body),
            tuple(guesses),
            own,
            joined is not None,
            _is_secret(stored, secret),
        )

    def counts(self, code: str) -> Counts:
        """Return what a screen asks for every second."""
        with self._read() as connection:
            found = connection.execute(COUNTS, {"code": code, "since": self.clock() - LIFETIME}).one_or_none()
        if found is None:
            raise _no_room(code)
        return Counts(*found)

    # -------------------------------------------------------------------------------------------------- students

    def join(self, code: str, token: str) -> None:
        """Let a student in, who may be there already."""
        student = _student(code, token)
        with self._read() as connection:
            if _is_in(connection, code, student):
                return
        with self._write(code) as (connection, room):
            if room.state == CLOSED:
                raise Refused(f"The room {code} is closed.")
            if _is_in(connection, code, student):  # the same browser, in another tab
                return
            joined = sa.select(sa.func.count()).select_from(STUDENT).where(STUDENT.c.room == code)
            if connection.execute(joined).scalar_one() >= MOST_STUDENTS:
                raise Refused(f"The room {code} is full: it has {MOST_STUDENTS} students. Look on with a neighbour.")
            connection.execute(STUDENT.insert().values(room=code, student=student, joined=self.clock()))

    def guess(self, code: str, token: str, number: int, value: float) -> None:
        """Store a student's guess at a question, in the place of an earlier one. It is kept when this returns."""
        student = _student(code, token)
        with self._write(code) as (connection, room):
            if room.state != ASKING or room.number != number:
                raise Refused("That came too late: the teacher has gone on.")
            if not _is_in(connection, code, student):
                raise Refused("Join the room first.")
            if not _question(connection, code, number).takes(value):
                raise Refused(f"{value:g} is not an answer to this question.")
            mine = GUESS.c.room == code, GUESS.c.number == number, GUESS.c.student == student
            connection.execute(GUESS.delete().where(*mine))
            connection.execute(
                GUESS.insert().values(room=code, number=number, student=student, value=value, at=self.clock())
            )

    # --------------------------------------------------------------------------------------------------- teachers

    def open(self) -> tuple[str, str]:
        """Open a room. Returns its code and the teacher's secret, of which only the hash is stored."""
        secret = secrets.token_urlsafe(32)
        with failures_in_words(), self.engine.begin() as connection:
            now = self.clock()
            connection.execute(ROOM.delete().where(ROOM.c.opened <= now - LIFETIME))
            if self._is_full(connection):
                nobody = ~sa.exists().where(STUDENT.c.room == ROOM.c.code)
                connection.execute(ROOM.delete().where(ROOM.c.opened <= now - UNUSED, nobody))
                if self._is_full(connection):
                    raise Refused(
                        f"There are {MOST_ROOMS:,} rooms already, as many as this lab holds. A room that nobody has "
                        "joined makes way an hour after it was opened, any other after a day: try again later."
                    )
            taken = set(connection.scalars(sa.select(ROOM.c.code)))
            code = next(code for code in iter(new_code, "") if code not in taken)
            connection.execute(
                ROOM.insert().values(code=code, secret=_hash(secret), opened=now, state=WAITING, number=0, revision=0,
                                     writes=0)
            )  # fmt: skip
        return code, secret

    # at: the number of the question that the teacher sees. Nothing is done where the room is at another one by now: the
    # teacher has pressed twice, or on another screen.

    def ask(self, code: str, secret: str, question: Question, *, at: int | None = None) -> None:
        """Ask the room a question, the next one."""
        with self._teach(code, secret, at) as (connection, room):
            if room.number >= MOST_QUESTIONS:
                raise Refused(f"A room takes {MOST_QUESTIONS} questions. Open another one.")
            body = json.dumps(asdict(question))
            connection.execute(QUESTION.insert().values(room=code, number=room.number + 1, body=body))
            self._change(connection, code, state=ASKING, number=room.number + 1)

    def reveal(self, code: str, secret: str, *, at: int | None = None) -> None:
        """End the guessing, and show the guesses and the answer on all screens."""
        self._set(code, secret, REVEALED, at)

    def hide(self, code: str, secret: str, *, at: int | None = None) -> None:
        """Hide guesses and answer again. Nobody can guess meanwhile."""
        self._set(code, secret, HIDDEN, at)

    def reopen(self, code: str, secret: str, *, at: int | None = None) -> None:
        """Hide guesses and answer, and let students change their guesses, or make one."""
        self._set(code, secret, ASKING, at)

    def close(self, code: str, secret: str, *, at: int | None = None) -> None:
        """Close the room for good. Its guesses stay for the teacher until the room is gone."""
        with self._teach(code, secret, at) as (connection, _):
            self._change(connection, code, state=CLOSED)

    def table(self, code: str, secret: str) -> tuple[list[Question], list[Guess]]:
        """Return all questions of a room, in order, and all guesses, by question and student."""
        with self._read() as connection:
            if not self._is_teacher(connection, code, secret):
                raise _not_teacher(code)
            bodies = connection.scalars(
                sa.select(QUESTION.c.body).where(QUESTION.c.room == code).order_by(QUESTION.c.number)
            ).all()
            inside = sa.select(STUDENT.c.student).where(STUDENT.c.room == code)
            order = inside.order_by(STUDENT.c.joined, STUDENT.c.student)
            students = {student: number for number, student in enumerate(connection.scalars(order), 1)}
            rows = connection.execute(
                sa.select(GUESS.c.number, GUESS.c.student, GUESS.c.value, GUESS.c.at).where(GUESS.c.room == code)
            ).all()
        guesses = [Guess(number, students[student], value, at) for number, student, value, at in rows]
        return [_read_question(body) for body in bodies], sorted(guesses, key=lambda g: (g.number, g.student))

    # ----------------------------------------------------------------------------------------------------- within

    @contextmanager
    def _read(self) -> Iterator[sa.Connection]:
        with failures_in_words(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def _write(self, code: str) -> Iterator[tuple[sa.Connection, Room]]:
        """Open a transaction that locks the room: it begins by writing to it, so that others on the same room wait."""
        with failures_in_words(), self.engine.begin() as connection:
            connection.execute(ROOM.update().where(ROOM.c.code == code).values(writes=ROOM.c.writes + 1))
            yield connection, self._room(connection, code)

    @contextmanager
    def _teach(self, code: str, secret: str, at: int | None) -> Iterator[tuple[sa.Connection, Room]]:
        """A transaction of the teacher's, in a room that is not closed."""
        with self._read() as connection:  # first, so that nobody else can keep the room busy
            if not self._is_teacher(connection, code, secret):
                raise _not_teacher(code)
        with self._write(code) as (connection, room):
            if room.state == CLOSED:
                raise Refused(f"The room {code} is closed.")
            if at not in (None, room.number):
                raise Refused(f"Nothing was done: the room is at question {room.number} by now.")
            yield connection, room

    def _set(self, code: str, secret: str, state: str, at: int | None) -> None:
        with self._teach(code, secret, at) as (connection, room):
            if room.number == 0:
                raise Refused("Ask a question first.")
            self._change(connection, code, state=state)

    def _change(self, connection: sa.Connection, code: str, **values: Any) -> None:
        connection.execute(ROOM.update().where(ROOM.c.code == code).values(revision=ROOM.c.revision + 1, **values))

    def _room(self, connection: sa.Connection, code: str) -> Room:
        columns = (ROOM.c.code, ROOM.c.state, ROOM.c.number, ROOM.c.revision)
        found = connection.execute(sa.select(*columns).where(ROOM.c.code == code, self._lives())).one_or_none()
        if found is None:
            raise _no_room(code)
        return Room(*found)

    def _is_teacher(self, connection: sa.Connection, code: str, secret: str) -> bool:
        stored = connection.scalar(sa.select(ROOM.c.secret).where(ROOM.c.code == code, self._lives()))
        return _is_secret(stored or "", secret)

    def _lives(self) -> sa.ColumnElement[bool]:
        return ROOM.c.opened > self.clock() - LIFETIME

    def _is_full(self, connection: sa.Connection) -> bool:
        return connection.execute(sa.select(sa.func.count()).select_from(ROOM)).scalar_one() >= MOST_ROOMS


@cache
def rooms() -> Rooms:
    """Return the rooms of this server."""
    return Rooms(connection(address()))


def _question(connection: sa.Connection, code: str, number: int) -> Question:
    body = connection.scalar(sa.select(QUESTION.c.body).where(QUESTION.c.room == code, QUESTION.c.number == number))
    if body is None:
        raise Refused(f"The room {code} has no question {number}.")
    return _read_question(body)


def _read_question(body: str) -> Question:
    values = json.loads(body)
    return Question(**values | {"choices": tuple(values["choices"])})


def _is_in(connection: sa.Connection, code: str, student: str) -> bool:
    chosen = sa.select(STUDENT.c.student).where(STUDENT.c.room == code, STUDENT.c.student == student)
    return connection.scalar(chosen) is not None


def _student(code: str, token: str) -> str:
    if not TOKEN.fullmatch(token):
        raise Refused("This browser has not said who it is. Load the page again.")
    return _hash(f"{code} {token}")


def _is_secret(stored: str, secret: str) -> bool:
    """Return whether this is the secret of which the hash is stored. The comparison takes the same time for all."""
    return hmac.compare_digest(stored, _hash(secret))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _no_room(code: str) -> Refused:
    return Refused(f"There is no room {code}. Rooms last a day; or a letter of the code is wrong.")


def _not_teacher(code: str) -> Refused:
    return Refused(f"This link does not give a teacher's rights in the room {code}.")
