"""Watch it learn: one task of the stream, example by example, or the whole stream, task after task."""

import streamlit as st

from aklo.lab.components.player import PlayerView, player
from aklo.lab.compute import runs
from aklo.lab.frame import page


@page.part
def picture() -> None:
    """The player."""
    settings = page.settings()
    stream, task = runs.stream(settings), settings.task
    player(
        runs.replay(settings),
        key="watch",
        view=PlayerView(method=settings.method),
        follow=settings.follow,
        task=task,
        n_tasks=len(stream),
        title=stream[task].name,
        group=stream.groups[task],
        groups=stream.groups[:task],
        names=stream.names[:task],
        group_names=runs.group_names(settings),
        on_next=lambda following: page.change(task=following),
    )


@page.knobs
def its_knobs() -> None:
    """Those that belong to the player."""
    page.controls("task", "alpha", "clip", "horizon")
    page.setting("follow")


with page.page(
    "Watch it learn",
    "Before each label is shown: what does the learner say, what do the experts say, and who is believed?",
    ("Method", "Stream", "Learner"),
):
    above = st.container()
    picture()
    with above:
        its_knobs()
