"""Sentences on a bound: whether it held, and which of its conditions are satisfied."""

from __future__ import annotations

import aklo
from aklo.lab.settings.text import bound_number

# Condition of a bound -> how to satisfy it.
REMEDIES = {
    "alpha starts at 1": "take a schedule that starts at 1",
    "lambda is as stated": "switch on *lambda as the statement wants*",
    "the learner stays within R": "take a larger R",
    "the experts are within R": "take a larger R",
    "N is known": "choose a known horizon, or Theorem 2",
    "N is unknown": "choose an unknown horizon, or Theorem 1",
    "alpha stays high to the end (N ≤ t0)": "take a schedule that stays close to 1, or a larger γ",
    "the best expert errs (zeta > 0)": "the corollary divides by that expert's loss",
}


def verdict(bound: aklo.Bound) -> str:
    """Return one or two sentences that compare the mistakes with the bound."""
    N, made = len(bound.terms), int(bound.mistakes[-1])
    who = bound.method if bound.method in aklo.METHODS else "it"
    result = f"**{bound.name} promises at most {bound_number(bound.total)} mistakes; {who} made {made} of {N}.** "
    if bound.broken:
        return result + ("**The promise is broken**, " + (
            "though all its conditions hold." if bound.applies else "but not all its conditions hold."
        ))  # fmt: skip
    if bound.vacuous:
        return result + f"The promise is vacuous: with {N} examples nobody can make more than {N} mistakes."
    return result + ("The promise is kept." if bound.applies else "The mistakes stay below, yet nothing was promised.")


def conditions(bound: aklo.Bound) -> str:
    """Return the conditions as Markdown lines, with a remedy for each that fails."""
    lines = []
    for name, holds in bound.conditions.items():
        icon = ":green[:material/check:]" if holds else ":red[:material/close:]"
        remedy = "" if holds or name not in REMEDIES else f" — {REMEDIES[name]}"
        lines.append(f"{icon} {name}{remedy}")
    return "  \n".join(lines)
