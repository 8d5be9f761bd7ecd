"""The database of the rooms: its tables, where it is, and the sentence for a visitor while it cannot be used.

It is a file of SQLite unless the environment variable AKLO_ROOMS has the address of another database, as SQLAlchemy
writes it: `sqlite:////srv/aklo/rooms.sqlite`, or `postgresql+psycopg://user:password@host/name` for several machines.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
import streamlit as st
from sqlalchemy import exc

VARIABLE = "AKLO_ROOMS"
PATIENCE = 5.0  # seconds to wait for a database that is busy
# For a server that hangs: the seconds to connect, and the milliseconds of a statement and of an unanswered packet.
POSTGRESQL = {
    "connect_timeout": int(PATIENCE),
    "options": f"-c statement_timeout={PATIENCE * 1000:.0f}",
    "tcp_user_timeout": int(PATIENCE * 1000),
}

TABLES = sa.MetaData()


def _belongs_to_room() -> sa.Column[str]:
    return sa.Column("room", sa.ForeignKey("aklo_room.code", ondelete="CASCADE"), primary_key=True)


# secret: the hash of the teacher's; opened: in seconds since 1970; number: of the question that the room is at, from 1;
# revision: how often the teacher has changed something, which is when screens are drawn anew; writes: how often anybody
# has. Who writes to a room counts that up first, and so waits for others who write to it.
ROOM = sa.Table(
    "aklo_room", TABLES,
    sa.Column("code", sa.String(8), primary_key=True),
    sa.Column("secret", sa.String(64), nullable=False),
    sa.Column("opened", sa.Double, nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("writes", sa.Integer, nullable=False),
)  # fmt: skip
# body: the question as JSON.
QUESTION = sa.Table(
    "aklo_question", TABLES, _belongs_to_room(),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("body", sa.Text, nullable=False),
)  # fmt: skip
# student: the hash of a random number that the student's browser keeps, another one in each room.
STUDENT = sa.Table(
    "aklo_student", TABLES, _belongs_to_room(),
    sa.Column("student", sa.String(64), primary_key=True),
    sa.Column("joined", sa.Double, nullable=False),
)  # fmt: skip
GUESS = sa.Table(
    "aklo_guess", TABLES, _belongs_to_room(),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("student", sa.String(64), primary_key=True),
    sa.Column("value", sa.Double, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
)  # fmt: skip


class Refused(ValueError):
    """What a visitor has asked of a room cannot be done; one sentence says why."""


class Unavailable(Refused):
    """The database cannot be used just now; one sentence says why."""


def address() -> str:
    """Return the address of the database. A file's folder is made if it is not there."""
    given = os.environ.get(VARIABLE)
    if given:
        return given
    try:
        folder = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "aklo"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        raise Unavailable(_sentence(f"its folder cannot be made: {error}")) from error
    return f"sqlite:///{folder / 'rooms.sqlite'}"


def connection(url: str) -> sa.Engine:
    """Return Streamlit's own connection to the database, with the tables made."""
    with failures_in_words():
        options: dict[str, Any] = {"pool_pre_ping": True, "pool_timeout": PATIENCE}
        if sa.make_url(url).drivername in ("postgresql+psycopg", "postgresql+psycopg2", "postgresql"):
            options["connect_args"] = POSTGRESQL
        engine = st.connection("rooms", type="sql", url=url, **options).engine
        return prepare(engine)


def prepare(engine: sa.Engine) -> sa.Engine:
    """Make the tables where they are missing, and set SQLite up for several processes. Returns the engine."""
    if engine.dialect.name == "sqlite" and not sa.event.contains(engine, "connect", _set_up_sqlite):
        sa.event.listen(engine, "connect", _set_up_sqlite)
    with failures_in_words():
        for _ in TABLES.tables:  # each of them may be made by another process at the same moment
            try:
                TABLES.create_all(engine)
                return engine
            except (exc.OperationalError, exc.ProgrammingError, exc.IntegrityError):
                continue
        TABLES.create_all(engine)  # the fault is a real one
    return engine


def _set_up_sqlite(connection: sqlite3.Connection, _: object) -> None:
    """Let others read while one writes (WAL), keep every confirmed guess, wait for one's turn, and delete in rows."""
    cursor = connection.cursor()
    for pragma in (f"busy_timeout = {PATIENCE * 1000:.0f}", "journal_mode = WAL", "synchronous = FULL",
                   "foreign_keys = ON"):  # fmt: skip
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


@contextmanager
def failures_in_words() -> Iterator[None]:
    """Turn a failure of the database into `Unavailable`. Its sentence names neither the address nor what was asked."""
    try:
        yield
    except exc.NoSuchModuleError as error:
        raise Unavailable(_sentence("its driver is not known")) from error
    except ModuleNotFoundError as error:
        raise Unavailable(_sentence(f"its driver {error.name} is not installed")) from error
    except exc.ArgumentError as error:
        raise Unavailable(_sentence(f"the address in {VARIABLE} is not valid")) from error
    except exc.TimeoutError as error:
        raise Unavailable(_sentence("too many visitors use it at once")) from error
    except exc.DBAPIError as error:
        raise Unavailable(_sentence(_reason(str(error.orig).lower()))) from error


def _reason(said: str) -> str:
    """Return what is wrong, from the database's own words."""
    reasons = {
        "full": "the disk is full",
        "no space": "the disk is full",
        "locked": "others are writing to it",
        "readonly": "it cannot be written to",
        "read-only": "it cannot be written to",
        "unable to open": "its file cannot be opened",
        "malformed": "its file is damaged",
        "not a database": "its file is damaged",
    }
    return next((reason for word, reason in reasons.items() if word in said), "it does not answer")


def _sentence(reason: str) -> str:
    return (
        f"The rooms cannot be reached just now: {reason}. Guesses that were confirmed are kept; try again in a moment."
    )
