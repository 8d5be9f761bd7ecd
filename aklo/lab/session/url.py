"""Where a visitor's settings live: one object in the session, and the same in the address.

An address that the lab did not write itself (a link, a reload, the browser's Back) is read anew.
"""

from __future__ import annotations

import streamlit as st

from aklo.lab.session import exports, uploads, visible_controls
from aklo.lab.settings.schema import PRESETS, Settings, read_address


def settings() -> Settings:
    """The settings of this visitor."""
    return st.session_state.get("settings", PRESETS["syn1, as printed"])


def read(page: str) -> Settings:
    """The session's settings, unless the address says something that the lab did not write; then write the address."""
    state, asked = st.session_state, st.query_params.to_dict()
    # A fragment may have moved on since the menu was drawn: its links then carry what was, and what is now holds.
    place = state["place"]
    bare = {name: text for name, text in asked.items() if name not in (visible_controls.KEY, place)}
    by_menu = bare == state.get("linked") and page != state.get("page")
    foreign = asked != state.get("address") and not by_menu and (asked or "settings" not in state)
    if foreign and not state.pop("changed", False):
        state["settings"], state["notes"] = uploads.fitted(*read_address(asked))
        names, unknown = visible_controls.read(asked.get(visible_controls.KEY))
        visible_controls.take(names)
        state["notes"] += unknown
    if place and asked != state.get("address") and (foreign or place in asked):
        state.setdefault("places", {})[place] = asked.get(place)
    state["page"] = page
    return write(again=True)


def write(again: bool = False) -> Settings:
    """Write the settings to the address, where they are not there yet. again: whatever was written last."""
    state, current = st.session_state, settings()
    state.pop("changed", None)
    told = (current, place(), visible_controls.names())
    if told == state.get("written") and not again:
        return current
    exports.mine().settings = current
    where = {state["place"]: place()} if place() else {}
    address = current.address() | visible_controls.address() | where
    asked = st.query_params.to_dict()
    if asked != address and (asked or not state["anchors"]):
        st.query_params.from_dict(address)
    state.update(address=address, written=told)
    return current


def place() -> str | None:
    """Where on its page this visitor is, as the address says it; to be checked, since it may come from outside. It is
    kept while the visitor is on other pages."""
    return st.session_state.get("places", {}).get(st.session_state["place"])


def go(where: str | None) -> None:
    """Go to another place of the page, from a callback; the address follows."""
    st.session_state.setdefault("places", {})[st.session_state["place"]] = where
    write()
