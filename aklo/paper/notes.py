"""Sentences on a reproduction, for its reports and for the lab: how near it comes, and what the paper leaves open."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from aklo.paper.reproduction import NEAR, Outcome

LAMBDA = (
    "Lambda: the paper takes the one with the least ITOL error. On syn1 and syn2 that is 0.001. On Landmine and Spam "
    "it is not, but the paper's own ITOL errors, 18.8 and 24.5, are those of 0.001: so 0.001 is used throughout, "
    "unless another is asked for."
)
OPEN = {
    "landmine": "Landmine: 6.1 % of the file's examples are +1, that is, mines. The paper's errors do not fit that "
    "share, but fit 10 % well, and 15 of 150 is the most that every field can give (field 10 has just 15): so 10 % are "
    "drawn, unless another share is asked for. A search found all six cells near the paper's with lambda = 0.0003, "
    "below the paper's grid.",
    "spam": "Spam: the inboxes are the labelled test mails, 200 of each. Which 200, in what order, and whether the "
    "counts were scaled, the paper does not say. A search found the best fit with the users u00 to u13, losses up to "
    "t, and epsilon without the 8: the paper's prose instead of its formula.",
    "shoes": "Shoes: the paper does not say whether a column of ones was appended to the features. Published demo code "
    "does so; here it is left out, unless it is asked for.",
}


def verdict(outcomes: Sequence[Outcome], reading: str) -> str:
    """Return two sentences: how many cells of Table 1 are near the paper's, and how many have the same mean."""
    table = pd.concat([outcome.table for outcome in outcomes])
    table = table[(table["reading"] == reading) & table["sds"].notna()]
    if table.empty:
        return f"{reading.capitalize()}: one repetition has no spread to compare by."
    close, same = int((table["sds"].abs() <= NEAR).sum()), int((table["p"] >= 0.05).sum())
    worst = table.iloc[int(table["sds"].abs().to_numpy().argmax())]
    return (
        f"{reading.capitalize()}: {close} of {len(table)} cells are near the paper's, within two combined standard "
        f"deviations of a repetition; the furthest is {worst['method']} on {worst['dataset']}, {worst['mean']:.1f} "
        f"against {worst['paper_mean']:.1f}, {abs(worst['sds']):.1f} deviations off. Tested on the means (Welch, 5 %), "
        f"{same} of {len(table)} agree."
    )


def notes(outcomes: Sequence[Outcome]) -> list[str]:
    """Return what the paper leaves open about the real datasets that were measured, and what is chosen here."""
    datasets = [outcome.dataset for outcome in outcomes]
    found = [OPEN[dataset] for dataset in datasets if dataset in OPEN]
    return [*found, LAMBDA] if "landmine" in datasets or "spam" in datasets else found
