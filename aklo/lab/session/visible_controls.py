"""Which settings' controls a link leaves on the screen: `?show=alpha,task` hides all others, so that a class sees only
the knob in question. Hidden settings keep their values.
"""

from __future__ import annotations

import streamlit as st

from aklo.lab.settings.schema import FIELDS, LONGEST

KEY = "show"  # in the address and in the session
NOTHING = "none"  # the word that hides every control
# These choose a part of a page and stand there like its headings: they are no knobs, and stay.
HEADINGS = ("race_part", "alpha_part", "tasks_part", "theory_part")

Names = tuple[str, ...]


def read(text: str | None) -> tuple[Names | None, list[str]]:
    """The settings that a link wants to be shown, None for all of them, and a note for each word that is no setting.

    >>> read("task,alpha")
    (('alpha', 'task'), [])
    >>> read("none")
    ((), [])
    """
    if text is None or not text.strip():
        return None, []
    if len(text) > LONGEST:
        return None, [f"Controls to show: a list of {len(text)} characters was left out."]
    words = [word.strip() for word in text.split(",") if word.strip()]
    if words == [NOTHING]:
        return (), []
    known = tuple(name for name in FIELDS if name in words)
    notes = [
        f"Controls to show: {word!r} is not a setting. Settings are called alpha, task, lam and so on."
        for word in dict.fromkeys(words)
        if word not in FIELDS
    ]
    return known or None, notes


def names() -> Names | None:
    """The settings whose controls this visitor sees; None for all."""
    return st.session_state.get(KEY)


def show_only(found: Names | None) -> None:
    st.session_state[KEY] = found


def is_shown(name: str) -> bool:
    """Whether a setting's control is on the screen."""
    found = names()
    return found is None or name in found or name in HEADINGS


def address() -> dict[str, str]:
    """What the address says of it: nothing where all is shown."""
    found = names()
    return {} if found is None else {KEY: ",".join(found) or NOTHING}
