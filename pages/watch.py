"""Watch it learn: one task of the stream, example by example, or the whole stream, task after task."""

import streamlit as st

from aklo.lab import results, shell
from aklo.lab.player import player


@shell.part
def picture() -> None:
    """The player and the knobs that belong to it."""
    settings = shell.settings()
    knobs = st.container()  # above the picture, and drawn after it, since the picture is what people wait for
    stream, task = results.stream(settings), settings.task
    player(
        results.replay(settings),
        key="watch",
        method=settings.method,
        follow=settings.follow,
        task=task,
        n_tasks=len(stream),
        title=stream[task].name,
        group=stream.groups[task],
        groups=stream.groups[:task],
        names=stream.names[:task],
        group_names=results.group_names(settings),
        on_next=lambda following: shell.change(task=following),
    )
    shell.head_start()
    with knobs:
        shell.controls("task", "alpha", "clip", "horizon")
        shell.setting("follow")


with shell.page(
    "Watch it learn",
    "Before each label is shown: what does the learner say, what do the experts say, and who is believed?",
    ("Method", "Stream", "Learner"),
):
    picture()
