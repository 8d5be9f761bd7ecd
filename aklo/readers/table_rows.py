"""The rows of a table: a column of tasks, a column of labels, and columns of numbers; errors name row and column."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from aklo.readers.categories import Categories
from aklo.readers.classes import MOST_CLASSES
from aklo.readers.collection import MOST_NUMBERS, MOST_TASKS, quoted
from aklo.readers.lines import MOST_GAPS
from aklo.readers.table_error import TableError

MOST_COLUMNS = 10_000
MISSING_NUMBERS = frozenset({"", "na", "n/a", "nan", "null", "none", "?", "-"})
MISSING_NAMES = frozenset({"", "na", "n/a", "nan", "null"})  # a task or a label may be called "none" or "-"


Cell = str | float  # text, or a number from a file that has them as numbers


class Rows(Protocol):
    """The rows of a file: pairs (row number, cells), of which the first is the header."""

    name: str
    decimal_comma: bool  # whether a comma may be the decimal mark

    def __iter__(self) -> Iterator[tuple[int, Sequence[Cell]]]: ...

    @property
    def share(self) -> float:
        """How much has been read, 0 to 1."""


@dataclass(frozen=True)
class TableOptions:
    """How a table is read: the keywords of `read_csv`."""

    task: str | None = "task"
    y: str = "y"
    positive: str | None = None
    each_class: bool = False
    one_hot: bool = False
    drop_gaps: bool = False


@dataclass
class Table:
    """The rows parsed so far.

    Parameters
    ----------
    columns
        The header.
    options
        How it is read.
    task, y, group, features
        Indices of the columns; task is None if all rows are one task.
    decimal_comma
        Whether a comma may be the decimal mark, not being the separator.
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
    categories
        Those of them that are read -> their words.
    gaps
        Rows that were skipped because of missing values.
    mark
        The decimal mark, once one was found.
    """

    columns: list[str]
    options: TableOptions
    task: int | None
    y: int
    group: int | None
    features: list[int]
    decimal_comma: bool
    numbers: array = field(default_factory=lambda: array("d"))
    tasks: array = field(default_factory=lambda: array("q"))
    labels: array = field(default_factory=lambda: array("b"))
    task_names: dict[str, int] = field(default_factory=dict)
    label_names: dict[str, int] = field(default_factory=dict)
    groups: dict[int, str] = field(default_factory=dict)
    texts: dict[int, tuple[int, str]] = field(default_factory=dict)
    categories: dict[int, Categories] = field(default_factory=dict)
    gaps: list[int] = field(default_factory=list)
    mark: str = ""

    @classmethod
    def of(cls, columns: list[str], options: TableOptions, decimal_comma: bool) -> Table:
        """Create an empty table from the header."""
        if len(columns) > MOST_COLUMNS:
            raise ValueError(f"The header has {len(columns):,} columns, where at most {MOST_COLUMNS:,} are read.")
        task = None if options.task is None else column_index(columns, options.task, "task")
        y = column_index(columns, options.y, "y")
        if task == y:
            raise ValueError(f"Column {options.task!r} cannot be both the task and the label.")
        group = next((i for i, column in enumerate(columns) if column.lower() == "group" and i not in (task, y)), None)
        group = None if task is None else group  # one task is of one group
        features = [i for i, column in enumerate(columns) if column and i not in (task, y, group)]
        return cls(columns, options, task, y, group, features, decimal_comma)

    def add(self, cells: Sequence[Cell], row: int) -> None:
        """Parse a row; raise ValueError, naming the row and the column, if it is invalid."""
        if len(cells) != len(self.columns):
            raise ValueError(f"Row {row} has {len(cells)} cells, where the header has {len(self.columns)}.")
        values: list[float] | None
        for i, (first, value) in self.texts.items():
            if i not in self.categories and self._is_number(cells[i]):
                raise self._no_number(first, i, value)
        try:
            values = [float(cells[i]) for i in self.features]
            plain = math.isfinite(sum(values)) and (not self.decimal_comma or self._has_plain_marks(cells))
        except ValueError:
            plain = False
        if not plain:
            values = self._parse_numbers(cells, row)
        task = "" if self.task is None else normalised(str(cells[self.task]))
        word = normalised(str(cells[self.y]))
        named = [(word, self.y), *((str(cells[i]).strip(), i) for i in self.categories)]
        for text, i in named if self.task is None else [(task, self.task), *named]:
            if text.lower() in MISSING_NAMES:
                self._check_gap(row, i)
                values = None
        if values is None:
            self.gaps.append(row)
            if len(self.gaps) > MOST_GAPS:
                raise ValueError(f"More than {MOST_GAPS:,} rows up to row {row:,} have gaps: leave them out.")
            return
        index = self.task_names.setdefault(task, len(self.task_names))
        if index >= MOST_TASKS:
            raise ValueError(
                f"Row {row} begins task number {index + 1:,}, where at most {MOST_TASKS:,} are read: perhaps "
                f"{self.columns[self.task or 0]!r} is not the column of tasks."
            )
        if self.group is not None:
            self._check_group(index, task, normalised(str(cells[self.group])), row)
        self.numbers.extend(values)
        if max(len(self.numbers), len(self.labels)) > MOST_NUMBERS:
            raise ValueError(f"Row {row} is one too many: at most {MOST_NUMBERS:,} numbers are read.")
        self.labels.append(self._label_index(word, row))
        self.tasks.append(index)
        for i, categories in self.categories.items():
            categories.add(str(cells[i]).strip())

    def _label_index(self, word: str, row: int) -> int:
        """Return the index of a label; ValueError if there are more than can be used."""
        found = self.label_names.setdefault(word, len(self.label_names))
        several = self.options.each_class or self.options.positive is not None
        if found > 1 and not several:
            one, other = list(self.label_names)[:2]
            raise TableError(
                f"Row {row}, column {self.columns[self.y]!r}, has {quoted(word)}, a third label beside {quoted(one)} "
                f"and {quoted(other)}: say which one is +1 against the rest, or ask for a task for each class.",
                "positive",
                "each_class",
            )
        check_classes(found + 1, row, self.columns[self.y])
        return found

    def _check_group(self, index: int, task: str, named: str, row: int) -> None:
        if self.groups.setdefault(index, named) != named:
            raise ValueError(
                f"Row {row}, column 'group', has {quoted(named)}, where task {quoted(task)} began with "
                f"{quoted(self.groups[index])}."
            )

    def _parse_numbers(self, given: Sequence[Cell], row: int) -> list[float] | None:
        """Parse the numbers of a row one by one; return None if one is missing and such rows are skipped."""
        cells = [str(cell) for cell in given]
        if not self.labels and not self.gaps:  # the first row decides which columns are text
            self.texts = {i: (row, cells[i]) for i in self.features if not self._is_number(cells[i])}
            self.texts = {i: at for i, at in self.texts.items() if at[1].strip().lower() not in MISSING_NUMBERS}
            self.features = [i for i in self.features if i not in self.texts]
            self.categories = {i: Categories() for i in self.texts} if self.options.one_hot else {}
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
                        f"Row {row}, column {self.name_of(i)}, has {quoted(text)}, where the file's decimal mark is "
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

    def _has_plain_marks(self, cells: Sequence[Cell]) -> bool:
        """Return whether the row has no decimal points, or points are known to be the decimal mark."""
        return self.mark == "." or not any("." in str(cells[i]) for i in self.features)

    def _is_number(self, cell: Cell) -> bool:
        text = str(cell).strip().replace("\N{MINUS SIGN}", "-")
        try:
            return math.isfinite(float(text.replace(",", ".") if self.decimal_comma else text))
        except ValueError:
            return False

    def _no_number(self, row: int, i: int, value: str) -> ValueError:
        return ValueError(f"Row {row}, column {self.name_of(i)}, has {quoted(value)}, where a number is needed.")

    def _check_gap(self, row: int, i: int) -> None:
        if not self.options.drop_gaps:
            raise TableError(
                f"Row {row}, column {self.name_of(i)}, has no value: fill it, or leave such rows out.", "drop_gaps"
            )

    def name_of(self, i: int) -> str:
        """Return the name of a column as messages have it."""
        return quoted(self.columns[i]) if self.columns[i] else f"number {i + 1}"


def check_classes(n: int, row: int, column: str) -> None:
    """Raise ValueError if a column has more labels than classes are read."""
    if n > MOST_CLASSES:
        raise ValueError(
            f"Row {row} has label number {n}, where at most {MOST_CLASSES} are read: perhaps {column!r} is not the "
            "column of labels."
        )


def column_index(columns: list[str], word: str, keyword: str) -> int:
    """Return the index of a column by its name, ignoring case; keyword: of `read_csv`, which gives the name."""
    places = [i for i, column in enumerate(columns) if column.lower() == word.strip().lower()]
    if len(places) != 1:
        has = ", ".join(quoted(column) for column in columns[:6]) + (" and more" if len(columns) > 6 else "")
        times = "is missing" if not places else f"is there {len(places)} times"
        raise TableError(f"Column {word!r} {times}: the header has {has}.", keyword)
    return places[0]


def normalised(text: str) -> str:
    """Normalise the name of a task or label: '1', '+1' and '1.0' are the same."""
    text = text.strip().replace("\N{MINUS SIGN}", "-")
    try:
        return f"{float(text):.12g}"
    except ValueError:
        return text
