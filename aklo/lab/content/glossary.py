"""The glossary: the meaning and formula of each term and symbol, and where the paper uses it.

Most entries are in `glossary_terms`; those of the schedules are made from their classes, and the table of controls from
the settings. Each entry has an anchor, so that a page can link to it: `[weights](glossary#weight)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields

from aklo.lab.content.glossary_terms import SECTIONS, Term
from aklo.lab.settings.field import challengers
from aklo.lab.settings.schema import FIELDS
from aklo.rules import RULES
from aklo.schedules import SCHEDULES, Schedule

NUMBERING = (
    "**The numbers are the paper's** for Theorems 1 and 2, Corollaries 1 and 2, and Tables 1 and 2. Its two algorithms,"
    " for a known and for an unknown number of examples, are called *AKLO with known N* and *AKLO with unknown N* "
    "here. Everything marked *ours* is not in the paper: the conflict stream, transfer gain, the counterexamples and "
    "their names, the mended rule, One pool, and all schedules but the linear one."
)
CONTROLS = "Every control"


def of_schedule(kind: type[Schedule]) -> Term:
    """Return a schedule's entry, made from its docstring, formula and parameters."""
    line = (kind.__doc__ or "").strip().split("\n")[0]
    first, colon, rest = line.partition(": ")
    summary = (rest if colon else first).replace(" Needs the horizon.", "").replace("`", "")
    summary = "" if summary.startswith("alpha_t") else summary[0].upper() + summary[1:]  # the formula is shown anyway
    about = [f"*{f.name.replace('_', ' ')}*: {f.metadata['help']}" for f in fields(kind) if f.metadata]
    needs = "It needs to know N." if kind.needs_horizon else "It runs without knowing N."
    return Term(
        kind.__name__.lower(), kind.__name__, " ".join(filter(None, [summary, needs, *about])), kind.formula,
        paper="experiments" if kind.__name__ == "Linear" else "ours", symbols=("α",),
    )  # fmt: skip


def sections() -> dict[str, tuple[Term, ...]]:
    """Return the entries of each section, in the order in which they are shown."""
    result = dict(SECTIONS)
    written_out = {term.word for term in SECTIONS["Challengers"]}
    others = [name for name in challengers() if name not in written_out and name.isascii()]
    result["Challengers"] = (*SECTIONS["Challengers"], *(Term(slug(name), name, RULES[name].about) for name in others))
    result["Schedules"] = tuple(map(of_schedule, SCHEDULES.values()))
    return result


def terms() -> dict[str, Term]:
    """Return all entries by their anchors."""
    return {term.anchor: term for section in sections().values() for term in section}


def links(anchors: Iterable[str]) -> str:
    """Return Markdown links to entries. An unknown anchor raises KeyError."""
    known = terms()
    return ", ".join(f"[{known[anchor].word}](glossary#{anchor})" for anchor in anchors)


def slug(heading: str) -> str:
    """Return the anchor that Streamlit gives a heading: its words, joined by hyphens.

    >>> slug("Every control")
    'every-control'
    >>> slug("AdaHedge")
    'ada-hedge'
    """
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", heading)
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")


def written(term: Term) -> str:
    """Return an entry as Markdown. Its heading is plain letters, so that Streamlit gives it the entry's anchor."""
    where = {"": "", "ours": " *(ours)*"}.get(term.paper, f" *(the paper: {term.paper})*")
    controls = [FIELDS[name].label for name in term.settings]
    listed = f" Control: {', '.join(dict.fromkeys(controls))}." if controls else ""
    symbol = f"${term.symbol}$ · " if term.symbol else ""
    formula = f"\n\n$$\n{term.formula}\n$$" if term.formula else ""
    return f"#### {term.word}\n\n{symbol}{term.says}{listed}{where}{formula}"


def controls() -> str:
    """Return all settings as a Markdown table."""
    rows = [
        f"| {f.label} | `{name}` | `{f.key}` | {f.help.replace('|', '∣')} |"
        for name, f in FIELDS.items()
    ]  # fmt: skip
    return "\n".join(["| Control | Its name | In the address | What it does |", "|---|---|---|---|", *rows])
