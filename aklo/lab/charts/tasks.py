"""Charts of the page "Design the tasks"."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

import aklo
from aklo.lab.charts import base
from aklo.lab.charts.base import whole
from aklo.lab.charts.group_strip import group_color, legend, strip
from aklo.lab.charts.plotly_figure import Figure
from aklo.lab.settings.text import escape_plotly

POINTS = 60  # of a task, in a small picture
SIDE = 8  # pixels of a digit
Window = tuple[np.ndarray, np.ndarray]  # the lowest and the highest corner, (2,) each


def order(streams: Sequence[aklo.TaskStream], group_names: Sequence[str], rows: Sequence[str]) -> Figure:
    """Return a chart of the order of the groups, one strip for each stream. rows: the labels of the strips."""
    ends = (-0.5, len(streams[0]) - 0.5)
    cells, axis = strip(streams, group_names, rows)
    room = 104 if len(group_names) <= 2 else 152  # a long legend takes three rows on a phone
    letters = max(map(len, rows))
    figure = base.new(room + 46 * len(streams), x="Task (counted from 0)", y="", x_range=ends, letters=letters,
                      value_axis=None)  # fmt: skip
    figure.add_traces(cells)
    figure.update_layout(hovermode="closest", xaxis={"showgrid": False, **whole(len(streams[0]))}, yaxis=axis)
    return figure


def windows(stream: aklo.TaskStream) -> dict[int, Window]:
    """Return the window of each group, which holds all of its examples; its tasks share it and can be compared."""
    of_row = np.repeat(stream.task_groups, stream.lengths)
    result = {}
    for g in set(stream.task_groups):
        X = stream.X[of_row == g]
        low, high = X.min(axis=0), X.max(axis=0)
        edge = np.maximum(0.04 * (high - low), 0.1)
        result[g] = (low - edge, high + edge)
    return result


def multiples(
    cells: Sequence[tuple[aklo.Task, Window, str]], group_names: Sequence[str], columns: int = 6, height: int = 150
) -> Figure:
    """Return small multiples: one scatter plot for each task, all in one pair of axes.

    Cell (row, column) is the unit square at (column, -row).

    Parameters
    ----------
    cells
        For each plot the task, the window of the plane that is shown, and the title.
    group_names
        The name of each group.
    columns
        The number of plots in a row.
    height
        Of a row, in pixels.
    """
    p, rows = base.palette(), -(-len(cells) // columns)
    figure = base.new(height * rows + 44, x="", y="", x_range=(0, columns), y_range=(-rows, 0), letters=0,
                      value_axis=None)  # fmt: skip
    points: dict[int, list[np.ndarray]] = {1: [], -1: []}
    lines: list[np.ndarray] = []
    frames: dict[int, list[np.ndarray]] = defaultdict(list)
    titles: dict[int, list[tuple[float, float, str]]] = defaultdict(list)
    for i, (task, (low, high), title) in enumerate(cells):
        corner = np.array([i % columns + 0.03, -(i // columns) - 0.97])
        size = np.array([0.94, 0.8])
        scale = size / np.maximum(high - low, 1e-9)
        for y, drawn in points.items():
            X = task.X[:POINTS][task.y[:POINTS] == y]
            drawn.append(corner + (X - low) * scale)
        line = None if task.vector is None else through(task.vector, low, high)
        if line is not None:
            lines += [*(corner + (line - low) * scale), np.full(2, np.nan)]
        box = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0, 0], [np.nan, np.nan]])
        frames[task.group or 0].append(corner + box * size)
        titles[task.group or 0].append((corner[0], corner[1] + 0.88, escape_plotly(title)))
    for g in sorted(frames):
        box = np.concatenate(frames[g])
        figure.add_scatter(
            x=box[:, 0], y=box[:, 1], mode="lines", hoverinfo="skip", showlegend=False,
            name=escape_plotly(group_names[g]),
            line={"color": group_color(g), "width": 1.5},
        )  # fmt: skip
        x, heights, text = zip(*titles[g], strict=True)
        figure.add_scatter(
            x=x, y=heights, text=text, mode="text", textposition="middle right", hoverinfo="skip", showlegend=False,
            textfont={"color": group_color(g), "size": 12},
        )  # fmt: skip
    for y, colour, word in ((1, p.plus, "+1"), (-1, p.minus, "−1")):
        X = np.concatenate(points[y])
        figure.add_scatter(
            x=X[:, 0], y=X[:, 1], mode="markers", name=f"label {word}", hoverinfo="skip",
            marker={"symbol": base.SYMBOLS[y], "size": 4.5, "color": colour, "opacity": 0.8},
        )  # fmt: skip
    path = np.array(lines) if lines else np.full((1, 2), np.nan)
    figure.add_scatter(
        x=path[:, 0], y=path[:, 1], mode="lines", name="labelling line", hoverinfo="skip",
        line={"color": p.ink, "width": 2},
    )  # fmt: skip
    figure.add_traces(legend(sorted(frames), group_names))
    hidden = {"visible": False, "fixedrange": True}
    figure.update_layout(hovermode=False, xaxis=hidden, yaxis=hidden, dragmode=False, legend={"itemsizing": "constant"})
    return figure


def through(a: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray | None:
    """Return the two points where the line a.x = 0 crosses the border of a window, (2, 2), or None if it does not."""
    along = np.array([-a[1], a[0]])
    start, end = -np.inf, np.inf
    for d in (0, 1):
        if abs(along[d]) < 1e-12:
            if not low[d] <= 0 <= high[d]:
                return None
        else:
            ends = sorted((low[d] / along[d], high[d] / along[d]))
            start, end = max(start, ends[0]), min(end, ends[1])
    return np.array([start * along, end * along]) if np.isfinite([start, end]).all() and start < end else None


def samples(task: aklo.Task, each: int = 3, zoom: int = 4) -> np.ndarray:
    """Return some images of a digits task as one RGB image of 0..255, (h, w, 3): +1 in the upper row, -1 in the lower.

    each: the images in a row; zoom: the side of a pixel of an image.
    """
    p = base.palette()
    ground, ink, frame = (np.array([int(c[i : i + 2], 16) for i in (1, 3, 5)], float) for c in
                          (p.panel, p.ink, group_color(task.group or 0)))  # fmt: skip
    height, width = 2 * SIDE + 3, each * (SIDE + 1) + 1
    depth = np.zeros((height, width))
    for row, y in enumerate((1, -1)):
        for column, x in enumerate(task.X[task.y == y][:each]):
            top, left = 1 + row * (SIDE + 1), 1 + column * (SIDE + 1)
            depth[top : top + SIDE, left : left + SIDE] = x[: SIDE * SIDE].reshape(SIDE, SIDE)
    picture = ground + depth[..., None] * (ink - ground)
    picture = picture.repeat(zoom, axis=0).repeat(zoom, axis=1)
    picture[:2], picture[-2:], picture[:, :2], picture[:, -2:] = frame, frame, frame, frame
    return picture.astype(np.uint8)
