"""The table of a sweep as a CSV file that is written as cells finish, and can be continued."""

from __future__ import annotations

import csv
import io
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from aklo.methods import METHODS
from aklo.sweeps import COLUMNS, Cell

HEADER = ("dataset", *COLUMNS)


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
        # A cell is done if all its methods are there: a sweep may have been interrupted between two lines.
        found = Counter(self._key(row) for row in rows)
        whole = {key for key, count in found.items() if count == len(METHODS)}
        self.done = {key[1:5] for key in whole if key[0] == dataset and key[5:] == self._same}
        kept = [row for row in rows if self._key(row) in whole]
        self._replace(kept)

    @staticmethod
    def _key(row: Sequence[str]) -> tuple[str, ...]:
        values = dict(zip(HEADER, row, strict=True))
        return tuple(values[name] for name in ("dataset", "lambda", "alpha", "clip", "horizon", "repetitions", "seed"))

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

    def missing(self, cells: Sequence[Cell]) -> list[Cell]:
        """Return the cells that are not in the table yet."""
        return [cell for cell in cells if cell.key not in self.done]

    def append(self, part: pd.DataFrame) -> None:
        """Append the rows of finished cells, as `aklo.sweep` yields them."""
        part = part.assign(dataset=self.dataset)[list(HEADER)]
        try:
            with self.path.open("a", encoding="utf-8", newline="") as file:
                file.write(part.to_csv(index=False, header=False, lineterminator="\n"))
        except OSError as error:
            raise ValueError(f"{self.path} cannot be written: {(error.strerror or str(error)).lower()}.") from None
