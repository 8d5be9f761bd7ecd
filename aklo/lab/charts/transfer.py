"""Charts of the page on negative transfer. Gains are in percentage points, positive where knowledge helps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

import aklo
from aklo.lab.charts.base import axis_end, band, is_dark, line, method_bands, mode, new, palette, steps_range, whole
from aklo.lab.charts.group_strip import group_color
from aklo.lab.charts.plotly_figure import Figure
from aklo.lab.settings.text import escape_plotly
from aklo.transfer import ANGLES, SHARES, Place

PATTERNS = ("", "/", "x", ".", "-", "|", "+", "\\")  # of the groups' bars, so that they differ by more than colour
DEGREES = {"tick0": 0, "dtick": 30, "ticksuffix": "°"}


def along(
    cells: Mapping[Place, aklo.Transfer], angle: float, height: int, onsets: Mapping[str, aklo.Onset] | None = None
) -> Figure:
    """Return a chart of the gain against the angle: means and standard deviations over repetitions.

    cells: of one share of D2; angle: where to draw a vertical line; onsets: to mark, where known.
    """
    angles = np.array([at for at, _ in cells])
    methods = next(iter(cells.values())).methods  # the first is ITOL, the reference
    gain = 100 * np.stack([found.gain for found in cells.values()])  # (angles, repetitions, m)
    negative = np.stack([found.negative.mean(axis=0) for found in cells.values()])
    banded = gain.shape[1] > 1
    mean = 100 * np.stack([found.mean for found in cells.values()])
    sd = gain.std(axis=1, ddof=1) if banded else np.zeros(negative.shape)
    low, high = _range(np.stack([mean - sd, mean + sd]))
    figure = new(height, x="Angle between D1 and D2", y="Gain, points", x_range=(-3, 183), y_range=(low, high))
    p = palette()
    if banded:
        figure.add_traces(method_bands(angles, mean.T[1:], sd.T[1:], methods[1:]))
    figure.add_scatter(
        x=[-3, 183], y=[0, 0], mode="lines", name="ITOL", line=line("ITOL"), hoverinfo="skip"
    )  # fmt: skip
    deviation = " ± %{customdata[0]:.1f}" if banded else ""
    for i, method in enumerate(methods[1:], start=1):
        figure.add_scatter(
            x=angles, y=mean[:, i], mode="lines", name=method, legendgroup=method,
            line=line(method), customdata=np.stack([sd[:, i], negative[:, i]], axis=1),
            hovertemplate="%{y:+.1f}" + deviation + ", hurts %{customdata[1]:.0%} of the tasks",
        )  # fmt: skip
    figure.add_scatter(
        x=[angle, angle], y=[low, high], mode="lines", name="this stream", hoverinfo="skip", meta="guide",
        line={"color": p.soft, "width": 1.5},
    )  # fmt: skip
    marked = {method: onset.angle for method, onset in (onsets or {}).items() if onset.angle > 0}
    if marked:
        figure.add_scatter(
            x=list(marked.values()), y=[0] * len(marked), mode="markers", name="begins to hurt", hoverinfo="skip",
            meta="key",
            marker={
                "symbol": "circle", "size": 10, "color": [line(method)["color"] for method in marked],
                "line": {"width": 2, "color": p.ground},
            },
        )  # fmt: skip
    figure.update_layout(xaxis=DEGREES, yaxis={"tickformat": "d"}, legend={"itemwidth": 42})
    return figure


def heat(cells: Mapping[Place, aklo.Transfer], method: str, here: Place, height: int) -> Figure:
    """Return a heat map of the mean gain of one method, angle × share of D2.

    Cells with a negative gain are marked by a cross, and the cell `here` by a ring.
    """
    p = palette()
    z = np.full((len(SHARES), len(ANGLES)), np.nan)
    hurt = z.copy()
    for (angle, share), found in cells.items():
        at = SHARES.index(share), ANGLES.index(angle)
        m = found.methods.index(method)
        z[at], hurt[at] = 100 * found.mean[m], found.negative[:, m].mean()
    shares = 100 * np.array(SHARES)
    end = _end(np.nanmax(np.abs(z), initial=0))
    figure = new(
        height, x="Angle between D1 and D2", y="Share of D2", x_range=(-7.5, 187.5), y_range=(-6.25, 106.25),
        value_axis=None,
    )  # fmt: skip
    figure.add_heatmap(
        x=ANGLES, y=shares, z=z, customdata=hurt, zmin=-end, zmax=end, colorscale=_scale(), xgap=1, ygap=1,
        showlegend=False, hoverongaps=False,
        hovertemplate=f"%{{x}}°, %{{y:.1f}} % of D2<br>{method}: %{{z:+.1f}} points<br>"
        "hurts %{customdata:.0%} of the tasks<extra></extra>",
        colorbar={
            "title": {"text": "Gain"}, "thickness": 12, "outlinewidth": 0, "tickfont": {"size": 13, "color": p.soft},
            "tickformat": "d",
        },
    )  # fmt: skip
    rows, columns = np.nonzero(z < 0)
    figure.add_scatter(
        x=np.array(ANGLES)[columns], y=shares[rows], name="worse than ITOL", mode="markers", hoverinfo="skip",
        marker={"symbol": "x-thin", "size": 8, "color": p.ink, "line": {"width": 1.5, "color": p.ink}},
    )  # fmt: skip
    figure.add_scatter(
        x=[here[0]], y=[100 * here[1]], name="this stream", mode="markers", hoverinfo="skip", cliponaxis=False,
        marker={"symbol": "circle-open", "size": 20, "color": p.ink, "line": {"width": 3, "color": p.ink}},
    )  # fmt: skip
    figure.update_layout(
        hovermode="closest",
        xaxis={**DEGREES, "showgrid": False},
        yaxis={"tick0": 0, "dtick": 25, "ticksuffix": " %", "showgrid": False},
    )
    return figure


def bars(stream: aklo.TaskStream, run: aklo.Run, method: str, group_names: Sequence[str], height: int) -> Figure:
    """Return a bar chart of the gain of one of the run's methods in each task."""
    mine, itol = run.task_errors[run.methods.index(method)], run.task_errors[run.methods.index("ITOL")]
    gain = 100 * (itol - mine)
    figure = new(
        height, x="Task, in order of arrival", y="Gain, points", x_range=(-0.7, len(stream) - 0.3),
        y_range=_range(gain),
    )  # fmt: skip
    p, groups = palette(), np.array(stream.task_groups)
    for group in sorted(set(stream.task_groups)):
        at = np.flatnonzero(groups == group)
        names = np.array([escape_plotly(stream.task_names[k]) for k in at])
        fill = {
            "shape": PATTERNS[group % len(PATTERNS)],
            "fillmode": "overlay",
            "fgcolor": p.ground,
            "fgopacity": 0.6,
            "size": 5,
        }
        figure.add_bar(
            x=at, y=gain[at], width=0.85, name=escape_plotly(group_names[group]),
            marker={"color": group_color(group), "pattern": fill},
            customdata=np.stack([names, 100 * mine[at], 100 * itol[at]], axis=1),
            hovertemplate=f"%{{customdata[0]}}: %{{y:+.0f}}<br>{method} %{{customdata[1]:.0f}} % wrong, "
            "ITOL %{customdata[2]:.0f} %<br>click to watch this task<extra></extra>",
        )  # fmt: skip
    figure.add_shape(type="line", x0=0, x1=1, xref="x domain", y0=0, y1=0, line={"color": p.soft, "width": 1})
    figure.update_layout(
        hovermode="closest", barmode="overlay", xaxis={"showgrid": False, **whole(len(stream))},
        yaxis={"tickformat": "d"},
    )  # fmt: skip
    return figure


def weight(friends: aklo.Friends, height: int) -> Figure:
    """Return a chart of the total weight p_t of a task's own group and of the others over t, averaged over tasks.

    The band is from the 10 % to the 90 % quantile of the tasks.
    """
    p, mean = palette(), friends.mean
    n = len(mean)
    t = np.arange(1, n + 1)
    ends = steps_range(n)
    figure = new(height, x="Step t of a task", y="Total weight", x_range=ends, y_range=(-0.02, 1.04))
    friend = line("AKLO Sum")
    figure.add_traces([band(t, friends.quantile(0.1), friends.quantile(0.9), friend["color"], "friends", 0.16)])
    figure.add_scatter(
        x=t, y=mean, mode=mode(n), name="own group", legendgroup="friends", line=friend, hovertemplate="%{y:.0%}"
    )
    figure.add_scatter(
        x=t, y=1 - mean, mode=mode(n), name="other groups", hovertemplate="%{y:.0%}",
        line={"color": p.others, "dash": "dash", "width": 2.5},
    )  # fmt: skip
    figure.add_scatter(
        x=list(ends), y=[friends.uniform_mean] * 2, mode="lines", name="own group, if all had the same weight",
        line=line("Unif Sum"), hoverinfo="skip",
    )  # fmt: skip
    figure.update_layout(yaxis={"tickformat": ".0%"}, xaxis=whole(n), legend={"itemwidth": 42})
    return figure


def _end(most: float) -> float:
    """Return the end of an axis of gains up to `most`, in percentage points."""
    return axis_end(max(most, 5), limit=100)


def _range(gain: np.ndarray) -> tuple[float, float]:
    """Return the range of an axis of gains: round ends with padding, and 0 inside."""
    low, high = -_end(max(-float(gain.min()), 0)), _end(max(float(gain.max()), 0))
    return 1.04 * low, 1.04 * high


def _scale() -> list[list]:
    """Return a diverging colour scale, from orange (harm) to blue (gain), safe for colour-blind eyes."""
    p = palette()
    harm, help_ = ("#ff9457", "#7aa7ff") if is_dark() else ("#b4400b", "#1d4ed8")
    return [[0, harm], [0.5, p.panel], [1, help_]]
