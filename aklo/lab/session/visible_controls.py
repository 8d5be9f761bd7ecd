"""Which controls are visible: an address with `?show=alpha,task` hides those of all other settings.

A teacher can so show a class only the controls in question. Hidden settings keep their values. An address with
`?embed=true`, for a frame in another page, shows the picture without the lab around it, and only the controls that
`show` lists.
"""

from __future__ import annotations

import streamlit as st

from aklo.lab.settings.field import LONGEST
from aklo.lab.settings.schema import FIELDS

KEY = "show"  # in the address and in the session
OFFERED = "offered_controls"  # in the session: the settings that the page has a control for
NOTHING = "none"  # the value that hides all controls

Names = tuple[str, ...]


def read(text: str | None) -> tuple[Names | None, list[str]]:
    """Return the settings whose controls a link shows, None for all, and a note for each name that is no setting.

    >>> read("task,alpha")
    (('alpha', 'task'), [])
    >>> read("none")
    ((), [])
    """
    if text is None or not text.strip():
        return None, []
    if len(text) > LONGEST:
        return None, [f"Controls to show: a list of {len(text)} characters was left out: all are shown."]
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


def is_embedded() -> bool:
    """Return whether the address has `embed=true`. Streamlit keeps that parameter to itself, and tells of it here."""
    return bool(st.context.is_embedded)


def names() -> Names | None:
    """Return the settings whose controls are visible; None for all."""
    found = st.session_state.get(KEY)
    return () if found is None and is_embedded() else found


def show_only(chosen: Names | None) -> None:
    """Show only the controls of these settings; None for all."""
    st.session_state[KEY] = chosen


def begin() -> None:
    """Begin to draw a page, of which no control is known yet."""
    st.session_state[OFFERED] = set()


def offer(*settings: str) -> None:
    """Say that the page has controls for these settings, visible or not."""
    st.session_state.setdefault(OFFERED, set()).update(settings)


def offered() -> Names:
    """Return the settings that a link to the page can hide the controls of, in the order of the table of settings."""
    found = st.session_state.get(OFFERED, ())
    return tuple(name for name, field in FIELDS.items() if name in found and not field.heading)


def is_shown(name: str) -> bool:
    """Return whether a setting's control is visible, where the page has one."""
    found = names()
    return found is None or name in found or (FIELDS[name].heading and not is_embedded())


def address() -> dict[str, str]:
    """Return the query parameter; empty if the address does not choose any controls."""
    found = st.session_state.get(KEY)
    return {} if found is None else {KEY: ",".join(found) or NOTHING}
