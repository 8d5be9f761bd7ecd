"""Summaries of a stream: its examples as a table and as CSV, statistics, and warnings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

import aklo
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import escape_cell, percent
from aklo.wording import count


def table(stream: aklo.TaskStream) -> pd.DataFrame:
    """Return a table with one row for each example, in the order of arrival: task, group, y, x1, x2, …"""
    tasks = np.repeat(np.arange(len(stream)), stream.lengths)
    groups = np.array(stream.task_groups)
    features = {f"x{i + 1}": column for i, column in enumerate(np.asarray(stream.X).T)}
    return pd.DataFrame({"task": tasks, "group": groups[tasks], "y": stream.y.astype(int), **features})


def csv(stream: aklo.TaskStream) -> str:
    """Return the table of a stream as CSV."""
    return table(stream).to_csv(index=False)


def positive(stream: aklo.TaskStream) -> np.ndarray:
    """Return the share of +1 among each task's labels, (T,)."""
    return np.add.reduceat(stream.y > 0, stream.offsets[:-1], dtype=int) / stream.lengths


def statistics(stream: aklo.TaskStream, group_names: Sequence[str]) -> pd.DataFrame:
    """Return a table of the groups: tasks, examples, the share of +1, and the number of tasks with one label only."""
    shares = positive(stream)
    tasks = pd.DataFrame(
        {
            "Group": [group_names[g] for g in stream.task_groups],
            "Examples": stream.lengths,
            "plus": shares * stream.lengths,
            "Tasks with one label only": (shares == 0) | (shares == 1),
        }
    )
    found = tasks.groupby("Group").agg("sum")
    found.insert(0, "Tasks", tasks.groupby("Group").size())
    found.insert(2, "Labelled +1", (found.pop("plus") / found["Examples"]).map(lambda share: percent(share, 0)))
    return found


def task_statistics(stream: aklo.TaskStream, group_names: Sequence[str]) -> pd.DataFrame:
    """Task -> its group, examples and share of +1, the mean length of x, and the length of the mean of y·x."""
    first = stream.offsets[:-1]
    lengths = np.sqrt(np.asarray((stream.X * stream.X).sum(axis=1)))
    signed = np.add.reduceat(np.asarray(stream.X) * stream.y[:, None], first, axis=0) / stream.lengths[:, None]
    found = {
        "Task": stream.task_names,
        "Group": [group_names[g] for g in stream.task_groups],
        "Examples": stream.lengths,
        "Labelled +1": [percent(share, 0) for share in positive(stream)],
        "Mean length of x": (np.add.reduceat(lengths, first) / stream.lengths).round(2),
        "Length of the mean of y·x": np.sqrt((signed * signed).sum(axis=1)).round(2),
    }
    return pd.DataFrame(found).set_index("Task")


def oddities(stream: aklo.TaskStream) -> list[str]:
    """Return warnings about properties of the stream that make the comparison of methods less meaningful."""
    shares, n = positive(stream), len(stream)
    same = int(((shares == 0) | (shares == 1)).sum())
    found = []
    if n == 1:
        found.append("There is only one task, so there is nothing to remember: all six methods are the same learner.")
    if (stream.lengths == 1).all():
        found.append("Each task has a single example, which has to be guessed: nobody can learn within a task.")
    elif same >= max(1, 0.1 * n):
        found.append(
            f"In {same} of {n} tasks all labels are the same: the labelling line misses the points. Always predicting "
            "the same label is then enough, and the race tells little. Move the mean towards the line, turn the "
            "vector, or choose a larger spread."
        )
    if stream.vectors is not None and (np.abs(stream.vectors).max(axis=1) < 0.02).any():
        found.append("A labelling vector is nearly zero: its direction, and so the labelling, is decided by chance.")
    return found


def one_label(collection: aklo.Collection) -> str:
    """Return a sentence on tasks whose examples all have the same label, or "" where there are none."""
    one = int(((collection.positive == 0) | (collection.positive == collection.lengths)).sum())
    if not one:
        return ""
    return (
        f"In {one} of {count(len(collection), 'task')} all examples have the same label: always predicting that label "
        "makes no mistakes there."
    )


def left_out(collection: aklo.Collection, settings: Settings) -> str:
    """Return a sentence on tasks and examples of a collection that the pages do not show under the settings."""
    lengths = collection.lengths
    cut, more = int((lengths > settings.n_examples).sum()), len(lengths) - settings.n_tasks
    parts = [f"{more} of {len(lengths)} {'is' if more == 1 else 'are'} not shown"] if more else []
    parts += [f"{count(cut, 'task')} {'has' if cut == 1 else 'have'} more examples than the pages show"] if cut else []
    chosen = "; the sliders in the sidebar choose" if parts else "The sliders in the sidebar choose how many of each"
    return "; ".join(parts).capitalize() + f"{chosen}."


def balance(collection: aklo.Collection) -> pd.DataFrame:
    """Return a table of the tasks: the number of examples, and of +1 among them.

    A visitor can save it as CSV from the page, so a spreadsheet finds no formula in it.
    """
    shares = collection.positive / collection.lengths
    found = pd.DataFrame(
        {
            "Task": [escape_cell(name) for name in collection.names],
            "Examples": collection.lengths,
            f"Labelled +1 ({collection.labels[1]})": collection.positive,
            "Share of +1": [percent(share, 0) for share in shares],
        }
    )
    return found.set_index("Task")
