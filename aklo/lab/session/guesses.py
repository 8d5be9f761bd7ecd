"""A visitor's guesses in the lessons. The browser keeps them (components/browser_store), this module uses them.

A guess is kept with the time at which it was committed to, and with a signature of both (`aklo.handin`).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping

import streamlit as st

from aklo import handin
from aklo.handin import Entry
from aklo.lab.server.signing import handin_key

Guess = int | str  # a number, or the key of a choice
# In the session:
RECORD, DRAFTS, PLAYED, REMOVED = "guesses", "drafts", "played", "guesses_removed"
BROWSER, NAME = "guesses_browser", "handin_name"


def record() -> handin.Record:
    """Return what the visitor has committed to."""
    return st.session_state.setdefault(RECORD, empty_record())


def empty_record() -> handin.Record:
    """Return a record without a guess, under an id that no other has."""
    return handin.Record(secrets.token_hex(8))


def committed() -> dict[str, Guess]:
    """Lesson -> the guess that the visitor has committed to."""
    return {entry.lesson: entry.guess for entry in record().entries}


def drafts() -> dict[str, Guess]:
    """Lesson -> where the visitor left the slider, or the choices, before committing."""
    return st.session_state.setdefault(DRAFTS, {})


def commit(lesson: str) -> None:
    """Commit to the draft; the first commitment holds."""
    if lesson in drafts() and lesson not in committed():
        mine = record()
        entry = Entry.signed(mine.id, lesson, drafts()[lesson], int(time.time()), handin_key())
        st.session_state[RECORD] = mine.with_entries([*mine.entries, entry])


def played() -> set[str]:
    """The lessons whose answer has been played to its end, or was answered in an earlier visit."""
    return st.session_state.setdefault(PLAYED, set())


def forget(*lessons: str) -> None:
    """Take guesses back. `restore` brings those of the last call back."""
    mine = record()
    st.session_state[REMOVED] = mine
    st.session_state[RECORD] = mine.with_entries([entry for entry in mine.entries if entry.lesson not in lessons])
    for lesson in lessons:
        drafts().pop(lesson, None)
        played().discard(lesson)


def can_restore() -> bool:
    """Return whether guesses that were taken back can be brought back."""
    return REMOVED in st.session_state


def restore() -> None:
    """Bring back what the last `forget` took."""
    removed: handin.Record = st.session_state.pop(REMOVED)
    now = record()
    again = [entry for entry in removed.entries if entry.lesson not in committed()]
    st.session_state[RECORD] = now.with_entries([*now.entries, *again])
    played().update(entry.lesson for entry in again)


def take(stored: handin.Record, *, replace: bool) -> None:
    """Take the record that the browser has kept.

    replace: whether it takes the place of this visit's record, since another tab has changed it; otherwise the two are
    joined, and the earlier guess in a lesson holds.
    """
    mine = record()
    base = stored if stored.entries else mine
    joined = {} if replace else {entry.lesson: _signed_for(base.id, entry) for entry in mine.entries}
    for entry in stored.entries:
        if entry.lesson not in joined or entry.when < joined[entry.lesson].when:
            joined[entry.lesson] = entry
    st.session_state[RECORD] = base.with_entries(sorted(joined.values(), key=lambda entry: (entry.when, entry.lesson)))
    played().update({entry.lesson for entry in stored.entries} - {entry.lesson for entry in mine.entries})


def _signed_for(record: str, entry: Entry) -> Entry:
    """Return an entry of this visit's record as an entry of the record with another id."""
    return Entry.signed(record, entry.lesson, entry.guess, entry.when, handin_key()) if vouched(entry) else entry


def vouched(entry: Entry) -> bool:
    """Return whether this server, or one with the same secret, has signed the entry."""
    return entry.is_signed(record().id, handin_key())


def browser_says(works: bool, fault: str | None) -> None:
    """Remember whether the browser keeps the record, and what was wrong with the one that it had kept."""
    st.session_state[BROWSER] = (works, fault)


def browser() -> tuple[bool, str | None] | None:
    """Return what `browser_says` was told; None as long as the browser has not been heard of in this visit."""
    return st.session_state.get(BROWSER)


def name() -> str:
    """The name to hand in under, as the visitor has typed it."""
    return st.session_state.get(NAME, "")


def rename(name: str) -> None:
    """Change the name to hand in under."""
    st.session_state[NAME] = name


def hand_in(outcomes: Mapping[str, Guess]) -> handin.HandIn:
    """Return the record as it is handed in now, signed. outcomes: lesson -> outcome; other lessons are left out."""
    return handin.HandIn.of(record(), name(), outcomes, int(time.time()), handin_key())
