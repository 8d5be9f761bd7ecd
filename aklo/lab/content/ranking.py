"""The ranking of the methods over repetitions, with confidence intervals, as a table and as sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

import aklo
from aklo.lab.compute.alpha_map import Check
from aklo.lab.settings.text import in_words, percent, points


class Standing(NamedTuple):
    """The mean and standard deviation of a method's ACE, its rank, and its difference to a reference method with a 95%
    interval, and the p-value of that, corrected for all comparisons; they are NaN where there are none."""

    mean: float
    std: float
    rank: int
    difference: float
    low: float
    high: float
    corrected: float

    @property
    def sure(self) -> bool:
        """Whether the difference is more than chance."""
        return self.corrected < 0.05


def standings(repeats: aklo.Repeats, reference: str) -> dict[str, Standing]:
    """Return the standing of each method against the reference."""
    mean, std = repeats.moments
    corrected = repeats.p_values(reference)["corrected"]
    columns = [mean, std, 1 + (mean[:, None] > mean).sum(axis=1), *repeats.gaps(reference), corrected]
    return {
        method: Standing(*row)
        for method, *row in zip(repeats.methods, *(column.tolist() for column in columns), strict=True)
    }


def best(repeats: aklo.Repeats) -> str:
    """Return the method with the least mean error."""
    return repeats.methods[int(repeats.moments[0].argmin())]


def table(found: dict[str, Standing]) -> pd.DataFrame:
    """Return the standings as a data frame, unrounded."""
    return pd.DataFrame.from_dict(found, orient="index", columns=Standing._fields).rename_axis("method")


def markdown(found: dict[str, Standing], reference: str) -> str:
    """Return the standings as a Markdown table, the best first. Streamlit draws it quicker than a data frame."""
    rows = [("Method", "Rank", "Wrong", f"Points against {reference}", "More than chance"), ("---",) * 5]
    for method, row in sorted(found.items(), key=lambda item: item[1].rank):
        error = percent(row.mean) if math.isnan(row.std) else f"{100 * row.mean:.1f} ± {percent(row.std)}"
        if method == reference:
            against, luck = "–", "–"
        else:
            luck = "yes" if row.sure else "could be chance"
            digits = digits_of_interval(row.low, row.high, row.sure)
            against = points(row.difference, digits)
            if math.isnan(row.low):
                against, luck = points(row.difference), "needs 2 or more repetitions"
            else:
                against += f" ({points(row.low, digits)} to {points(row.high, digits)})"
        rows.append((f"**{method}**", str(row.rank), error, against, luck))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def digits_of_interval(low: float, high: float, sure: bool) -> int:
    """Return how many decimals an interval of points needs: rounding must not make one without 0 seem to contain it."""
    if not sure:
        return 1
    return next((d for d in (1, 2, 3) if all(points(end, d) != points(0, d) for end in (low, high))), 4)


def verdict(repeats: aklo.Repeats) -> str:
    """Return one or two sentences on the best method, over repetitions or on a single stream."""
    one = len(repeats.shares) == 1
    means = dict(zip(repeats.methods, repeats.moments[0].tolist(), strict=True))
    best, second, *_ = sorted(means, key=means.__getitem__)
    level = [method for method, mean in means.items() if math.isclose(mean, means[best], rel_tol=1e-9)]
    if len(level) == len(means):
        all_of_them = f"**All {in_words(len(means))} are level**"
        return f"{all_of_them}: {percent(means[best])} of the predictions are wrong, whichever method is followed."
    if len(level) > 1:
        return f"**{' and '.join(level)} are level in front**: {percent(means[best])} of their predictions are wrong."
    if one:
        gap = 100 * (means[second] - means[best])
        return (
            f"**On this one stream {best} is ahead**: {percent(means[best])} of its predictions are wrong, {gap:.1f} "
            f"points fewer than those of the next, {second}. One stream can be chance; repetitions on fresh data show "
            "whether it is."
        )
    found = standings(repeats, best)
    sure = found[second].sure
    parts = [
        f"**{best} {'wins' if sure else 'is ahead'} here**: {percent(means[best])} of its predictions are wrong, the "
        f"mean of {len(repeats.shares)} repetitions. {_against(found, second, 'the next')}"
    ]
    if best == "ITOL":
        if sure:
            parts.append("Here the methods that ask earlier tasks lose by it.")
    elif second != "ITOL":
        parts.append(_against(found, "ITOL", "which asks nobody"))
    return " ".join(parts)


def _against(found: dict[str, Standing], method: str, who: str) -> str:
    low, high, more = (100 * value for value in (found[method].low, found[method].high, found[method].difference))
    luck = "more than chance" if found[method].sure else "could be chance"
    interval = f"95\N{NO-BREAK SPACE}% interval {low:.1f} to {high:.1f}".replace("-", "−")
    return f"{method}, {who}, has {more:.1f} points more ({interval}: {luck})."


def listed(values: Sequence[float], form: str = ".0f", methods: Sequence[str] = aklo.METHODS) -> str:
    """Return a number for each method as 'ITOL 12, TOL 7, …', for a chart's description."""
    return ", ".join(f"{method} {value:{form}}" for method, value in zip(methods, values, strict=True))


def totals(wrong: np.ndarray, methods: Sequence[str]) -> str:
    """Return the number of mistakes of each method, as `listed` does. wrong: (m, n), 1 for a mistake."""
    return listed(wrong.sum(axis=1), methods=methods)


ONE_STREAM = "One stream can be chance: what is best there need not be best on another."


def schedule_check(check: Check) -> str:
    """Return a sentence on a schedule and the current one, which were tried on the same repetitions."""
    sure = "is more than chance" if check.low > 0 or check.high < 0 else "could be chance"
    return (
        f"**Over {check.repetitions} repetitions** its error is {percent(check.best)}, that of the current one "
        f"{percent(check.current)}: {points(check.best - check.current)} points (95\N{NO-BREAK SPACE}% interval "
        f"{points(-check.high)} to {points(-check.low)}), which {sure}."
    )
