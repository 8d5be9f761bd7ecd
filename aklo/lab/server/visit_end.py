"""The end of a visit: soon after a visitor has left, the server lets go of all that belongs to the session.

Streamlit keeps a session for `server.disconnectedSessionTTL` seconds after its browser has gone, so that a lost
connection finds it again. Afterwards it is out of reach, but stays in memory until somebody else comes or goes. Here it
is closed in time: Streamlit clears what is cached for a session at the moment when its browser goes, and says so.
"""

from __future__ import annotations

import asyncio
from asyncio import TimerHandle

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

EARLIER = 1.0  # seconds before Streamlit's own limit, after which it cannot close the session any more

_closing: dict[str, TimerHandle] = {}  # session -> when it will be closed, while its browser is away


def watch() -> None:
    """See to it that the session whose page is being drawn is closed some time after its browser has gone."""
    context = get_script_run_ctx()
    if context is not None and runtime.exists():
        _closing.pop(context.session_id, None)  # it has come back
        _present(context.session_id)


def _left(session: str) -> None:
    """Called when a session's browser has gone, or the session was closed."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:  # on another thread: the caches were cleared for another reason, and nobody has left
        return
    wait = max(st.get_option("server.disconnectedSessionTTL") - EARLIER, 0.0)
    _closing[session] = loop.call_later(wait, _close, session)


@st.cache_resource(scope="session", on_release=_left, show_spinner=False)
def _present(session: str) -> str:
    return session


def _close(session: str) -> None:
    """Close a session, unless its browser has come back, and perhaps gone once more, meanwhile."""
    timer = _closing.get(session)
    if timer is None or timer.when() > asyncio.get_running_loop().time() + EARLIER:
        return
    del _closing[session]
    if runtime.exists() and not runtime.get_instance().is_active_session(session):
        runtime.get_instance().close_session(session)
