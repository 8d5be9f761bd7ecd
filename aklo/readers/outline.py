"""What is in a table, so that a person can choose how to read it: its columns, and the labels in one of them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from aklo.readers import csv, parquet
from aklo.readers.archive import Source, contents
from aklo.readers.collection import quoted
from aklo.readers.csv import CsvRows
from aklo.readers.parquet import ParquetRows
from aklo.readers.table_rows import MISSING_NAMES, Rows, check_classes, column_index, normalised

LONGEST_LABEL = 200  # characters


def columns_of(source: Source) -> list[str]:
    """Return the names of the columns in the header."""
    _, cells = next(iter(_rows(source)), (0, []))
    return [str(cell).strip() for cell in cells]


def labels_of(source: Source, *, y: str = "y") -> list[str]:
    """Return the different labels in the column `y`, as `read_csv` names them, in the order of the alphabet."""
    at: int | None = None
    found: set[str] = set()
    named = lru_cache(maxsize=1000)(normalised)  # a table repeats its labels; nothing of them stays afterwards
    for row, cells in _rows(source, y):
        if at is None:
            at = column_index([str(cell).strip() for cell in cells], y, "y")
            continue
        # A row that is too short is reported when the table is read.
        word = named(str(cells[at])) if at < len(cells) else ""
        if word.lower() in MISSING_NAMES:
            continue
        if len(word) > LONGEST_LABEL:
            raise ValueError(f"Row {row} has the label {quoted(word)}, of {len(word):,} characters: it is too long.")
        found.add(word)
        check_classes(len(found), row, y)
    return sorted(found)


def _rows(source: Source, column: str | None = None) -> Rows:
    """Return the rows of a table; column: the only one that is needed, where only some can be read."""
    (name, data), *_ = contents(source, (*csv.ENDINGS, *parquet.ENDINGS))[0]
    if Path(name).suffix.lower() not in parquet.ENDINGS:
        return CsvRows(name, data)
    if column is None:
        return ParquetRows(name, data)
    every = ParquetRows(name, data).columns
    return ParquetRows(name, data, [every[column_index(every, column, "y")]])
