"""Watch it learn: one task of the stream, example by example, or the whole stream, task after task."""

from dataclasses import asdict

import streamlit as st

import aklo  # noqa: F401  all of it, before any of its modules: see tests/test_imports.py
from aklo.lab.components.player import PlayerOptions, PlayerView, task_player
from aklo.lab.compute import runs
from aklo.lab.content import findings
from aklo.lab.frame import progress
from aklo.lab.frame.explain import terms_button
from aklo.lab.frame.page import page, picture
from aklo.lab.frame.widgets import READING, controls, knobs
from aklo.lab.session import state, visible_controls
from aklo.lab.settings.schema import FIELDS, Settings

VIEW = ("step", "told", "method", "wide", "guess", "regret")  # settings that are the player's view


def about(settings: Settings) -> str:
    """A sentence on the task, which does not give away what a class is to guess."""
    if settings.guess:
        return "Guess each label before you step forward; the race counts the mistakes so far."
    return findings.of_task(runs.replay(settings)).replace("**", "")


def show_player(settings: Settings) -> None:
    """Draw the player for the settings' task."""
    visible_controls.offer("method")
    task_player(
        settings,
        key="watch",
        view=PlayerView(**{name: getattr(settings, name) for name in VIEW}),
        on_view=lambda view: state.change(**asdict(view)),
        options=PlayerOptions(
            choose_method=visible_controls.is_shown("method"),
            link_keys={name: FIELDS[name].key for name in VIEW},
            follow=settings.follow,
            about=about(settings),
            competitor=settings.competitor,
        ),
        on_next=lambda following: state.change(task=following),
        on_alpha=lambda spec, drag: state.change(drag, alpha=spec),
    )


with page("watch", ("Stream", "Methods", "Knowledge", "Learner")) as settings:
    above = st.container()
    progress.learn(settings)
    with picture():
        show_player(settings)  # first, since people wait for the picture
    with above, knobs():
        controls("task", READING, "alpha", "follow")
    if settings.regret:
        controls("competitor")
    terms_button("group", "weight", "alpha", "clip", "horizon", "lambda", challengers=settings.challengers)
