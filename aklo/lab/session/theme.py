"""The theme that the visitor has chosen."""

from __future__ import annotations

import streamlit as st


def is_dark() -> bool:
    """Return whether this visitor uses the dark theme."""
    return st.context.theme.type == "dark"
