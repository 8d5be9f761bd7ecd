"""The table of a sweep as a CSV file that is written as cells finish, and can be continued."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from aklo.methods import METHODS
from aklo.sweeps import COLUMNS, Cell

HEADER = ("dataset", *COLUMNS)
KEY = COLUMNS[:4]  # the columns of `Cell.key`


class SweepTable:
    """The CSV file of a sweep; rows of other sweeps in it are kept.

    Raises ValueError if the file is not such a table or cannot be written.

    Parameters
    ----------
    path
        The file; created if it does not exist.
    dataset
        Description of the dataset, as in its first column.
    repetitions, seed
        Those of the sweep.
    """

    def __init__(self, path: Path, dataset: str, repetitions: int, seed: int) -> None:
        self.path, self.dataset = path, dataset
        self._same = (str(repetitions), str(seed))
        rows = self._read()
        self._done: set[tuple[str, ...]] = set()  # of this sweep: the first columns of a cell, and a method
        for row in rows:
            values = dict(zip(HEADER, row, strict=True))
            if values["dataset"] == dataset and (values["repetitions"], values["seed"]) == self._same:
                self._done.add(tuple(values[name] for name in (*KEY, "method")))
        self._replace(rows)

    def _read(self) -> list[list[str]]:
        if self.path.exists() and not self.path.is_file():  # such as /dev/null, which a rename would replace
            raise ValueError(f"{self.path} cannot be written: it is not a file.")
        try:
            text = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
            lines = list(csv.reader(io.StringIO(text)))
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise ValueError(f"{self.path} cannot be read as a table ({type(error).__name__}).") from None
        if not text:
            return []
        if tuple(lines[0]) != HEADER:
            raise ValueError(f"{self.path} is not the table of a sweep: its first line is not {','.join(HEADER)}.")
        if not text.endswith("\n"):
            lines.pop()  # incomplete last line
        return [line for line in lines[1:] if len(line) == len(HEADER)]

    def _replace(self, rows: Sequence[Sequence[str]]) -> None:
        """Rewrite the table through a temporary file, so that a crash leaves the old one."""
        temporary = self.path.with_name(self.path.name + ".part")
        try:
            with temporary.open("w", encoding="utf-8", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows([HEADER, *rows])
            os.replace(temporary, self.path)
        except OSError as error:
            raise ValueError(f"{self.path} cannot be written: {(error.strerror or str(error)).lower()}.") from None

    def missing(self, cells: Sequence[Cell], methods: Sequence[str] = METHODS) -> list[Cell]:
        """Return the cells of which at least one method is not in the table yet.

        A sweep may have been interrupted between two lines, or have asked for other methods.
        """
        return [cell for cell in cells if any((*cell.key, method) not in self._done for method in methods)]

    def append(self, part: pd.DataFrame) -> None:
        """Append the rows of finished cells, as `aklo.sweep` yields them, except those that the table has already."""
        keys = list(zip(part["lambda"].map(repr), *(part[name] for name in (*KEY[1:], "method")), strict=True))
        part = part[[key not in self._done for key in keys]].assign(dataset=self.dataset)[list(HEADER)]
        self._done.update(keys)
        try:
            with self.path.open("a", encoding="utf-8", newline="") as file:
                file.write(part.to_csv(index=False, header=False, lineterminator="\n"))
        except OSError as error:
            raise ValueError(f"{self.path} cannot be written: {(error.strerror or str(error)).lower()}.") from None
