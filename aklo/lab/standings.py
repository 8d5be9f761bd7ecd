"""Who wins, by how much, and whether that is luck: the core's repetitions as a table and as a sentence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

import aklo
from aklo.methods import NAMES


def standings(repeats: aklo.Repeats, reference: str) -> pd.DataFrame:
    """Method -> mean, std, rank, and its difference to the reference with a 95% interval; NaN where there is none."""
    table, against = repeats.table, repeats.against(reference)
    mean = table["mean"].to_numpy()
    columns = {
        "mean": mean, "std": table["std"].to_numpy(), "rank": 1 + (mean[:, None] > mean).sum(axis=1),
        "difference": against["mean"].to_numpy(), "low": against["low"].to_numpy(), "high": against["high"].to_numpy(),
    }  # fmt: skip
    return pd.DataFrame(columns, index=NAMES.rename("method"))


def words(table: pd.DataFrame, reference: str) -> pd.DataFrame:
    """The standings as a person reads them, the best first."""
    best_first = sorted(table.itertuples(), key=lambda row: row.rank)
    rows = []
    for row in best_first:
        error = f"{row.mean:.1%}" + ("" if np.isnan(row.std) else f" ± {100 * row.std:.1f}")
        if row.Index == reference:
            against, luck = "–", "–"
        else:
            luck = "could be luck" if row.low <= 0 <= row.high else "yes"
            # Rounded, an interval must not seem to hold a zero that it does not hold.
            ends = (row.low, row.high)
            digits = next((d for d in (1, 2, 3) if all(points(end, d) != points(0, d) for end in ends)), 4)
            digits = digits if luck == "yes" else 1
            against = points(row.difference, digits)
            if np.isnan(row.low):
                against, luck = points(row.difference), "needs 2 or more repetitions"
            else:
                against += f" ({points(row.low, digits)} to {points(row.high, digits)})"
        rows.append((str(row.rank), error, against, luck))
    names = ("Rank", "Wrong", f"Points against {reference}", "More than luck")
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    return pd.DataFrame(columns, index=pd.Index([row.Index for row in best_first], name="Method"))


def points(share: float, digits: int = 1) -> str:
    """A difference of shares in percentage points, with its sign."""
    text = f"{100 * share:+.{digits}f}".replace("-", "−")
    return text[1:] if not text[1:].strip("0.") else text


def verdict(repeats: aklo.Repeats | None, ace: pd.Series) -> str:
    """One or two sentences. ace: that of the one stream on the page, for when there are no repetitions."""
    one = repeats is None
    means = (ace if one else repeats.table["mean"]).to_dict()
    best, second, *_ = sorted(means, key=means.__getitem__)
    level = [method for method, mean in means.items() if np.isclose(mean, means[best])]
    if len(level) == len(means):
        return f"**All six are level**: {means[best]:.1%} of the predictions are wrong, whichever one follows."
    if len(level) > 1:
        return f"**{' and '.join(level)} are level in front**: {means[best]:.1%} of their predictions are wrong."
    if one:
        gap = 100 * (means[second] - means[best])
        return (
            f"**On this one stream {best} is ahead**: {means[best]:.1%} of its predictions are wrong, {gap:.1f} points "
            f"fewer than those of the next, {second}. One stream can be luck: repetitions tell."
        )
    table = standings(repeats, best).to_dict("index")
    sure = table[second]["low"] > 0
    parts = [
        f"**{best} {'wins' if sure else 'is ahead'} here**: {means[best]:.1%} of its predictions are wrong, the mean "
        f"of {len(repeats.ace)} repetitions. {_against(table, second, 'the next')}"
    ]
    if best == "ITOL":
        if sure:
            parts.append("Whoever listens to earlier tasks loses by it here.")
    elif second != "ITOL":
        parts.append(_against(table, "ITOL", "which forgets everything"))
    return " ".join(parts)


def _against(table: dict[str, dict[str, float]], method: str, who: str) -> str:
    row = {name: 100 * value for name, value in table[method].items()}
    luck = "could be luck" if row["low"] <= 0 <= row["high"] else "more than luck"
    interval = f"95% interval {row['low']:.1f} to {row['high']:.1f}".replace("-", "−")
    return f"{method}, {who}, has {row['difference']:.1f} points more ({interval}: {luck})."


def listed(values: Sequence[float], form: str = ".0f") -> str:
    """'ITOL 12, TOL 7, …': a number for each method, for those who cannot see the chart."""
    return ", ".join(f"{method} {value:{form}}" for method, value in zip(aklo.METHODS, values, strict=True))
