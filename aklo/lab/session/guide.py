"""Which prepared state is explained: a step of the tour (`?tour=2`), or a story (`?tour=wrong-friend`)."""

from __future__ import annotations

import re

import streamlit as st

KEY = "tour"  # in the address and in the session
LAST = "tour_last"  # in the session: the step of the tour that was shown last
NAME = re.compile(r"[a-z0-9-]{1,40}")


def read(text: str | None) -> str | None:
    """Return the name in an address, or None if it cannot be one. Whether there is such a scene, the page checks.

    >>> read("wrong-friend"), read("<b>")
    ('wrong-friend', None)
    """
    return text if text is not None and NAME.fullmatch(text) else None


def current() -> str | None:
    """Return the name of the scene that is explained, or None."""
    return st.session_state.get(KEY)


def show(name: str | None) -> None:
    """Explain another scene; None for none."""
    st.session_state[KEY] = name
    if name is not None and name.isdecimal():
        st.session_state[LAST] = name


def last_step() -> str | None:
    """Return the step of the tour that was shown last in this visit, or None."""
    return st.session_state.get(LAST)


def address() -> dict[str, str]:
    """Return the query parameter; empty if nothing is explained."""
    name = current()
    return {} if name is None else {KEY: name}
