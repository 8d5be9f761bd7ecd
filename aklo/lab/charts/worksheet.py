"""Pictures of the worksheets as SVG text: they are for paper, so they need no script, and have the light colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

import aklo
from aklo.lab.charts.palette import LIGHT, SLOTS
from aklo.lab.charts.tasks import through

SIDE, GAP, HEAD = 180, 24, 22  # pixels of a plane: its sides, the space between two, and the line above it
EDGE = 0.3  # of the plane, around the examples of a task
WIDE, HIGH = 620, 150  # of the chart of alpha, with room for its axes
LEFT, RIGHT, TOP, BOTTOM = 34, 26, 8, 30
FONT = 'font-family="system-ui, sans-serif" font-size="13"'


def planes(stream: aklo.TaskStream, tasks: Mapping[str, int], *, first: int, numbered: bool = False) -> str:
    """Draw the first examples of some tasks in the plane, side by side.

    Parameters
    ----------
    stream
        Of tasks in the plane.
    tasks
        Title -> the task's number.
    first
        How many examples of each task are drawn.
    numbered
        Whether to draw the examples' order, instead of each task's labelling line.
    """
    parts = []
    for column, (title, number) in enumerate(tasks.items()):
        task = stream[number]
        low, high = task.X.min(axis=0) - EDGE, task.X.max(axis=0) + EDGE
        parts.append(
            f'<g transform="translate({column * (SIDE + GAP)},{HEAD})">'
            f'<text y="-8" fill="{LIGHT.ink}">{escape(title)}</text>'
            f'<rect width="{SIDE}" height="{SIDE}" fill="none" stroke="{LIGHT.others}"/>'
            + ("" if numbered else _line(task, low, high))
            + "".join(_example(x, y, low, high) for x, y in zip(task.X[:first], task.y[:first], strict=True))
            + ("".join(_order(x, t, low, high) for t, x in enumerate(task.X[:first], 1)) if numbered else "")
            + "</g>"
        )
    return _svg(len(tasks) * (SIDE + GAP) - GAP, HEAD + SIDE + 1, parts)


def _example(x: np.ndarray, y: float, low: np.ndarray, high: np.ndarray) -> str:
    """An example: a disc for +1 and a diamond for −1, as everywhere in the lab."""
    across, down = _place(x, low, high)
    if y > 0:
        return f'<circle cx="{across:.1f}" cy="{down:.1f}" r="4.5" fill="{LIGHT.plus}"/>'
    corners = ((0, -5.5), (5.5, 0), (0, 5.5), (-5.5, 0))
    points = " ".join(f"{across + x:.1f},{down + y:.1f}" for x, y in corners)
    return f'<polygon points="{points}" fill="{LIGHT.minus}"/>'


def _order(x: np.ndarray, t: int, low: np.ndarray, high: np.ndarray) -> str:
    across, down = _place(x, low, high)
    return f'<text x="{across + 7:.1f}" y="{down + 4:.1f}" fill="{LIGHT.ink}">{t}</text>'


def _line(task: aklo.Task, low: np.ndarray, high: np.ndarray) -> str:
    ends = None if task.vector is None else through(task.vector, low, high)
    if ends is None:
        return ""
    (x1, y1), (x2, y2) = (_place(end, low, high) for end in ends)
    return f'<path d="M{x1:.1f},{y1:.1f}L{x2:.1f},{y2:.1f}" stroke="{LIGHT.ink}" stroke-width="2"/>'


def _place(x: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[float, float]:
    """Return where a point of the plane is in the picture, from the left and from above."""
    across, up = SIDE * (x - low) / np.maximum(high - low, 1e-9)
    return float(across), SIDE - float(up)


def schedules(values: Sequence[np.ndarray]) -> str:
    """Draw alpha over the steps of a task: one line for each schedule, with its letter, A, B and so on.

    values: (N,) each, not more than there are letters.
    """
    n = len(values[0])
    right, bottom = WIDE - RIGHT, HIGH - BOTTOM
    parts = [
        f'<path d="M{LEFT},{TOP}V{bottom}H{right}" fill="none" stroke="{LIGHT.others}"/>',
        *(_text(LEFT - 6, _height(alpha) + 4, f"{alpha:g}", "end") for alpha in (0, 0.5, 1)),
        *(_text(_step(t, n), bottom + 16, str(t), "middle") for t in sorted({1, (n + 1) // 2, n})),
        _text((LEFT + right) / 2, HIGH - 1, "Step t of a task", "middle"),
        _text(0, TOP + 4, "α", "start"),
    ]
    # The letters stand at different steps, so that they do not cover each other where lines do.
    for k, (values_k, (letter, stroke)) in enumerate(zip(values, SLOTS.items(), strict=False)):
        path = "L".join(f"{_step(t, n):.1f},{_height(alpha):.1f}" for t, alpha in enumerate(values_k, 1))
        dash = f' stroke-dasharray="{" ".join(map(str, stroke.pattern))}"' if stroke.pattern else ""
        parts.append(f'<path d="M{path}" fill="none" stroke="{stroke.light}" stroke-width="2.5"{dash}/>')
        t = min(n, max(1, round(n * (0.15 + 0.14 * k))))
        parts.append(
            f'<text x="{_step(t, n):.1f}" y="{_height(values_k[t - 1]) - 4:.1f}" fill="{stroke.light}" '
            f'font-weight="bold" stroke="#ffffff" stroke-width="4" paint-order="stroke">{letter}</text>'
        )
    return _svg(WIDE, HIGH + 4, parts)


def _step(t: int, n: int) -> float:
    return LEFT + (t - 1) / max(n - 1, 1) * (WIDE - LEFT - RIGHT)


def _height(alpha: float) -> float:
    return HIGH - BOTTOM - float(alpha) * (HIGH - BOTTOM - TOP - 6)


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{LIGHT.soft}">{escape(text)}</text>'


def _svg(width: int, height: int, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f"{FONT}>{''.join(parts)}</svg>"
    )
