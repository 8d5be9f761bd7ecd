"""Watch it learn: one task of the stream, example by example, or the whole stream, task after task."""

from dataclasses import asdict

import streamlit as st

from aklo.lab.components.player import PlayerView, task_player
from aklo.lab.frame import progress
from aklo.lab.frame.page import page
from aklo.lab.frame.widgets import control, controls
from aklo.lab.session import state, visible_controls
from aklo.lab.settings.schema import FIELDS, Settings

VIEW = ("step", "told", "method", "wide", "guess")  # settings that are the player's view


def show_player(settings: Settings) -> None:
    """Draw the player for the settings' task."""
    task_player(
        settings,
        key="watch",
        view=PlayerView(**{name: getattr(settings, name) for name in VIEW}),
        on_view=lambda view: state.change(**asdict(view)),
        choose_method=visible_controls.is_shown("method"),
        link_keys={name: FIELDS[name].key for name in VIEW},
        follow=settings.follow,
        on_next=lambda following: state.change(task=following),
    )


with page(
    "watch",
    ("Stream", "Learner"),
    question="Before each label is shown: what does the learner say, what do the experts say, and who is believed?",
) as settings:
    above = st.container()
    progress.learn(settings)
    show_player(settings)  # first, since people wait for the picture
    with above:
        controls("task", "alpha", "clip", "horizon")
        control("follow")
