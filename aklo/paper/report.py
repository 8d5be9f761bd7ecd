"""Reports of a reproduction: Markdown, CSV, and one HTML page with figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import pandas as pd

from aklo.experiment import READINGS
from aklo.latex import table as latex_table
from aklo.methods import METHODS
from aklo.paper import svg
from aklo.paper.notes import notes, verdict
from aklo.paper.reproduction import NEAR, ORDER, Outcome
from aklo.paper.tables import paper_table

Rows = list[list[str]]


def table1(outcomes: Sequence[Outcome]) -> tuple[list[str], Rows]:
    """Return header and rows of Table 1: for each dataset the paper's errors, and those measured in each reading."""
    paper = paper_table(1)
    rows = []
    for outcome in outcomes:
        theirs = paper[paper["dataset"] == outcome.dataset].set_index("method").loc[list(METHODS)]
        rows.append([outcome.dataset, "the paper", *(f"{m:.1f} ± {s:.1f}" for m, s in theirs[["mean", "std"]].values)])
        for reading in READINGS:
            found = outcome.table[outcome.table["reading"] == reading].set_index("method").loc[list(METHODS)]
            rows.append([outcome.dataset, reading, *(cell(*row) for row in found[CELL].values)])
    return ["dataset", "", *METHODS], rows


CELL = ["mean", "std", "sds", "p"]  # the columns of `Outcome.table` that a cell is made of


def cell(mean: float, std: float, sds: float, p: float) -> str:
    """Format a cell such as '14.2 ± 4.4 (+0.7)': ACE in percent, its deviation, and its difference from the paper.

    A star is added where the means differ by Welch's test.

    >>> cell(28.4, 1.0, 5.25, 0.001), cell(14.2, 4.4, 0.7, 0.3)
    ('28.4 ± 1.0 (+5.2)*', '14.2 ± 4.4 (+0.7)')
    """
    if np.isnan(std):
        return f"{mean:.1f}"
    return f"{mean:.1f} ± {std:.1f} ({sds:+.1f}){'*' if p < 0.05 else ''}".replace("-", "−")


def table2(outcomes: Sequence[Outcome]) -> tuple[list[str], Rows]:
    """Return header and rows of Table 2: seconds for a repetition of all six methods."""
    rows = []
    for outcome in outcomes:
        times = outcome.times
        spread = "" if np.isnan(times["std"]) else f" ± {times['std']:.2g}"
        rows.append(
            [outcome.dataset, f"{times['paper']:.2f}", f"{times['seconds']:.2g}{spread}", f"{times['ratio']:.0f} ×"]
        )
    return ["dataset", "the paper, s", "here, s", "faster"], rows


def orders(outcomes: Sequence[Outcome]) -> tuple[list[str], Rows]:
    """Return header and rows: which of the paper's orders hold; 'near' means within two combined deviations."""
    claims = [f"{better} < {worse}" for better, worse in ORDER]
    rows = [
        [outcome.dataset, reading, *outcome.order(reading).values()] for outcome in outcomes for reading in READINGS
    ]
    return ["dataset", "", *claims], rows


def sections(outcomes: Sequence[Outcome]) -> list[tuple[str, str, tuple[list[str], Rows]]]:
    """Return title, explanation and table of each section."""
    n = len(outcomes[0].repetitions)
    errors = (
        f"Percent of wrong predictions, mean ± standard deviation of {n} repetitions, and in brackets the difference "
        "to the paper in combined standard deviations, √(theirs² + ours²). A cell is near the paper's if that is at "
        f"most {NEAR:g}; this is about single repetitions. A star marks means that differ from the paper's by Welch's "
        "test, below 5 %, which is stricter."
    )
    order = f"Whether the first has fewer errors than the second; “near”: no, but within {NEAR:g} combined deviations."
    seconds = (
        "Seconds for one repetition of all six methods together, which are computed at once here; the paper's is the "
        "sum of its six, on its authors' machine."
    )
    return [
        ("Table 1: average cumulative error", errors, table1(outcomes)),
        ("The order of the methods", order, orders(outcomes)),
        ("Table 2: running time", seconds, table2(outcomes)),
    ]


def markdown(outcomes: Sequence[Outcome], about: Mapping[str, object]) -> str:
    """Return the tables as Markdown."""
    parts = [f"# The paper's tables, measured\n\n{_listed(about)}\n", *(f"- {verdict(outcomes, r)}" for r in READINGS)]
    parts += [f"- {note}" for note in notes(outcomes)]
    for title, how, (header, rows) in sections(outcomes):
        lines = ["| " + " | ".join(row) + " |" for row in [header, ["---"] * len(header), *rows]]
        parts.append(f"\n## {title}\n\n{how}\n\n" + "\n".join(lines))
    return "\n".join(parts) + "\n"


def latex(outcomes: Sequence[Outcome], about: Mapping[str, object]) -> str:
    """Return the tables for LaTeX."""
    return "\n".join(
        latex_table(header, rows, caption=f"{title}. {how} {_listed(about)}", columns="ll" + "r" * (len(header) - 2))
        for title, how, (header, rows) in sections(outcomes)
    )


def csv(outcomes: Sequence[Outcome], about: Mapping[str, object]) -> str:
    """Return Table 1 with all digits, one row for each cell, and the seconds of each dataset."""
    parts = []
    for outcome in outcomes:
        times = outcome.times
        more = {**about, "seconds": times["seconds"], "paper_seconds": times["paper"]}
        more |= {"lambda": outcome.lam, "data": outcome.about}
        parts.append(outcome.table.assign(**more))
    return pd.concat(parts).to_csv(index=False)


def html(outcomes: Sequence[Outcome], about: Mapping[str, object]) -> str:
    """Return a self-contained page with the tables, and the paper's figure in both readings."""
    body = [f"<h1>The paper's tables, measured</h1><p>{escape(_listed(about))}</p><ul>"]
    body += [f"<li>{escape(text)}</li>" for text in [*(verdict(outcomes, r) for r in READINGS), *notes(outcomes)]]
    body.append("</ul>")
    for title, how, (header, rows) in sections(outcomes):
        body.append(f"<h2>{escape(title)}</h2><p>{escape(how)}</p><div class=wide><table>{_row('th', header)}")
        body += [_row("td", row) for row in rows]
        body.append("</table></div>")
    for reading in READINGS:
        body.append(f"<h2>The paper's figure, {escape(reading)}</h2>{svg.key()}<div class=grid6>")
        body += [ace_figure(outcome, reading) for outcome in outcomes]
        body.append(f"{last_figure(outcomes[-1], reading)}</div>")
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>AKLO: the paper's tables, measured</title><style>{_STYLE}{svg.style()}</style>{''.join(body)}</html>\n"
    )


def ace_figure(outcome: Outcome, reading: str) -> str:
    """Draw the ACE after each task, with bands of one standard deviation."""
    after = 100 * outcome.repeats(reading).ace_after
    sd = after.std(axis=0, ddof=1) if len(after) > 1 else np.zeros(after.shape[1:])
    mean = after.mean(axis=0)
    alt = f"ACE on {outcome.dataset} after each of {after.shape[2]} tasks, in percent."
    chart = svg.lines(np.arange(1, after.shape[2] + 1), mean, sd, x_label="tasks", y_label="ACE, %", alt=alt)
    return f"<figure>{chart}<figcaption>{escape(outcome.dataset)}: error after each task</figcaption></figure>"


def last_figure(outcome: Outcome, reading: str) -> str:
    """Draw the errors within the last task."""
    errors = outcome.last_task(reading)
    sd = errors.std(axis=0, ddof=1) if len(errors) > 1 else np.zeros(errors.shape[1:])
    alt = f"Errors so far in the last task of {outcome.dataset}."
    n = errors.shape[2]
    chart = svg.lines(np.arange(1, n + 1), errors.mean(axis=0), sd, x_label="examples", y_label="errors", alt=alt)
    return f"<figure>{chart}<figcaption>{escape(outcome.dataset)}: errors within the last task</figcaption></figure>"


def _listed(about: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in about.items()) + "."


def _row(tag: str, cells: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<{tag}{_shade(text)}>{escape(text)}</{tag}>" for text in cells) + "</tr>"


def _shade(text: str) -> str:
    """Return the class attribute of a cell of Table 1, by its difference from the paper."""
    if not text.endswith((")", ")*")) or "(" not in text:
        return ""
    off = abs(float(text.rpartition("(")[2].rstrip(")*").replace("−", "-")))
    return f' class="{"close" if off <= NEAR else "off" if off <= 2 * NEAR else "far"}"'


_STYLE = """
:root{color-scheme:light dark;--ink:#1c2430;--soft:#5b6675;--line:#e3e6eb;--ground:#fff;--close:#d9f2e1;--off:#fdeccb;
--far:#fbd5da}
@media(prefers-color-scheme:dark){:root{--ink:#e8ecf2;--soft:#a3adbb;--line:#2c3440;--ground:#12161d;--close:#153a26;
--off:#453312;--far:#4d1a24}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--ground);max-width:84rem;margin:2rem auto;
padding:0 1rem}
table{border-collapse:collapse}
th,td{text-align:left;padding:.3rem .7rem;border-bottom:1px solid var(--line);white-space:nowrap}
.wide{overflow-x:auto}.close{background:var(--close)}.off{background:var(--off)}.far{background:var(--far)}
.grid6{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(20rem,1fr))}
figure{margin:0}figcaption{color:var(--soft)}
svg text{font:12px system-ui,sans-serif;fill:var(--soft)}.grid{stroke:var(--line)}
.key{width:2.5rem;height:.6rem;margin-right:.4rem}.legend span{margin-right:1.2rem;white-space:nowrap}
"""
