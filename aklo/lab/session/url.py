"""A visitor's settings and the address of the page, which hold the same.

The lab writes the settings in force to the address. An address that it did not write itself (a link, a reload, the
browser's Back) is read, and what it says is put in force.

The menu adds `STAY` to the address of a page: the settings in force stay, whatever they are by then. The settings in
the address are those of the moment when the menu was drawn, and are read if the session has been lost since.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import streamlit as st

from aklo.lab.session import control_keys, guide, state, uploads, visible_controls
from aklo.lab.settings.schema import FIELDS, Settings, read_address
from aklo.lab.settings.text import one_line

WRITTEN = "written"  # in the session: what the address was last told
PARAMETERS = "parameters"  # in the session: a page's own parameter -> its value
STAY = ("settings", "stay")  # in an address


@dataclass(frozen=True)
class Written:
    """The query of the last address that was written, and the settings that it stands for."""

    query: dict[str, str] = field(default_factory=dict)
    settings: Settings | None = None


def read(parameter: str, opening: Settings, arriving: Callable[[Settings], Settings]) -> list[str]:
    """Put in force what an address says that the lab did not write itself.

    Parameters
    ----------
    parameter
        The name of the page's own parameter in the address, or "".
    opening
        The settings of an address that has none.
    arriving
        Returns the settings with which the page opens for a visitor who comes with others, by the menu.

    Returns
    -------
    A note for each value that had to be changed or dropped.
    """
    query, written = st.query_params.to_dict(), _written()
    new_visit = state.SETTINGS not in st.session_state
    if STAY in query.items() and not new_visit:
        state.replace(arriving(state.settings()))
        guide.show(None)
        # The menu leads from a part of a page to the page's start, and from another page back to the part.
        if parameter in _written().query:
            _parameters()[parameter] = None
        return []
    # What a component reports brings the address of that moment along. The lab may have written another one since.
    older = control_keys.is_answering() or state.settings() != written.settings
    if not new_visit and (query == written.query or older or not query):
        return []
    settings, notes = read_address(query) if has_settings(query) else (opening, [])
    fitted = uploads.fit(settings)
    if fitted.dataset != settings.dataset:
        notes.append(uploads.GONE)
    if new_visit:
        st.session_state[state.SETTINGS] = fitted
    else:
        state.replace(fitted)
    names, unknown = visible_controls.read(query.get(visible_controls.KEY))
    visible_controls.show_only(names)
    guide.show(guide.read(query.get(guide.KEY)))
    if parameter:
        _parameters()[parameter] = query.get(parameter)
    return notes + [one_line(note) for note in unknown]


def lab_address() -> str:
    """The lab's address as the visitor's browser has it, without a slash at the end; "" where there is no browser."""
    return (st.context.url or "").split("?")[0].rpartition("/")[0]


def write(parameter: str, *, keep_bare: bool = False) -> None:
    """Write the settings in force to the address.

    parameter: as in `read`; keep_bare: leave an address without a query as it is, as writing would drop its anchor.
    """
    if state.is_dragging():
        return
    settings = state.settings()
    value = _parameters().get(parameter)
    query = settings.address() | visible_controls.address() | guide.address() | ({parameter: value} if value else {})
    current = st.query_params.to_dict()
    if current != query and not (keep_bare and not current):
        st.query_params.from_dict(query)
    st.session_state[WRITTEN] = Written(query, settings)


def parameter(name: str) -> str | None:
    """The value of a page's own parameter. It may come from outside, so the page has to check it."""
    return _parameters().get(name)


def go(name: str, value: str | None) -> None:
    """Change the page's own parameter, from a callback."""
    _parameters()[name] = value
    write(name)


def has_settings(query: dict[str, str]) -> bool:
    """Whether an address holds settings."""
    return "v" in query or any(field.key in query for field in FIELDS.values())


def _written() -> Written:
    return st.session_state.get(WRITTEN, Written())


def _parameters() -> dict[str, str | None]:
    return st.session_state.setdefault(PARAMETERS, {})
