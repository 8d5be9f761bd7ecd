"""A visitor's guesses in the lessons. They outlive a visit to other pages, not a reload."""

from __future__ import annotations

from typing import Any

import streamlit as st

Guess = Any  # a number, or the key of a choice


def committed() -> dict[str, Guess]:
    """Lesson -> the guess that the visitor has committed to."""
    return st.session_state.setdefault("guesses", {})


def drafts() -> dict[str, Guess]:
    """Lesson -> where the visitor left the slider, or the choices, before committing."""
    return st.session_state.setdefault("drafts", {})


def commit(lesson: str) -> None:
    """Commit to the draft; the first commitment holds."""
    if lesson in drafts():
        committed().setdefault(lesson, drafts()[lesson])


def forget(*lessons: str) -> None:
    """Take guesses back."""
    for lesson in lessons:
        committed().pop(lesson, None)
        drafts().pop(lesson, None)
