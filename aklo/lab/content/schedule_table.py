"""The comparison of schedules, as a table in Markdown."""

from __future__ import annotations

import pandas as pd


def markdown(table: pd.DataFrame) -> str:
    """Return the table of `schedule_comparison.table` as Markdown. Streamlit draws it quicker than a data frame."""
    rows = [(table.index.name, *table.columns), ("---", *("---:",) * len(table.columns))]
    for name, numbers in zip(table.index, table.itertuples(index=False), strict=True):
        cells = (f"{number:{_format(column)}}" for column, number in zip(table.columns, numbers, strict=True))
        rows.append((name, *cells))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def _format(column: str) -> str:
    return ".1f" if "%" in column else ".2f" if column == "Mean alpha" else ".0f"
