"""The fields of records and hand-ins: how they are written, and checks of those that come from outside.

A check returns the value, or raises ValueError with one sentence that says what is wrong.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, unquote

Value = int | str
FORMAT = "aklo1"
LONGEST = 20_000  # characters of a record, a file or a line
MOST_ENTRIES = 100
LONGEST_TEXT = 80  # characters of a name, a lesson's name or a choice
LARGEST = 10**9  # number that is guessed
FIRST_TIME, LAST_TIME = 1_577_836_800, 4_102_444_800  # 2020 and 2100, in seconds since 1970
ID = re.compile(r"[0-9a-f]{16}\Z")
SIGNATURE = re.compile(r"(secret|checksum):[0-9a-f]{32}\Z")
TIME = "%Y-%m-%dT%H:%M:%SZ"


def iso(when: int) -> str:
    """Return a time as text.

    >>> iso(1_700_000_000)
    '2023-11-14T22:13:20Z'
    """
    return datetime.fromtimestamp(when, UTC).strftime(TIME)


def parse_object(text: object) -> dict[str, Any]:
    """Return the object of a JSON text of this format."""
    if not isinstance(text, str):
        raise ValueError("There is no text to read.")
    if len(text) > LONGEST:
        raise ValueError(f"There are {len(text)} characters, where {LONGEST} are the most.")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("This is not JSON.") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"This is not a record of guesses: it has no format {FORMAT!r}.")
    return data


def guesses_of(data: dict[str, Any]) -> list[Any]:
    """Return the list of guesses of an object."""
    rows = data.get("guesses")
    if not isinstance(rows, list):
        raise ValueError("There is no list of guesses.")
    if len(rows) > MOST_ENTRIES:
        raise ValueError(f"There are {len(rows)} guesses, where {MOST_ENTRIES} are the most.")
    return rows


def quoted(value: Value) -> str:
    """Return a value for the line: a number as it is, a text after a colon."""
    return str(value) if isinstance(value, int) else ":" + quote(value, safe="")


def unquoted(text: str) -> Value:
    """Return the value of a text that `quoted` made."""
    if text.startswith(":"):
        return unquote(text[1:])
    if re.fullmatch(r"-?[0-9]{1,10}", text) is None:
        raise ValueError(f"{short(text)} is not a whole number.")
    return int(text)


def short(text: str) -> str:
    """Return a text for a message, cut if it is long."""
    return repr(text if len(text) <= 30 else text[:30] + "…")


def checked_name(value: object, what: str, *, empty: bool = False) -> str:
    """Return a name of a person or a lesson; empty: whether it may be empty."""
    if not isinstance(value, str) or len(value) > LONGEST_TEXT or not (value or empty) or not value.isprintable():
        raise ValueError(f"The {what} is not a text of at most {LONGEST_TEXT} printable characters.")
    return value


def checked_value(value: object) -> Value:
    """Return a guess or an outcome."""
    if type(value) is int and abs(value) <= LARGEST:
        return value
    if isinstance(value, str):
        return checked_name(value, "guess")
    raise ValueError("A guess or an outcome is neither a whole number nor a choice.")


def checked_time(value: object) -> int:
    """Return a time in seconds since 1970."""
    if type(value) is not int or not FIRST_TIME <= value < LAST_TIME:
        raise ValueError("A time is not between the years 2020 and 2100.")
    return value


def parse_time(value: object) -> int:
    """Return the seconds since 1970 of a time that `iso` wrote."""
    try:
        return checked_time(int(datetime.strptime(value, TIME).replace(tzinfo=UTC).timestamp()))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise ValueError("A time is not written as 2026-01-31T12:00:00Z.") from None


def checked_id(value: object) -> str:
    """Return the id of a record."""
    if not isinstance(value, str) or ID.match(value) is None:
        raise ValueError("The record's id is not 16 hexadecimal digits.")
    return value


def checked_signature(value: object) -> str:
    """Return a signature, which may still be wrong."""
    if not isinstance(value, str) or SIGNATURE.match(value) is None:
        raise ValueError("The signature is missing, or is not a signature of a lab.")
    return value
