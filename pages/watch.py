"""Watch it learn: one task of the stream, example by example, or the whole stream, task after task."""

import streamlit as st

from aklo.lab import results, shell
from aklo.lab.player import player


@st.fragment
def picture() -> None:
    """The player and the knobs that belong to it, which run without the rest of the page."""
    settings = shell.controls("task", "alpha", "clip", "horizon")
    follow = st.toggle(
        "Play the whole stream",
        key="follow",
        help="When a task ends, its learner joins the knowledge base as a new expert, and the next task begins.",
    )
    stream, task = results.stream(settings), settings.task
    player(
        results.replay(settings),
        key="watch",
        method=settings.method,
        follow=follow,
        task=task,
        n_tasks=len(stream),
        title=stream[task].name,
        group=stream.groups[task],
        groups=stream.groups[:task],
        names=stream.names[:task],
        group_names=results.group_names(settings),
        on_next=lambda following: shell.change(task=following),
    )


with shell.page(
    "Watch it learn",
    "Before each label is shown: what does the learner say, what do the experts say, and who is believed?",
    ("Method", "Stream", "Learner"),
):
    picture()
