"""How a visitor's table is read: what its columns are, what becomes of several classes, of words and of gaps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from aklo.lab.session import uploads

NO_COLUMN = "(no column: all rows are one task)"
EACH_CLASS = "(a task for each class)"


def table_options(given: list, meanwhile: Callable[[float], None]) -> dict[str, Any] | None:
    """Draw the choices for the one table that was uploaded.

    meanwhile: called again and again while the file is looked through, with the share that is done.

    Which columns hold the task and the label is asked only if they are not called so, and about classes only if there
    are more than two. Raises ValueError with a sentence if the file cannot be read.

    Returns
    -------
    The keywords of `read_csv`, or None while a choice is missing.
    """
    columns = [name for name in uploads.read_once("columns", "columns", given, meanwhile=meanwhile) if name]
    named = [name.lower() for name in columns]
    options: dict[str, Any] = {}
    task: str | None = NO_COLUMN
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if columns and "task" not in named:
            task = st.selectbox(
                "Which column is the task?", [*columns, NO_COLUMN], index=None, key="column_task",
                placeholder="Choose a column",
                help="The header has no column named 'task', so say which one it is, or that all rows are one task.",
            )  # fmt: skip
            options["task"] = None if task == NO_COLUMN else task
        if columns and "y" not in named:
            options["y"] = st.selectbox(
                "Which column is the label?", columns, index=None, key="column_y", placeholder="Choose a column",
                help="The header has no column named 'y', so say which one it is.",
            )  # fmt: skip
        if task is None or options.get("y", "y") is None:
            chosen = False
        else:
            y = options.get("y", "y")
            labels = uploads.read_once("labels", "labels", given, meanwhile=meanwhile, y=y)
            chosen = _choose_class(labels, options)
        options["one_hot"] = st.toggle(
            "Use columns of words", key="one_hot",
            help="A column of words becomes one column for each of its words, 1 where the word stands and 0 elsewhere "
            "(one-hot). Otherwise such columns are left out.",
        )  # fmt: skip
        options["drop_gaps"] = st.toggle(
            "Leave out rows with gaps", key="drop_gaps",
            help="Rows with an empty cell, NaN or NA are left out and counted, instead of stopping at the first.",
        )  # fmt: skip
    if not chosen:
        st.info("This table needs a choice or two to be read: make them above.", icon=":material/table:")
    return options if chosen else None


def _choose_class(labels: list[str], options: dict[str, Any]) -> bool:
    """Ask what becomes of more than two labels; return whether the table can be read."""
    if len(labels) <= 2:
        return True
    chosen = st.selectbox(
        f"Which of the {len(labels)} classes is +1?", [*labels, EACH_CLASS], index=None, key="positive_class",
        placeholder="Choose a class",
        help="A task has two labels. One class can be +1 and all the others −1; or each class gets tasks of its own, "
        "in which it is +1 and the rest −1.",
    )  # fmt: skip
    if chosen == EACH_CLASS and EACH_CLASS not in labels:
        options["each_class"] = True
    else:
        options["positive"] = chosen
    return chosen is not None
