"""The share button: copies the address, which holds all settings. It needs the browser, so it is a tiny component."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent


def share_button() -> None:
    """A button that copies the page's address."""
    _component(key="share", on_theme_change=lambda: None)


_component = st.components.v2.component(
    "aklo_share",
    html='<button type="button" title="Copy a link to exactly this picture">Share</button>',
    css=(_HERE / "share.css").read_text(encoding="utf-8"),
    js=(_HERE / "share.js").read_text(encoding="utf-8"),
)
