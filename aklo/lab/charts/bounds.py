"""Charts of the page on error bounds: the terms of a bound over time, of several bounds at its end, and against N."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

import aklo
from aklo.lab.charts import base
from aklo.lab.charts.base import axis_end, mode, whole
from aklo.lab.charts.palette import STROKES
from aklo.lab.charts.plotly_figure import Figure
from aklo.theory.bounds import CLASSIFIER, EXPERT, FINDING, LEARNING, LUCK
from aklo.theory.pool import MEMBER, PRICE

# Term -> light colour, dark colour, pattern. Terms of the experts are blue, of the learner orange, of chance
# purple, of a pool of both green.
TERMS = {
    EXPERT: ("#0e7490", "#38bdd8", ""),
    CLASSIFIER: ("#b45309", "#f5a653", ""),
    FINDING: ("#0e7490", "#38bdd8", "/"),
    LEARNING: ("#b45309", "#f5a653", "/"),
    LUCK: ("#7e22ce", "#c792f5", "."),
    MEMBER: ("#15803d", "#5fd38a", ""),
    PRICE: ("#15803d", "#5fd38a", "/"),
}
POINTS = 250  # of a line, at most: more would not be visible


def promise(bound: aklo.Bound, top: float | None = None, height: int = 390) -> Figure:
    """Return a chart of the bound's terms, stacked, and of the mistakes up to each step.

    top: the upper end of the y axis; by default it fits this bound. A bound that is not computed has no terms to draw.
    """
    N = len(bound.terms)
    top = highest(bound) if top is None else top
    t = np.unique(np.linspace(1, N, min(N, POINTS)).round()).astype(int)
    ends = (0, N) if N > 1 else (0.5, 1.5)
    figure = base.new(height, x="Step t", y="Mistakes so far", x_range=ends, y_range=(0, top))
    for name, values in bound.terms.iloc[t - 1].items() if bound.computed else ():
        figure.add_scatter(
            x=t, y=values, name=name, stackgroup="bound", mode=mode(N),
            line={"width": 0.5, "color": _colour(name)}, hovertemplate="%{y:.1f}",
            fillcolor=base.see_through(_colour(name), 0.35), fillpattern=_pattern(name),
        )  # fmt: skip
    p = base.palette()
    total = bound.terms.iloc[t - 1].sum(axis=1, skipna=False)  # no line where it is not computed
    figure.add_scatter(
        x=t, y=total, name="bound", mode=mode(N), line={"color": p.wrong, "width": 2, "dash": "dash"},
        hovertemplate="%{y:.1f}",
    )  # fmt: skip
    figure.add_scatter(
        x=t, y=bound.mistakes[t - 1], name="mistakes", mode=mode(N),
        line=_stroke(bound.method), hovertemplate="%{y:.0f}",
    )  # fmt: skip
    figure.add_scatter(
        x=t, y=t, name="all wrong", mode=mode(N), line={"color": p.soft, "width": 1, "dash": "dot"}, hoverinfo="skip",
    )  # fmt: skip
    figure.update_layout(xaxis=whole(N), legend={"traceorder": "normal", "font": {"size": 12}}, margin={"t": 64})
    return figure


def highest(*bounds: aklo.Bound) -> float:
    """Return an upper end of the y axis that fits the mistakes and totals of all bounds, and N if that is near."""
    most = max(max(float(bound.mistakes[-1]), bound.total if bound.computed else 0.0) for bound in bounds)
    N = max(len(bound.terms) for bound in bounds)
    return axis_end(max(1.0, most, N if most > N / 3 else 0.0))


def totals(bounds: Mapping[str, aklo.Bound], height: int = 270) -> Figure:
    """Return a chart with one bar for each bound, stacked from its terms, and a mark at the number of mistakes.

    A dotted line at N, where every prediction would be wrong, is drawn if it is within the range. A bound that is not
    computed has no bar.
    """
    top = highest(*bounds.values())
    names = [name if bound.computed else f"{name}: no number" for name, bound in bounds.items()]
    letters = max(map(len, names))
    figure = base.new(height, x="Mistakes", y="", x_range=(0, top), letters=letters, legend=False,
                      value_axis="x")  # fmt: skip
    last = [bound.terms.iloc[-1] * (1.0 if bound.computed else np.nan) for bound in bounds.values()]
    terms = pd.DataFrame(dict(zip(names, last, strict=True))).reindex(list(TERMS))
    for term, values in terms.dropna(how="all").fillna(0.0).iterrows():
        figure.add_bar(
            y=names, x=values, name=term, orientation="h", hovertemplate="%{x:.1f}", width=0.6,
            marker={"color": base.see_through(_colour(term), 0.55), "pattern": _bar_pattern(term)},
        )  # fmt: skip
    made = [int(bound.mistakes[-1]) for bound in bounds.values()]
    colours = [_stroke(bound.method)["color"] for bound in bounds.values()]
    figure.add_scatter(
        y=names, x=made, name="mistakes", mode="markers", hovertemplate="%{x}",
        marker={"symbol": "line-ns", "size": 26, "line": {"width": 4, "color": colours}},
    )  # fmt: skip
    N = max(len(bound.terms) for bound in bounds.values())
    if top >= N:
        figure.add_vline(x=N, line={"color": base.palette().soft, "width": 1, "dash": "dot"})
    figure.update_layout(
        barmode="stack", hovermode="y unified", yaxis={"autorange": "reversed", "showgrid": False},
    )  # fmt: skip
    return figure


def stretches(table: pd.DataFrame, here: int, height: int = 300) -> Figure:
    """Return a chart of mistakes and bound of the last stretch against N, with a vertical line at the chosen N.

    table: N -> mistakes and bound.
    """
    p = base.palette()
    N, most = table.index.to_numpy(), float(table.to_numpy().max())
    figure = base.new(
        height, x="N, the length of the task", y="Mistakes", x_range=(0, float(N[-1]) * 1.01),
        y_range=(0, base.axis_end(most)),
    )  # fmt: skip
    lines = {"mistakes": _stroke("AKLO Sum"), "bound": {"color": p.wrong, "width": 2, "dash": "dash"}}
    for name, line in lines.items():
        figure.add_scatter(
            x=N, y=table[name], name=name, mode="lines+markers", line=line, hovertemplate="%{y:.0f}",
            **({"fill": "tonexty", "fillcolor": base.see_through(p.wrong, 0.12)} if name == "bound" else {}),
        )  # fmt: skip
    figure.add_vline(x=here, line={"color": p.soft, "width": 1})
    return figure


def price(table: pd.DataFrame, here: int, height: int = 330) -> Figure:
    """Return a log-log chart of the regret terms of the bounds against N, with a vertical line at the task's N.

    table: N -> the terms of each bound; here: the task's N.
    """
    p = base.palette()
    figure = base.new(height, x="N, the length of the task", y="Price, in mistakes")
    colours = (p.wrong, p.wrong, p.right, p.right)
    for (name, values), colour, dash in zip(table.items(), colours, ("solid", "dash", "solid", "dash"), strict=True):
        figure.add_scatter(
            x=table.index, y=values, name=name, mode="lines", line={"color": colour, "dash": dash, "width": 2.5},
            hovertemplate="%{y:.3s}",
        )  # fmt: skip
    figure.add_scatter(
        x=table.index, y=table.index, name="all wrong", mode="lines", hoverinfo="skip",
        line={"color": p.soft, "width": 1, "dash": "dot"},
    )  # fmt: skip
    figure.add_vline(x=here, line={"color": p.soft, "width": 1})
    low = max(1e-2, float(np.nanmin(table.to_numpy()[-1])) / 1e3)
    high = max(float(table.to_numpy().max()), float(table.index[-1])) * 1.5
    figure.update_xaxes(type="log", range=np.log10([table.index[0], table.index[-1]]).tolist(), dtick=1)
    figure.update_yaxes(type="log", range=np.log10([low, high]).tolist(), dtick=1)
    figure.update_layout(margin={"t": 64}, legend={"font": {"size": 12}})
    return figure


def _colour(term: str) -> str:
    return TERMS[term][1 if base.is_dark() else 0]


def _pattern(term: str) -> dict:
    """Return the fill pattern of a term: the regret terms are hatched."""
    return {"shape": TERMS[term][2], "fgcolor": _colour(term), "bgcolor": base.see_through(_colour(term), 0.15),
            "fgopacity": 0.7, "size": 7, "solidity": 0.25}  # fmt: skip


def _bar_pattern(term: str) -> dict:
    return {**_pattern(term), "fillmode": "overlay"}


def _stroke(method: str) -> dict:
    return base.line(method) if method in STROKES else {"color": base.palette().right, "width": 3}
