"""Stay at the word that a link leads to, while the page is still being drawn. It needs the browser, so it is a tiny
component that shows nothing."""

from __future__ import annotations

from pathlib import Path

import streamlit as st


def stay() -> None:
    """Look after the address's anchor."""
    _component(key="anchor")


_component = st.components.v2.component(
    "aklo_anchor", html="<span></span>", js=(Path(__file__).parent / "anchor.js").read_text(encoding="utf-8")
)
