"""What a student did in the lessons, as a teacher receives it: a file, or one line of text, with a signature.

A lab signs with a key (`aklo.signing_key`). The signature of a guess is made when the student commits to it, so that
what the browser keeps cannot be changed unnoticed; the signature of a hand-in is made when it is handed in. What a
valid signature proves: a lab with this secret has seen these guesses, at these times. It does not prove who made them,
or that they were not made twice.

The line has words that are separated by spaces:

    aklo1 name=Ada id=5f0c9a3e71d2b846 at=2026-11-18T10:30:00Z from=2026-11-18T10:05:22Z 1-alone=12/5@0
    2-together=40/40@95 signature=secret:…

A guess stands with the outcome, and with the seconds since the first guess (`from`); "?" after it says that its own
signature was not valid when it was handed in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

from aklo.handin_fields import (
    FORMAT,
    LONGEST,
    LONGEST_TEXT,
    MOST_ENTRIES,
    Value,
    checked_id,
    checked_name,
    checked_signature,
    checked_time,
    checked_value,
    guesses_of,
    iso,
    parse_object,
    parse_time,
    quoted,
    short,
    unquoted,
)
from aklo.signing_key import VARIABLE, Key


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
        data = parse_object(text)
        rows = guesses_of(data)
        entries: dict[str, Entry] = {}
        for row in rows:
            if not isinstance(row, list) or len(row) != 4:
                raise ValueError("A guess does not have a lesson, a value, a time and a signature.")
            lesson, guess, when, signature = row
            entry = Entry(
                checked_name(lesson, "lesson"), checked_value(guess), checked_time(when), checked_signature(signature)
            )
            entries.setdefault(entry.lesson, entry)
        return cls(checked_id(data.get("id")), tuple(entries.values()))


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
        data = parse_object(text)
        rows = []
        for row in guesses_of(data):
            if not isinstance(row, dict):
                raise ValueError("A guess is not an object with a lesson, a guess, an outcome and a time.")
            lesson, when = checked_name(row.get("lesson"), "lesson"), parse_time(row.get("when"))
            vouched = row.get("vouched") is True
            rows.append(Row(lesson, checked_value(row.get("guess")), checked_value(row.get("outcome")), when, vouched))
        name = checked_name(data.get("name"), "name", empty=True)
        return cls(
            name,
            checked_id(data.get("id")),
            parse_time(data.get("at")),
            tuple(rows),
            checked_signature(data.get("signature")),
        )

    def to_line(self) -> str:
        """Return the line."""
        first = min((row.when for row in self.rows), default=self.at)
        words = [FORMAT, f"name={quote(self.name, safe='')}", f"id={self.id}", f"at={iso(self.at)}"]
        words += [f"from={iso(first)}"] if self.rows else []
        for row in self.rows:
            said = f"{quoted(row.guess)}/{quoted(row.outcome)}@{row.when - first}"
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
            first = parse_time(text)
        rows = [_row_of(unquote(lesson), said, first) for lesson, said in guesses]
        name = checked_name(unquote(heads["name"]), "name", empty=True)
        return cls(
            name, checked_id(heads["id"]), parse_time(heads["at"]), tuple(rows), checked_signature(heads["signature"])
        )


VALID, CHECKSUM, UNKNOWN, BAD = "valid", "checksum only", "other key", "BAD"
SIGNATURES = {
    VALID: "made by a lab with this secret, and unchanged",
    CHECKSUM: "unchanged, as far as accidents go; anybody can make such a signature",
    UNKNOWN: f"made with a secret, which this computer does not have; set {VARIABLE}",
    BAD: "the text was changed, or made by another lab",
}


def _row_of(lesson: str, said: str, first: int) -> Row:
    found = re.fullmatch(r"([^/@?]+)/([^/@?]+)@(\d{1,12})(\??)", said)
    if found is None:
        raise ValueError(f"{short(lesson)}={short(said)} is not a guess, an outcome and a time.")
    guess, outcome, after, doubt = found.groups()
    when = checked_time(first + int(after))
    return Row(
        checked_name(lesson, "lesson"),
        checked_value(unquoted(guess)),
        checked_value(unquoted(outcome)),
        when,
        not doubt,
    )
