"""When a component takes a value from Python, and when it keeps its own.

A component shows a value that both sides may change: the visitor in the browser, and the program in Python. An answer
of the server may be older than what the visitor is doing now, so the browser does not simply take the value that comes
with it. Python sends the value with a revision number. The browser takes the value when it is mounted and whenever the
revision differs from the one that it took last; otherwise it keeps its own.
"""

from __future__ import annotations

from typing import Any

import streamlit as st


def reported(key: str, value: Any) -> None:
    """Note that the browser has reported a value, so that sending the same value back is not a change."""
    _, number = st.session_state.get(_name(key), (value, 0))
    st.session_state[_name(key)] = (value, number)


def revision_of(key: str, value: Any, revision: int | None = None) -> int:
    """Return the revision to send with a value.

    Parameters
    ----------
    key : the component's key.
    value : the value that is sent.
    revision : the number that the caller keeps. None counts here: the number rises whenever the value is neither the
        one that was sent last nor the one that the browser has reported since.
    """
    if revision is not None:
        return revision
    before, number = st.session_state.get(_name(key), (value, 0))
    if before != value:
        number += 1
    st.session_state[_name(key)] = (value, number)
    return number


def _name(key: str) -> str:
    return f"revision of {key}"
