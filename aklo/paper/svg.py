"""Line charts as SVG text, for self-contained HTML reports. Colours are CSS variables, for light and dark themes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from aklo.methods import METHODS
from aklo.styles import STROKES, axis_end

WIDTH, HEIGHT = 420, 280
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 12, 40
POINTS = 120  # points drawn of a line, at most: a chart this narrow does not show more


def lines(
    x: np.ndarray,
    y: np.ndarray,
    sd: np.ndarray,
    *,
    x_label: str,
    y_label: str,
    alt: str,
    methods: Sequence[str] = METHODS,
) -> str:
    """Draw one line with a band of y ± sd for each method.

    Parameters
    ----------
    x
        (n,)
    y, sd
        (m, n), a row for each method; the y axis starts at 0.
    x_label, y_label
        Axis titles.
    alt
        Text alternative for screen readers.
    methods
        The m methods.

    Returns
    -------
    An <svg> element.
    """
    keep = np.unique(np.linspace(0, len(x) - 1, min(len(x), POINTS)).round().astype(int))
    x, y, sd = x[keep], y[:, keep], np.nan_to_num(sd[:, keep])
    top = axis_end(float((y + sd).max()) or 1.0)
    left, right = float(x[0]), float(x[-1]) if x[-1] > x[0] else float(x[0]) + 1.0
    across = LEFT + (x - left) / (right - left) * (WIDTH - LEFT - RIGHT)

    def up(values: np.ndarray) -> np.ndarray:
        return HEIGHT - BOTTOM - np.clip(values / top, 0, 1) * (HEIGHT - TOP - BOTTOM)

    parts = [_axes(left, right, top, x_label, y_label)]
    around = np.concatenate([across, across[::-1]])
    for method, values, spread in zip(methods, y, sd, strict=True):
        band = np.concatenate([up(values + spread), up(values - spread)[::-1]])
        parts.append(f'<path class="band {_class(method)}" d="{_path(around, band)}Z"/>')
    for method, values in zip(methods, y, strict=True):
        title = f"<title>{escape(method)}</title>"
        parts.append(f'<path class="line {_class(method)}" d="{_path(across, up(values))}">{title}</path>')
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(alt)}">{"".join(parts)}</svg>'


def key(methods: Sequence[str] = METHODS) -> str:
    """Return the legend as one HTML paragraph."""
    drawn = '<svg class="key" viewBox="0 0 40 8"><path class="line {}" d="M0,4L40,4"/></svg>'
    items = [f"<span>{drawn.format(_class(method))}{escape(method)}</span>" for method in methods]
    return f'<p class="legend">{"".join(items)}</p>'


def style() -> str:
    """Return the CSS rules for the lines' colours and dashes."""
    rules = [".line{fill:none}", ".band{stroke:none;opacity:.14}"]
    for i, stroke in enumerate(STROKES.values()):
        pattern = f"stroke-dasharray:{' '.join(map(str, stroke.pattern))};" if stroke.pattern else ""
        rules.append(f".m{i}{{--c:{stroke.light}}}.line.m{i}{{stroke:var(--c);{pattern}stroke-width:{stroke.width:g}}}")
        rules.append(f".band.m{i}{{fill:var(--c)}}@media(prefers-color-scheme:dark){{.m{i}{{--c:{stroke.dark}}}}}")
    return "".join(rules)


def _class(method: str) -> str:
    """Return the CSS class of a method in `style`."""
    return f"m{list(STROKES).index(method)}"


def _axes(left: float, right: float, top: float, x_label: str, y_label: str) -> str:
    parts = []
    for share in np.linspace(0, 1, 5):
        y = HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
        parts.append(f'<path class="grid" d="M{LEFT},{y:.1f}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{share * top:.3g}</text>')
        value = left + share * (right - left)
        if value == round(value) or right - left > 8:
            x = LEFT + share * (WIDTH - LEFT - RIGHT)
            parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{round(value)}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 6}" text-anchor="middle">{escape(x_label)}</text>')
    parts.append(
        f'<text transform="translate(12,{HEIGHT / 2})rotate(-90)" text-anchor="middle">{escape(y_label)}</text>'
    )
    return "".join(parts)


def _path(x: Sequence[float] | np.ndarray, y: np.ndarray) -> str:
    return "M" + "L".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
