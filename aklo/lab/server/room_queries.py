"""The SQL statements that every screen of a room runs again and again.

Building a statement takes longer than running it, so each is built once. The parameters are the room's `code`, the time
`since` which rooms live, the `student`, and a question's `number`.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from aklo.lab.server.rooms_database import GUESS, QUESTION, ROOM, STUDENT


def _one(column: Any, *where: sa.ColumnElement[bool]) -> sa.ScalarSelect[Any]:
    """Return a column's value for the room, for use within another statement."""
    return sa.select(column).where(*where).scalar_subquery()


_CODE: sa.BindParameter[str] = sa.bindparam("code")
_STUDENT: sa.BindParameter[str] = sa.bindparam("student")
_LIVES = ROOM.c.code == _CODE, ROOM.c.opened > sa.bindparam("since")
_AT = GUESS.c.room == ROOM.c.code, GUESS.c.number == ROOM.c.number  # the guesses at the question that the room is at
_COUNTS = ROOM.c.revision, _one(sa.func.count(), STUDENT.c.room == ROOM.c.code), _one(sa.func.count(), *_AT)

# The fields of `room_records.Counts`.
COUNTS = sa.select(*_COUNTS).where(*_LIVES)

# Those, and what else a visitor may see: state and number of the room, the hash of its secret, the question, the own
# guess, and when the student has joined.
VIEW = sa.select(
    *_COUNTS,
    ROOM.c.state,
    ROOM.c.number,
    ROOM.c.secret,
    _one(QUESTION.c.body, QUESTION.c.room == ROOM.c.code, QUESTION.c.number == ROOM.c.number),
    _one(GUESS.c.value, *_AT, GUESS.c.student == _STUDENT),
    _one(STUDENT.c.joined, STUDENT.c.room == ROOM.c.code, STUDENT.c.student == _STUDENT),
).where(*_LIVES)

# All guesses at a question.
GUESSES = (
    sa.select(GUESS.c.value)
    .where(GUESS.c.room == _CODE, GUESS.c.number == sa.bindparam("number"))
    .order_by(GUESS.c.value)
)
