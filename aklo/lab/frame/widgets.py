"""Controls of settings on a page, and other widgets that show a value of the program.

Every control is drawn with the value in force, under the rule of `control_keys`, so it cannot show another one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from aklo.lab.components import controls as component
from aklo.lab.components.controls import Group
from aklo.lab.frame.setting_controls import READING, setting_controls
from aklo.lab.session import control_keys, state
from aklo.lab.settings.schema import Settings

__all__ = ["READING", "controlled_widget", "controls", "knobs"]


def controls(*names: str, settings: Settings | None = None) -> None:
    """Draw the controls of some settings side by side, without those that a link has hidden.

    Parameters
    ----------
    names
        Of settings, or `READING`.
    settings
        Those that the page shows, where they are not the ones in force.
    """
    shown = settings or state.settings()
    found = [control for name in names for control in setting_controls(name, shown)]
    component.controls([Group("", found)], key=f"controls_{names[0]}", row=True)


def knobs() -> DeltaGenerator:
    """A row for the controls that a page is about. On a phone it stands below the picture (assets/lab.css)."""
    return st.container(key="knobs", horizontal=True, vertical_alignment="top", gap="medium")


def controlled_widget(
    control: str, value: Any, draw: Callable[..., Any], report: Callable[[Any], None]
) -> None:  # fmt: skip
    """Draw a widget that shows a value of the program, and report what a visitor sets it to.

    Parameters
    ----------
    control
        The name of the widget, which its key begins with.
    value
        The value in force.
    draw
        Draws the widget, given `key=`, `value=` and `on_change=`, and returns the value that it shows.
    report
        Called with the new value when the visitor has set one, before the page is drawn again.
    """
    key = control_keys.key(control, value)

    def moved() -> None:
        held = st.session_state[key]
        if control_keys.record_value(key, held):
            report(held)

    shown = draw(key=key, value=value, on_change=moved)
    if shown != value:
        # The visitor has set it while the server was away: a new session has not heard of that by a callback.
        control_keys.record_value(key, shown)
        report(shown)
        st.rerun()
