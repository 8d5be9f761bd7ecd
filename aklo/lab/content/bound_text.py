"""Texts on bounds: whether one held, which of its conditions are satisfied, and the rules whose bounds hold."""

from __future__ import annotations

import pandas as pd

import aklo
from aklo.lab.settings.text import bound_number
from aklo.theory.readings import Reading

ONE_POOL = (
    r"\begin{aligned}q_t(y) &= \textstyle\sum_i p_t(i)\, e^{-(a_t(i) - y)^2/2}\\"
    r"\hat y_t &= \arg\max_y q_t(y)\end{aligned}"
)
ONE_POOL_WORDS = (
    "**The learner is one more expert.** Of the trust at the start it has ½, and the T experts share the other ½. "
    "Each label multiplies the weight of member i by $e^{-(a_t(i) - y_t)^2/2}$. So α is learnt, and nothing has to be "
    "chosen: no schedule, no rate, no N, no R. For every member i, with its prior weight π:"
)
ONE_POOL_BOUND = r"\text{mistakes} \le \textstyle\sum_t (a_t(i) - y_t)^2 + 2 \ln(1/\pi_i)"
ONE_POOL_PROOF = r"""
1. $(a-y)^2 = a^2 - 2ay + 1$, so $q_t(+1) + q_t(-1) = 2e^{-1/2} \sum_i p_t(i)\, e^{-a_t(i)^2/2} \cosh a_t(i)$.
2. $\cosh a \le e^{a^2/2}$ (compare the two series term by term), so this is at most $2e^{-1/2}$.
3. At a mistake $q_t(y_t)$ is the smaller of the two: $q_t(y_t) \le e^{-1/2}$. Otherwise $q_t(y_t) \le 1$.
4. The weights multiply: $\prod_t q_t(y_t) = \sum_i \pi_i e^{-L_i/2} \ge \pi_i e^{-L_i/2}$, $L_i$ the total loss of $i$.
5. So $\pi_i e^{-L_i/2} \le e^{-\text{mistakes}/2}$. Take the logarithm: that is the bound.
"""
MENDED_RULE = (
    r"\begin{aligned}\hat y_t = \mathrm{sign}\big[&(1-\alpha_t)\,\mathrm{clip}\langle w_t, x_t\rangle\\"
    r"&+ \alpha_t \textstyle\sum_i p_t(i)\,a_t(i)\big]\end{aligned}"
)
MENDED_WORDS = (
    "**The mixture stays, each expert clipped.** Three changes make its bound hold: experts lose |a − y|, not its "
    "square, so that a mistake costs 1 in full; their losses count by α, and the learner steps by η (1 − α) y x, "
    "without shrinking, so that each side is judged by what the mixture will charge it for."
)
MENDED_BOUND = (
    r"\begin{aligned}\text{mistakes} \le\; &\textstyle\sum_t \alpha_t\,|a_t(w^{**}) - y_t|\\[-2pt]"
    r"&+ \textstyle\sum_t (1-\alpha_t)\,\ell_t(w^*)\\[-2pt]"
    r"&+ \textstyle\sqrt{2 \log T \sum_t \alpha_t^2}\\[-2pt]"
    r"&+ \textstyle R X \sqrt{\sum_t (1-\alpha_t)^2}\end{aligned}"
)
READINGS = (
    "Mistakes made / the most that the statement allows, under the reading chosen above. Tried as well: "
    "w* of the weighted loss, a learner that is projected to the ball, logarithms to base 2. Where several experts or "
    "classifiers tie for the best, the bound takes the dearest of them."
)
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


def without_number(bound: aklo.Bound) -> str:
    """Return a sentence on a bound that is not computed, because its best classifier could not be found."""
    return (
        f"**{bound.name} has no number here**: the best classifier in hindsight could not be found to a millionth of "
        f"N, so that the bound is not computed rather than wrong. {bound.method} made {int(bound.mistakes[-1])} "
        "mistakes. Another R may do."
    )


def verdict(bound: aklo.Bound) -> str:
    """Return one or two sentences that compare the mistakes with the bound."""
    N, made = len(bound.terms), int(bound.mistakes[-1])
    who = "it" if bound.method == bound.name else bound.method
    if not bound.computed:
        return without_number(bound)
    result = f"**{bound.name} allows at most {bound_number(bound.total)} mistakes; {who} made {made} of {N}.** "
    if bound.broken:
        return result + ("**The bound is broken**, " + (
            "though all its conditions hold." if bound.applies else "but not all its conditions hold."
        ))  # fmt: skip
    if bound.vacuous:
        return result + f"The bound is vacuous: with {N} examples nobody can make more than {N} mistakes."
    return result + (
        "The bound holds." if bound.applies else "The mistakes stay below it, but not all its conditions hold."
    )


def conditions(bound: aklo.Bound) -> str:
    """Return the conditions as Markdown lines, with a remedy for each that fails."""
    lines = []
    for name, holds in bound.conditions.items():
        icon = ":green[:material/check:]" if holds else ":red[:material/close:]"
        remedy = "" if holds or name not in REMEDIES else f" — {REMEDIES[name]}"
        lines.append(f"{icon} {name}{remedy}")
    return "  \n".join(lines)


def as_played(reading: Reading) -> str:
    """Return a sentence on the player where it does not show the reading, else nothing."""
    if reading == Reading(clip=reading.clip):
        return ""
    return "The player has the clip that is chosen, sign(0) = +1, and losses before t. "


def marked(frame: pd.DataFrame, case: str) -> pd.DataFrame:
    """Return the table of counterexamples as it is drawn: the chosen one in bold, and "yes" in red."""
    shown = frame.rename(index={case: f"**{case}**"})
    return shown.assign(Broken=shown["Broken"].replace({"yes": ":red[**yes**]"}))
