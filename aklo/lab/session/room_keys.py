"""Who a visitor is in a room: the browser keeps it (components/room_client), and tells it to each new session."""

from __future__ import annotations

import re
from typing import Any

import streamlit as st

from aklo.lab.server.room_records import TOKEN

STUDENT, SECRETS, NOTICE, DRAFTS = "room_student", "room_secrets", "room_notice", "room_drafts"  # in the session
LAST = "room_last"  # in the session, too
SECRET = re.compile(r"[\w-]{20,100}")


def student() -> str | None:
    """The random number by which the browser's guesses are told apart, once it is known."""
    return st.session_state.get(STUDENT)


def secret(code: str) -> str | None:
    """The secret that makes the visitor the teacher of a room, "" if there is none, None if that is not known yet."""
    return _secrets().get(code)


def learn(code: str, told: Any) -> None:
    """Take what a browser has said, {"student": …, "secret": …}; what is not as it should be is left out."""
    if not isinstance(told, dict):
        return
    token, held = told.get("student"), told.get("secret")
    if isinstance(token, str) and TOKEN.fullmatch(token):
        st.session_state[STUDENT] = token
        _secrets()[code] = held if isinstance(held, str) and SECRET.fullmatch(held) else ""


def keep_secret(code: str, secret: str) -> None:
    """Remember that the visitor is a teacher, or with "" that they are not."""
    _secrets()[code] = secret


def last() -> str | None:
    """The code of the room that the visitor was in last."""
    return st.session_state.get(LAST)


def enter(code: str) -> None:
    """Remember the room that the visitor is in."""
    st.session_state[LAST] = code


def drafts() -> dict[tuple[str, int], Any]:
    """Room and question -> where the student has left the slider or the choices, before sending it."""
    return st.session_state.setdefault(DRAFTS, {})


def set_notice(sentence: str) -> None:
    """Keep a sentence to show when the page is drawn next."""
    st.session_state[NOTICE] = sentence


def pop_notice() -> str | None:
    """Return the sentence, once, or None."""
    return st.session_state.pop(NOTICE, None)


def _secrets() -> dict[str, str]:
    return st.session_state.setdefault(SECRETS, {})
