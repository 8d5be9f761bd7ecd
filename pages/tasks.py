"""Design the tasks: the stream that all pages use, seen from all sides."""

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

import aklo
from aklo.lab.charts import tasks as charts
from aklo.lab.components.plotly_chart import show
from aklo.lab.components.stream_overview import stream_overview
from aklo.lab.compute import runs
from aklo.lab.compute.design import design_of
from aklo.lab.content import findings, stream_summary
from aklo.lab.frame.navigation import PAGES
from aklo.lab.frame.page import finding, page, picture, table
from aklo.lab.frame.widgets import controlled_widget, controls
from aklo.lab.session import state
from aklo.lab.settings.field import OWN
from aklo.lab.settings.schema import TASKS_ON_A_PAGE, Settings
from aklo.wording import count


def in_plane(stream: aklo.TaskStream) -> bool:
    """Whether a stream's examples are points of the plane."""
    return stream.d == 2


def has_images(settings: Settings) -> bool:
    """Whether a stream's examples are images."""
    return settings.dataset == "digits"


def show_overview(settings: Settings) -> None:
    """All tasks at once, and their order."""
    stream, names = runs.stream(settings), runs.group_names(settings)
    counts = ", ".join(f"{stream.task_groups.count(g)} of {names[g]}" for g in sorted(set(stream.task_groups)))
    alt = f"The order of the tasks' groups: {counts}."
    if in_plane(stream):
        with picture():
            stream_overview(
                stream,
                names,
                key="overview",
                alt=f"{count(len(stream), 'task')} overlaid in the plane. {alt}",
                design=design_of(settings),
                on_design=lambda values, drag: state.change(drag, **values),
            )
        lines = (
            "Every labelling line runs through the origin, and the arrow, the group's labelling vector, points from "
            "its mean to the side of +1. "
        )
        st.caption(
            ("" if stream.vectors is None else lines)
            + "At most 400 examples of a group are drawn. No method is told the groups."
        )
    else:
        with picture():
            show(charts.order([stream], names, [""]), "order", alt)
        st.caption(
            "One cell for each task, from the first to the last; the colour is its group. No method is told the groups."
        )


def look_closer(settings: Settings) -> None:
    """The stream in words, what is odd about it, and one more view."""
    stream = runs.stream(settings)
    if has_images(settings):
        what = "Each task is to tell two handwritten digits apart, the larger one being +1."
    elif in_plane(stream) and stream.vectors is not None:
        what = (
            "A task draws its points around its group's mean and labels them +1 on one side of its line, −1 on the "
            "other."
        )
    else:
        what = f"Each example has {count(stream.d, 'feature')} and the label +1 or −1."
    st.markdown(f"**{runs.size(settings)}, one by one.** {what}")
    for oddity in stream_summary.oddities(stream):
        st.warning(oddity, icon=":material/warning:")
    controls("tasks_part")
    PARTS[settings.tasks_part](settings)


def task_by_task(settings: Settings) -> None:
    """A picture of each task, some at a time."""
    stream, names = runs.stream(settings), runs.group_names(settings)
    pages = -(-len(stream) // TASKS_ON_A_PAGE)
    if pages > 1:
        controlled_widget("tasks_page", settings.tasks_page, partial(pagination, pages), choose_page)
    at = TASKS_ON_A_PAGE * (settings.tasks_page - 1)
    shown = range(at, min(at + TASKS_ON_A_PAGE, len(stream)))
    if in_plane(stream):
        windows = charts.windows(stream)
        cells = [(stream[k], windows[stream.task_groups[k]], f"{k} · {names[stream.task_groups[k]]}") for k in shown]
        alt = f"Tasks {shown[0]} to {shown[-1]}, a small plane each."
        show(charts.multiples(cells, names), "multiples", alt)
        st.caption(
            "Across is x₁, up is x₂; the tasks of a group share one window, so that they can be compared. The "
            "first 60 examples of each task are drawn."
        )
    elif has_images(settings):
        st.image([charts.samples(stream[k]) for k in shown], [f"{k}: {stream[k].name}" for k in shown], width=112)
        st.caption("Three images of each digit: the upper row is +1, the lower −1. The frame's colour is the +1 digit.")
    else:
        table("The tasks", stream_summary.task_statistics(stream, names).iloc[shown.start : shown.stop])
        st.caption(
            f"Each example has {count(stream.d, 'feature')}, which no plane shows as they are, so the tasks are listed "
            "instead of drawn: the mean length of x, and the length of the mean of y·x, which is large where one "
            "direction tells the labels apart."
        )


def pagination(pages: int, *, value: int, **options: Any) -> int:
    return st.pagination(pages, default=value, **options)


def choose_page(number: int) -> None:
    state.change(tasks_page=number)


def other_seeds(settings: Settings) -> None:
    """The same stream under other seeds."""
    names, seeds = runs.group_names(settings), [(settings.seed + i) % 10_000 for i in range(3)]
    others = [runs.stream(settings.change(seed=seed)) for seed in seeds]
    rows = [f"Seed {seed}" for seed in seeds]
    show(charts.order(others, names, rows), "seeds", f"The order of the groups under seeds {seeds}.")
    if in_plane(others[0]):
        cells = [(other[k], charts.windows(other)[other.task_groups[k]], f"{row} · {names[other.task_groups[k]]}")
                 for k in range(min(2, len(others[0]))) for other, row in zip(others, rows, strict=True)]  # fmt: skip
        show(charts.multiples(cells, names, columns=3), "seed_tasks", f"The first tasks under seeds {seeds}.")
        st.caption(
            "The first two tasks, above and below, under three seeds. A seed decides the order of the groups, where "
            "the examples fall and how each line wobbles; means, vectors and spread stay what you set."
        )
    elif has_images(settings):
        st.image([charts.samples(other[0]) for other in others],
                 [f"{row}: {other[0].name}" for row, other in zip(rows, others, strict=True)], width=112)  # fmt: skip
        st.caption(
            "The first task under three seeds. A seed decides which pairs of digits come when, and which images."
        )
    else:
        first = [stream_summary.task_statistics(other, names).iloc[:1] for other in others]
        table("The first task", pd.concat(first, keys=rows, names=["Seed"]))
        st.caption("The first task under three seeds: each seed draws other examples.")


def in_numbers(settings: Settings) -> None:
    """The groups as a table, and the stream as a file."""
    stream = runs.stream(settings)
    table("The groups", stream_summary.statistics(stream, runs.group_names(settings)))
    st.download_button(
        "Download the stream as CSV", lambda: stream_summary.csv(stream), f"{settings.dataset}_seed{settings.seed}.csv",
        mime="text/csv", icon=":material/download:", on_click="ignore",
        help="One row for each example, in the order of arrival.",
    )  # fmt: skip
    st.caption(
        "Columns: task, group, y (−1 or +1), then the features x1, x2, …; one row for each example, in the order of "
        "arrival, with all digits. Your own data, in the menu, reads files of this form."
    )


PARTS = {"Task by task": task_by_task, "What the seed changes": other_seeds, "In numbers": in_numbers}

with page("tasks", ("Stream", "Generator")) as settings:
    if settings.dataset == OWN:
        st.info(
            "This page designs synthetic tasks; yours are as you brought them. What they contain is described there:",
            icon=":material/info:",
        )
        PAGES["data"].link(state.settings())
    else:
        finding(findings.of_stream(runs.stream(settings), runs.group_names(settings)))
        show_overview(settings)
        look_closer(settings)
