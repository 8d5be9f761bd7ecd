"""Parsing of the rows of a table into tasks, labels, groups and numbers; errors name the row and the column."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, field

import numpy as np

from aklo.readers.collection import MOST_NUMBERS, MOST_TASKS, Collection, clean, quoted
from aklo.readers.lines import MOST_GAPS

MOST_COLUMNS = 10_000
MISSING_NUMBERS = frozenset({"", "na", "n/a", "nan", "null", "none", "?", "-"})
MISSING_NAMES = frozenset({"", "na", "n/a", "nan", "null"})  # a task or a label may be called "none" or "-"
POSITIVE = ("1", "true", "yes", "spam", "positive", "pos", "y", "t")  # labels that are likely +1


@dataclass
class Table:
    """The rows parsed so far.

    Parameters
    ----------
    columns
        The header.
    task, y, group, features
        Indices of the columns.
    decimal_comma
        Whether a comma may be the decimal mark, not being the separator.
    drop_gaps
        Whether to skip rows with missing values.
    numbers
        The features, row after row.
    tasks, labels
        Indices of the task and the label of each row.
    task_names, label_names
        Name -> index.
    groups
        Task -> name of its group.
    texts
        Columns without numbers -> first row and value.
    gaps
        Rows that were skipped because of missing values.
    mark
        The decimal mark, once one was found.
    """

    columns: list[str]
    task: int
    y: int
    group: int | None
    features: list[int]
    decimal_comma: bool
    drop_gaps: bool
    numbers: array = field(default_factory=lambda: array("d"))
    tasks: array = field(default_factory=lambda: array("q"))
    labels: array = field(default_factory=lambda: array("b"))
    task_names: dict[str, int] = field(default_factory=dict)
    label_names: dict[str, int] = field(default_factory=dict)
    groups: dict[int, str] = field(default_factory=dict)
    texts: dict[int, tuple[int, str]] = field(default_factory=dict)
    gaps: list[int] = field(default_factory=list)
    mark: str = ""

    @classmethod
    def of(cls, columns: list[str], task: str, y: str, separator: str, drop_gaps: bool) -> Table:
        """Create an empty table from the header; task, y: names of these columns."""
        if len(columns) > MOST_COLUMNS:
            raise ValueError(f"The header has {len(columns):,} columns, where at most {MOST_COLUMNS:,} are read.")
        at = [_column_index(columns, word) for word in (task, y)]
        if at[0] == at[1]:
            raise ValueError(f"Column {task!r} cannot be both the task and the label.")
        group = next((i for i, column in enumerate(columns) if column.lower() == "group" and i not in at), None)
        features = [i for i, column in enumerate(columns) if column and i not in (*at, group)]
        return cls(columns, at[0], at[1], group, features, separator != ",", drop_gaps)

    def add(self, cells: list[str], row: int) -> None:
        """Parse a row; raise ValueError, naming the row and the column, if it is invalid."""
        if len(cells) != len(self.columns):
            raise ValueError(f"Row {row} has {len(cells)} cells, where the header has {len(self.columns)}.")
        values: list[float] | None
        for i, (first, value) in self.texts.items():
            if self._is_number(cells[i]):
                raise self._no_number(first, i, value)
        try:
            values = [float(cells[i]) for i in self.features]
            plain = math.isfinite(sum(values)) and (not self.decimal_comma or self._has_plain_marks(cells))
        except ValueError:
            plain = False
        if not plain:
            values = self._parse_numbers(cells, row)
        words = (_normalised(cells[self.task]), _normalised(cells[self.y]))
        for word, i in zip(words, (self.task, self.y), strict=True):
            if word.lower() in MISSING_NAMES:
                self._check_gap(row, i)
                values = None
        if values is None:
            self.gaps.append(row)
            if len(self.gaps) > MOST_GAPS:
                raise ValueError(f"More than {MOST_GAPS:,} rows up to row {row:,} have gaps: leave them out.")
            return
        index = self.task_names.setdefault(words[0], len(self.task_names))
        if index >= MOST_TASKS:
            raise ValueError(
                f"Row {row} begins task number {index + 1:,}, where at most {MOST_TASKS:,} are read: perhaps "
                f"{self.columns[self.task]!r} is not the column of tasks."
            )
        label = self.label_names.setdefault(words[1], len(self.label_names))
        if label > 1:
            one, other = list(self.label_names)[:2]
            raise ValueError(
                f"Row {row}, column {self.columns[self.y]!r}, has {quoted(words[1])}, a third label beside "
                f"{quoted(one)} and {quoted(other)}."
            )
        if self.group is not None:
            named = _normalised(cells[self.group])
            if self.groups.setdefault(index, named) != named:
                raise ValueError(
                    f"Row {row}, column 'group', has {quoted(named)}, where task {quoted(words[0])} began with "
                    f"{quoted(self.groups[index])}."
                )
        self.numbers.extend(values)
        if max(len(self.numbers), len(self.labels)) > MOST_NUMBERS:
            raise ValueError(f"Row {row} is one too many: at most {MOST_NUMBERS:,} numbers are read.")
        self.tasks.append(index)
        self.labels.append(label)

    def _parse_numbers(self, cells: list[str], row: int) -> list[float] | None:
        """Parse the numbers of a row one by one; return None if one is missing and such rows are skipped."""
        if not self.labels and not self.gaps:  # the first row decides which columns are text
            self.texts = {i: (row, cells[i]) for i in self.features if not self._is_number(cells[i])}
            self.texts = {i: at for i, at in self.texts.items() if at[1].strip().lower() not in MISSING_NUMBERS}
            self.features = [i for i in self.features if i not in self.texts]
        found: list[float] = []
        for i in self.features:
            text = cells[i].strip().replace("\N{MINUS SIGN}", "-")
            if text.lower() in MISSING_NUMBERS:
                self._check_gap(row, i)
                return None
            if self.decimal_comma and ("," in text or "." in text):
                mark = "," if "," in text else "."
                self.mark = self.mark or mark
                if mark != self.mark or ("," in text and "." in text):
                    raise ValueError(
                        f"Row {row}, column {self._name(i)}, has {quoted(text)}, where the file's decimal mark is "
                        f"{'a comma' if self.mark == ',' else 'a point'}."
                    )
                text = text.replace(",", ".")
            try:
                value = float(text)
            except ValueError:
                raise self._no_number(row, i, cells[i]) from None
            if not math.isfinite(value):
                raise self._no_number(row, i, cells[i])
            found.append(value)
        return found

    def _has_plain_marks(self, cells: list[str]) -> bool:
        """Return whether the row has no decimal points, or points are known to be the decimal mark."""
        return self.mark == "." or not any("." in cells[i] for i in self.features)

    def _is_number(self, text: str) -> bool:
        text = text.strip().replace("\N{MINUS SIGN}", "-")
        try:
            return math.isfinite(float(text.replace(",", ".") if self.decimal_comma else text))
        except ValueError:
            return False

    def _no_number(self, row: int, i: int, value: str) -> ValueError:
        return ValueError(f"Row {row}, column {self._name(i)}, has {quoted(value)}, where a number is needed.")

    def _check_gap(self, row: int, i: int) -> None:
        if not self.drop_gaps:
            raise ValueError(f"Row {row}, column {self._name(i)}, has no value: fill it, or leave such rows out.")

    def _name(self, i: int) -> str:
        return quoted(self.columns[i]) if self.columns[i] else f"number {i + 1}"

    def collection(self, positive: str | None, notes: list[str]) -> Collection:
        """Return the parsed rows as a collection; positive: the label that becomes +1, notes: those to begin with."""
        if not self.features:
            raise ValueError("No column has numbers: besides the task and the label at least one is needed.")
        words = list(self.label_names)
        column = self.columns[self.y]
        if len(words) < 2:
            raise ValueError(f"Column {column!r} has {quoted(words[0])} in every row, where two labels are needed.")
        if positive is not None and _normalised(positive) not in words:
            raise ValueError(
                f"Column {column!r} has {quoted(words[0])} and {quoted(words[1])}, and no {quoted(positive)} to be +1."
            )
        plus = _normalised(positive) if positive is not None else likely_positive(words)
        minus = words[1 - words.index(plus)]
        tasks = np.frombuffer(self.tasks, dtype=np.int64)
        order = np.argsort(tasks, kind="stable")
        X = np.frombuffer(self.numbers).reshape(len(tasks), len(self.features))[order]
        y = np.where(np.frombuffer(self.labels, dtype=np.int8)[order] == words.index(plus), 1.0, -1.0)
        cuts = np.cumsum(np.bincount(tasks))[:-1]
        group_names = sorted(set(self.groups.values()))
        parts = zip(self.task_names, np.split(X, cuts), np.split(y, cuts), strict=True)
        numbers = tuple(group_names.index(self.groups[k]) for k in range(len(self.task_names))) if group_names else None
        return Collection.of(
            list(parts),
            labels=(clean(minus), clean(plus)),
            groups=numbers,
            group_names=tuple(map(clean, group_names)),
            features=tuple(clean(self.columns[i]) for i in self.features),
            notes=(*notes, *self._skipped()),
        )

    def _skipped(self) -> list[str]:
        """Return notes about skipped columns and rows."""
        found = []
        for i, (row, value) in list(self.texts.items())[:5]:
            found.append(f"Column {self._name(i)} was left out: it has no numbers (row {row} has {quoted(value)}).")
        if len(self.texts) > 5:
            found.append(f"{len(self.texts) - 5} more columns were left out, since they have no numbers.")
        nameless = [i for i, column in enumerate(self.columns) if not column]
        if nameless:
            found.append(f"Column number {nameless[0] + 1} was left out: it has no name.")
        if self.gaps:
            several = f"{len(self.gaps):,} rows were" if len(self.gaps) > 1 else "1 row was"
            found.append(f"{several} left out for missing values, the first being row {self.gaps[0]}.")
        if self.mark == ",":
            found.append("Decimal commas were read as points.")
        return found


def _column_index(columns: list[str], word: str) -> int:
    """Return the index of a column by its name, ignoring case."""
    places = [i for i, column in enumerate(columns) if column.lower() == word.strip().lower()]
    if len(places) != 1:
        has = ", ".join(quoted(column) for column in columns[:6]) + (" and more" if len(columns) > 6 else "")
        times = "is missing" if not places else f"is there {len(places)} times"
        raise ValueError(f"Column {word!r} {times}: the header has {has}.")
    return places[0]


def likely_positive(words: list[str]) -> str:
    """Return the label that is likely +1: a known one, else the larger number, else the last in the alphabet."""
    known = [word for word in words if word.lower() in POSITIVE]
    if len(known) == 1:
        return known[0]
    try:
        return max(words, key=float)
    except ValueError:
        return max(words)


def _normalised(text: str) -> str:
    """Normalise the name of a task or label: '1', '+1' and '1.0' are the same."""
    text = text.strip().replace("\N{MINUS SIGN}", "-")
    try:
        return f"{float(text):.12g}"
    except ValueError:
        return text
