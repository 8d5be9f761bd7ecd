"""What a student did in the lessons, as a teacher receives it: a file, or one line of text, with a signature.

A lab signs with a secret that its host sets in the environment variable AKLO_HANDIN_SECRET (HMAC with SHA-256). The
signature of a guess is made when the student commits to it, so that what the browser keeps cannot be changed
unnoticed; the signature of a hand-in is made when it is handed in. What a valid signature proves: a lab with this
secret has seen these guesses, at these times. It does not prove who made them, or that they were not made twice.

Without a secret the key is the public one of this file. Such a signature is a checksum: it finds a line that was cut or
mistyped, and stops nobody who wants to cheat.

The line has words that are separated by spaces:

    aklo1 name=Ada id=5f0c9a3e71d2b846 at=2026-11-18T10:30:00Z from=2026-11-18T10:05:22Z 1-alone=12/5@0
    2-together=40/40@95 signature=secret:…

A guess stands with the outcome, and with the seconds since the first guess (`from`); "?" after it says that its own
signature was not valid when it was handed in.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal
from urllib.parse import quote, unquote

Value = int | str
FORMAT = "aklo1"
VARIABLE = "AKLO_HANDIN_SECRET"
SHORTEST_SECRET = 16
LONGEST = 20_000  # characters of a record, a file or a line
MOST_ENTRIES = 100
LONGEST_TEXT = 80  # characters of a name, a lesson's name or a choice
LARGEST = 10**9  # number that is guessed
FIRST_TIME, LAST_TIME = 1_577_836_800, 4_102_444_800  # 2020 and 2100, in seconds since 1970
PUBLIC = b"aklo-lab: a checksum, no secret"
ID = re.compile(r"[0-9a-f]{16}\Z")
SIGNATURE = re.compile(r"(secret|checksum):[0-9a-f]{32}\Z")
TIME = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True)
class Key:
    """A key to sign with. kind: "secret", or "checksum" for the public one."""

    kind: Literal["secret", "checksum"]
    _bytes: bytes

    def __repr__(self) -> str:  # the secret must not get into a log
        return f"Key({self.kind})"

    @classmethod
    def public(cls) -> Key:
        return cls("checksum", PUBLIC)

    @classmethod
    def secret(cls, text: str) -> Key:
        """Return the key of a secret; ValueError if it is too short to be one."""
        if len(text.strip()) < SHORTEST_SECRET:
            raise ValueError(f"The secret has {len(text.strip())} characters, where {SHORTEST_SECRET} are needed.")
        return cls("secret", text.strip().encode())

    @classmethod
    def from_environment(cls) -> Key:
        """Return the key of the secret in the environment variable, or the public one where it is not set."""
        text = os.environ.get(VARIABLE, "")
        return cls.secret(text) if text.strip() else cls.public()

    def sign(self, text: str) -> str:
        """Return the signature of a text.

        >>> Key.public().sign("a")[:17]
        'checksum:1439e069'
        """
        return f"{self.kind}:{hmac.new(self._bytes, text.encode(), hashlib.sha256).hexdigest()[:32]}"

    def verifies(self, text: str, signature: str) -> bool:
        """Return whether a signature is this key's signature of a text."""
        return hmac.compare_digest(self.sign(text).encode(), signature.encode())


@dataclass(frozen=True)
class Entry:
    """A guess that was committed to. when: in seconds since 1970."""

    lesson: str
    guess: Value
    when: int
    signature: str

    @classmethod
    def signed(cls, record: str, lesson: str, guess: Value, when: int, key: Key) -> Entry:
        entry = cls(lesson, guess, when, "")
        return replace(entry, signature=key.sign(entry._text(record)))

    def is_signed(self, record: str, key: Key) -> bool:
        return key.verifies(self._text(record), self.signature)

    def _text(self, record: str) -> str:
        return json.dumps([FORMAT, record, self.lesson, self.guess, self.when], ensure_ascii=True)


@dataclass(frozen=True)
class Record:
    """What a browser keeps. id: 16 hexadecimal digits drawn at random, so that a copied record can be recognised."""

    id: str
    entries: tuple[Entry, ...] = ()

    def with_entries(self, entries: Iterable[Entry]) -> Record:
        return replace(self, entries=tuple(entries))

    def to_json(self) -> str:
        rows = [[entry.lesson, entry.guess, entry.when, entry.signature] for entry in self.entries]
        return json.dumps({"format": FORMAT, "id": self.id, "guesses": rows}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: object) -> Record:
        """Return the record of a text that comes from outside; ValueError says in one sentence what is wrong."""
        data = _object(text)
        rows = _rows(data)
        entries: dict[str, Entry] = {}
        for row in rows:
            if not isinstance(row, list) or len(row) != 4:
                raise ValueError("A guess does not have a lesson, a value, a time and a signature.")
            lesson, guess, when, signature = row
            entry = Entry(_name(lesson, "lesson"), _value(guess), _time(when), _signature(signature))
            entries.setdefault(entry.lesson, entry)
        return cls(_id(data.get("id")), tuple(entries.values()))


@dataclass(frozen=True)
class Row:
    """A guess in a hand-in. vouched: whether its own signature was valid when it was handed in."""

    lesson: str
    guess: Value
    outcome: Value
    when: int
    vouched: bool


@dataclass(frozen=True)
class HandIn:
    """A record that was handed in. at: when, in seconds since 1970."""

    name: str
    id: str
    at: int
    rows: tuple[Row, ...]
    signature: str = ""

    @classmethod
    def of(cls, record: Record, name: str, outcomes: Mapping[str, Value], at: int, key: Key) -> HandIn:
        """Return a record as it is handed in, signed. outcomes: lesson -> outcome; other lessons are left out."""
        rows = tuple(
            Row(entry.lesson, entry.guess, outcomes[entry.lesson], entry.when, entry.is_signed(record.id, key))
            for entry in record.entries
            if entry.lesson in outcomes
        )
        name = " ".join("".join(c if c.isprintable() else " " for c in name).split())[:LONGEST_TEXT]
        made = cls(name, record.id, at, rows)
        return replace(made, signature=key.sign(made._text()))

    def check(self, key: Key) -> str:
        """Return what the signature is worth to who has this key: one of SIGNATURES."""
        if key.verifies(self._text(), self.signature):
            return VALID if key.kind == "secret" else CHECKSUM
        if self.signature.startswith("checksum:"):
            return CHECKSUM if Key.public().verifies(self._text(), self.signature) else BAD
        return UNKNOWN if key.kind == "checksum" else BAD

    def _text(self) -> str:
        rows = [[row.lesson, row.guess, row.outcome, row.when, row.vouched] for row in self.rows]
        return json.dumps([FORMAT, self.name, self.id, self.at, rows], ensure_ascii=True)

    def to_json(self) -> str:
        """Return the file."""
        rows = [
            {"lesson": r.lesson, "guess": r.guess, "outcome": r.outcome, "when": iso(r.when), "vouched": r.vouched}
            for r in self.rows
        ]
        data = {"format": FORMAT, "name": self.name, "id": self.id, "at": iso(self.at), "guesses": rows}
        return json.dumps(data | {"signature": self.signature}, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: object) -> HandIn:
        """Return the hand-in of a file; ValueError says in one sentence what is wrong."""
        data = _object(text)
        rows = []
        for row in _rows(data):
            if not isinstance(row, dict):
                raise ValueError("A guess is not an object with a lesson, a guess, an outcome and a time.")
            lesson, when = _name(row.get("lesson"), "lesson"), _time_of(row.get("when"))
            vouched = row.get("vouched") is True
            rows.append(Row(lesson, _value(row.get("guess")), _value(row.get("outcome")), when, vouched))
        name = _name(data.get("name"), "name", empty=True)
        return cls(name, _id(data.get("id")), _time_of(data.get("at")), tuple(rows), _signature(data.get("signature")))

    def to_line(self) -> str:
        """Return the line."""
        first = min((row.when for row in self.rows), default=self.at)
        words = [FORMAT, f"name={quote(self.name, safe='')}", f"id={self.id}", f"at={iso(self.at)}"]
        words += [f"from={iso(first)}"] if self.rows else []
        for row in self.rows:
            said = f"{_quoted(row.guess)}/{_quoted(row.outcome)}@{row.when - first}"
            words.append(f"{quote(row.lesson, safe='')}={said}{'' if row.vouched else '?'}")
        return " ".join([*words, f"signature={self.signature}"])

    @classmethod
    def from_line(cls, line: str) -> HandIn:
        """Return the hand-in of a line; ValueError says in one sentence what is wrong."""
        if len(line) > LONGEST:
            raise ValueError(f"The line has {len(line)} characters, where {LONGEST} are the most.")
        words = line.split()
        if not words or words[0] != FORMAT:
            raise ValueError(f"The line does not begin with {FORMAT}.")
        pairs = [word.partition("=")[::2] for word in words[1:]]
        names = [word for word, _ in pairs]
        if names[:3] != ["name", "id", "at"] or names[-1] != "signature":
            raise ValueError("The line has no name, id, time and signature in this order: was a part of it left out?")
        heads, guesses = dict([*pairs[:3], pairs[-1]]), pairs[3:-1]
        if len(guesses) > MOST_ENTRIES:
            raise ValueError(f"There are {len(guesses)} guesses, where {MOST_ENTRIES} are the most.")
        first = 0
        if guesses:
            (word, text), *guesses = guesses
            if word != "from":
                raise ValueError("The line does not say when the first guess was made.")
            first = _time_of(text)
        rows = [_row_of(unquote(lesson), said, first) for lesson, said in guesses]
        name = _name(unquote(heads["name"]), "name", empty=True)
        return cls(name, _id(heads["id"]), _time_of(heads["at"]), tuple(rows), _signature(heads["signature"]))


VALID, CHECKSUM, UNKNOWN, BAD = "valid", "checksum only", "other key", "BAD"
SIGNATURES = {
    VALID: "made by a lab with this secret, and unchanged",
    CHECKSUM: "unchanged, as far as accidents go; anybody can make such a signature",
    UNKNOWN: f"made with a secret, which this computer does not have; set {VARIABLE}",
    BAD: "the text was changed, or made by another lab",
}


def iso(when: int) -> str:
    """Return a time as text.

    >>> iso(1_700_000_000)
    '2023-11-14T22:13:20Z'
    """
    return datetime.fromtimestamp(when, UTC).strftime(TIME)


# ------------------------------------------------------------------------------------------ what comes from outside


def _object(text: object) -> dict[str, Any]:
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


def _rows(data: dict[str, Any]) -> list[Any]:
    rows = data.get("guesses")
    if not isinstance(rows, list):
        raise ValueError("There is no list of guesses.")
    if len(rows) > MOST_ENTRIES:
        raise ValueError(f"There are {len(rows)} guesses, where {MOST_ENTRIES} are the most.")
    return rows


def _row_of(lesson: str, said: str, first: int) -> Row:
    found = re.fullmatch(r"([^/@?]+)/([^/@?]+)@(\d{1,12})(\??)", said)
    if found is None:
        raise ValueError(f"{_short(lesson)}={_short(said)} is not a guess, an outcome and a time.")
    guess, outcome, after, doubt = found.groups()
    when = _time(first + int(after))
    return Row(_name(lesson, "lesson"), _value(_unquoted(guess)), _value(_unquoted(outcome)), when, not doubt)


def _quoted(value: Value) -> str:
    """Return a value for the line: a number as it is, a text after a colon."""
    return str(value) if isinstance(value, int) else ":" + quote(value, safe="")


def _unquoted(text: str) -> Value:
    if text.startswith(":"):
        return unquote(text[1:])
    if re.fullmatch(r"-?[0-9]{1,10}", text) is None:
        raise ValueError(f"{_short(text)} is not a whole number.")
    return int(text)


def _short(text: str) -> str:
    return repr(text if len(text) <= 30 else text[:30] + "…")


def _name(value: object, what: str, *, empty: bool = False) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_TEXT or not (value or empty) or not value.isprintable():
        raise ValueError(f"The {what} is not a text of at most {LONGEST_TEXT} printable characters.")
    return value


def _value(value: object) -> Value:
    if type(value) is int and abs(value) <= LARGEST:
        return value
    if isinstance(value, str):
        return _name(value, "guess")
    raise ValueError("A guess or an outcome is neither a whole number nor a choice.")


def _time(value: object) -> int:
    if type(value) is not int or not FIRST_TIME <= value < LAST_TIME:
        raise ValueError("A time is not between the years 2020 and 2100.")
    return value


def _time_of(value: object) -> int:
    try:
        return _time(int(datetime.strptime(value, TIME).replace(tzinfo=UTC).timestamp()))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise ValueError("A time is not written as 2026-01-31T12:00:00Z.") from None


def _id(value: object) -> str:
    if not isinstance(value, str) or ID.match(value) is None:
        raise ValueError("The record's id is not 16 hexadecimal digits.")
    return value


def _signature(value: object) -> str:
    if not isinstance(value, str) or SIGNATURE.match(value) is None:
        raise ValueError("The signature is missing, or is not a signature of a lab.")
    return value
