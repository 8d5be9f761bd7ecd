"""Tables: rows of examples -> Collection."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from aklo.readers.categories import MOST_CATEGORIES
from aklo.readers.classes import label
from aklo.readers.collection import MOST_NUMBERS, Collection, clean, quoted
from aklo.readers.table_error import TableError
from aklo.readers.table_rows import Rows, Table, TableOptions, normalised

EVERY_ROW = "all rows"  # the name of the task of a table without a column of tasks


def read_table(
    rows: Rows, options: TableOptions, notes: list[str], progress: Callable[[float], None] | None = None
) -> Collection:
    """Read a table; notes: those to begin with, progress: as in `read_csv`."""
    table: Table | None = None
    for number, cells in rows:
        if table is None:
            table = Table.of([str(cell).strip() for cell in cells], options, rows.decimal_comma)
        else:
            table.add(cells, number)
        if progress is not None and number % 500 == 0:
            progress(rows.share)
    if table is None or not table.labels:
        raise ValueError(f"{rows.name} has no rows below the header that can be used.")
    return collected(table, notes)


def collected(table: Table, notes: list[str]) -> Collection:
    """Return the parsed rows as a collection; notes: those to begin with."""
    used = {i: one for i, one in table.categories.items() if not one.crowded}
    if not table.features and not used:
        hint = "" if table.options.one_hot else ", or text columns that are read one-hot"
        raise TableError(
            f"No column has numbers: besides the task and the label at least one is needed{hint}.",
            *(() if table.options.one_hot else ("one_hot",)),
        )
    n = len(table.tasks)
    width = len(table.features) + sum(len(one.words) for one in used.values())
    if n * width > MOST_NUMBERS:
        raise ValueError(f"With its text one-hot the table has {n * width:,} numbers, of {MOST_NUMBERS:,} at most.")
    tasks = np.frombuffer(table.tasks, dtype=np.int64)
    order = np.argsort(tasks, kind="stable")
    numbers = np.frombuffer(table.numbers).reshape(n, len(table.features))
    X = np.hstack([numbers, *(one.indicators() for one in used.values())])[order] if used else numbers[order]
    cuts = np.cumsum(np.bincount(tasks))[:-1]
    labels = np.frombuffer(table.labels, dtype=np.int8)[order]
    parts = list(zip(table.task_names, np.split(X, cuts), np.split(labels, cuts), strict=True))
    positive, each_class = table.options.positive, table.options.each_class
    words = list(table.label_names)
    found = label(
        parts, words, column=table.columns[table.y], each_class=each_class,
        positive=None if positive is None else normalised(positive),
    )  # fmt: skip
    names = [(name or EVERY_ROW, X, y) for name, X, y in found.tasks]
    group_names = sorted(set(table.groups.values()))
    groups = [group_names.index(table.groups[k]) for k in range(len(table.task_names))] if group_names else None
    if found.classes and groups is None:  # tasks about the same class are alike
        group_names, groups = words, list(found.classes)
    elif found.classes and groups is not None:
        groups = [g for g, (*_, index) in zip(groups, parts, strict=True) for _ in np.unique(index)]
    return Collection.of(
        names,
        labels=(clean(found.labels[0]), clean(found.labels[1])),
        groups=None if groups is None else tuple(groups),
        group_names=tuple(map(clean, group_names)),
        features=(
            *(clean(table.columns[i]) for i in table.features),
            *(clean(f"{table.columns[i]}={word}") for i, one in used.items() for word in one.words),
        ),
        notes=(*notes, *_skipped(table)),
    )


def _skipped(table: Table) -> list[str]:
    """Return notes about columns that were skipped or read one-hot, and about skipped rows."""
    found = []
    for i, categories in list(table.categories.items())[:5]:
        found.append(
            f"Column {table.name_of(i)} was left out: it has more than {MOST_CATEGORIES} words."
            if categories.crowded
            else f"Column {table.name_of(i)} was read as {len(categories.words)} columns, one for each of its words."
        )
    left_out = {i: at for i, at in table.texts.items() if i not in table.categories}
    for i, (row, value) in list(left_out.items())[:5]:
        found.append(f"Column {table.name_of(i)} was left out: it has no numbers (row {row} has {quoted(value)}).")
    if len(left_out) > 5:
        found.append(f"{len(left_out) - 5} more columns were left out, since they have no numbers.")
    if len(table.categories) > 5:
        found.append(f"{len(table.categories) - 5} more columns of words were treated alike.")
    nameless = [i for i, column in enumerate(table.columns) if not column]
    if nameless:
        found.append(f"Column number {nameless[0] + 1} was left out: it has no name.")
    if table.gaps:
        several = f"{len(table.gaps):,} rows were" if len(table.gaps) > 1 else "1 row was"
        found.append(f"{several} left out for missing values, the first being row {table.gaps[0]}.")
    if table.mark == ",":
        found.append("Decimal commas were read as points.")
    return found
