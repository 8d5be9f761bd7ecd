"""The table of a sweep as a CSV or Parquet file that grows as cells finish, and can be continued."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import pandas as pd

from aklo.file_lock import FileLock
from aklo.methods import METHODS
from aklo.sweeps import COLUMNS, Cell

HEADER = ("dataset", *COLUMNS)
KEY = ("lambda", "alpha", "clip", "horizon", "method", "repetition")  # of a row of one sweep
PARQUET = ".parquet"
GROWTH = 1.1  # a Parquet file is written anew when it has grown by this factor


class SweepTable:
    """The file of a sweep, locked while it is used as a context; rows of other sweeps in it are kept.

    Raises ValueError if the file is not such a table, cannot be written, or is being written by another sweep.

    Parameters
    ----------
    path
        The file; created if it does not exist. A name that ends in .parquet makes it a Parquet file.
    dataset
        Description of the dataset, as in its first column.
    repetitions, seed
        Those of the sweep.
    """

    def __init__(self, path: Path, dataset: str, repetitions: int, seed: int) -> None:
        self.path, self._dataset, self._repetitions, self._seed = path, dataset, repetitions, seed
        self._file: _CsvFile | _ParquetFile
        self._done: set[tuple[str, ...]] = set()  # the keys of the sweep's rows
        self._open = ExitStack()

    def __enter__(self) -> SweepTable:
        with ExitStack() as stack:
            if self.path.exists() and not self.path.is_file():  # such as /dev/null, which a rename would replace
                raise ValueError(f"{self.path} cannot be written: it is not a file.")
            _written(self.path, lambda: stack.enter_context(FileLock(self.path)))
            self._file = (_ParquetFile if self.path.suffix == PARQUET else _CsvFile)(self.path)
            for row in self._file.rows():
                values = dict(zip(HEADER, row, strict=True))
                if (values["dataset"], values["seed"]) == (self._dataset, str(self._seed)):
                    self._done.add(tuple(values[name] for name in KEY))
            self._open = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._open:
            self._file.close()

    def missing(self, cells: Sequence[Cell], methods: Sequence[str] = METHODS) -> list[Cell]:
        """Return the cells of which a method or a repetition is not in the table yet.

        A sweep may have been interrupted between two lines, or have asked for other methods or fewer repetitions.
        """
        wanted = [(method, str(i)) for method in methods for i in range(self._repetitions)]
        return [cell for cell in cells if any((*cell.key, *row) not in self._done for row in wanted)]

    def append(self, part: pd.DataFrame) -> None:
        """Append the rows of finished cells, as `aklo.sweep` yields them, except those that the table has already."""
        keys = list(zip(part["lambda"].map(repr), *(part[name].map(str) for name in KEY[1:]), strict=True))
        part = part[[key not in self._done for key in keys]].assign(dataset=self._dataset)[list(HEADER)]
        self._done.update(keys)
        self._file.append(part)


class _CsvFile:
    """A CSV file, to which rows are appended."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._rows = self._read()
        whole = io.StringIO()
        csv.writer(whole, lineterminator="\n").writerows([HEADER, *self._rows])
        _replace(path, lambda file: file.write(whole.getvalue().encode()))  # without a last line that was cut short

    def _read(self) -> list[list[str]]:
        try:
            text = self._path.read_text(encoding="utf-8") if self._path.exists() else ""
            lines = list(csv.reader(io.StringIO(text)))
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise ValueError(f"{self._path} cannot be read as a table ({type(error).__name__}).") from None
        if not text:
            return []
        if tuple(lines[0]) != HEADER:
            raise ValueError(f"{self._path} is not the table of a sweep: its first line is not {','.join(HEADER)}.")
        if not text.endswith("\n"):
            lines.pop()  # incomplete last line
        return [line for line in lines[1:] if len(line) == len(HEADER)]

    def rows(self) -> list[list[str]]:
        """Return the rows that were in the file, as text."""
        return self._rows

    def append(self, part: pd.DataFrame) -> None:
        def write() -> None:
            with self._path.open("a", encoding="utf-8", newline="") as file:
                file.write(part.to_csv(index=False, header=False, lineterminator="\n"))

        _written(self._path, write)

    def close(self) -> None:
        pass  # every row is in the file


class _ParquetFile:
    """A Parquet file, which cannot be appended to: it is written anew now and then, and in the end."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            import pyarrow  # noqa: F401
        except ModuleNotFoundError:
            raise ValueError(f"{path} needs the package pyarrow, which is not installed: name a .csv.") from None
        self._parts = [self._read()] if path.exists() else []
        self._n_written = sum(map(len, self._parts))
        if not self._parts:
            self._save()  # so that a file that cannot be written is known before the work

    def _read(self) -> pd.DataFrame:
        try:
            found = pd.read_parquet(self._path)
        except (OSError, ValueError) as error:  # pyarrow's errors are ValueErrors
            raise ValueError(f"{self._path} cannot be read as a table ({type(error).__name__}).") from None
        if tuple(found.columns) != HEADER:
            raise ValueError(f"{self._path} is not the table of a sweep: its columns are not {', '.join(HEADER)}.")
        return found

    def rows(self) -> list[list[str]]:
        """Return the rows that were in the file, as text."""
        return [[str(value) for value in row] for part in self._parts for row in part.itertuples(index=False)]

    def append(self, part: pd.DataFrame) -> None:
        self._parts.append(part)
        if sum(map(len, self._parts)) >= GROWTH * self._n_written:
            self._save()

    def close(self) -> None:
        if sum(map(len, self._parts)) > self._n_written:
            self._save()

    def _save(self) -> None:
        whole = pd.concat(self._parts, ignore_index=True) if self._parts else pd.DataFrame(columns=list(HEADER))
        self._parts, self._n_written = [whole] if self._parts else [], len(whole)
        _replace(self._path, lambda file: whole.to_parquet(file, index=False))


def _replace(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a file through a temporary one, so that a crash leaves the old one."""
    temporary = path.with_name(path.name + ".part")

    def replace() -> None:
        with temporary.open("wb") as file:
            write(file)
        os.replace(temporary, path)

    _written(path, replace)


def _written(path: Path, write: Callable[[], object]) -> None:
    """Write, and raise ValueError with a sentence if that is not possible."""
    try:
        write()
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {(error.strerror or str(error)).lower()}.") from None
