"""How many visitors there are: while they are few, sliders report as they are dragged, otherwise on release only."""

from __future__ import annotations

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

FEW = 8  # visitors who may drag at the same time

_seen: set[str] = set()  # sessions of visitors who have come


def arrive() -> None:
    """Count the visitor whose page is being drawn, and forget those who have left."""
    context = get_script_run_ctx()
    if context is not None:
        _seen.add(context.session_id)
    _seen.intersection_update([session for session in _seen.copy() if is_here(session)])


def are_few() -> bool:
    """Whether at most `FEW` visitors have the lab open; counted when a page begins."""
    return len(_seen) <= FEW


def is_here(session: str) -> bool:
    """Whether a session's browser is connected."""
    return runtime.exists() and runtime.get_instance().is_active_session(session)
