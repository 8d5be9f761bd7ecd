"""Tables in Parquet format, read like those in CSV format.

Their text and numbers go through the same parser, so that the same rules and limits hold. pyarrow, which Streamlit
brings along, unpacks the file in small batches; what a file claims to hold is checked before.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from aklo.readers.archive import Source, check_size, contents
from aklo.readers.collection import MOST_NUMBERS, Collection, quoted
from aklo.readers.lines import MOST_ROWS
from aklo.readers.table import read_table
from aklo.readers.table_rows import MOST_COLUMNS, Cell, TableOptions

ENDINGS = (".parquet", ".pq")
BATCH = 1000  # rows that are unpacked at a time
MOST_BATCH = 128 * 2**20  # bytes of a batch: far more than a row of 10,000 numbers needs
MOST_NAMES = 10_000_000  # bytes of one text in the file's outline, such as a column's name


def read_parquet(
    source: Source,
    *,
    task: str | None = "task",
    y: str = "y",
    positive: str | None = None,
    each_class: bool = False,
    one_hot: bool = False,
    drop_gaps: bool = False,
    progress: Callable[[float], None] | None = None,
) -> Collection:
    """Read a table with one row for each example; the parameters are those of `read_csv`.

    Columns hold numbers, truth values or text. Messages count rows as if the names of the columns were row 1.
    """
    files, notes = contents(source, ENDINGS)
    if len(files) > 1:
        raise ValueError(f"{len(files)} tables were given, where one is needed.")
    options = TableOptions(task, y, positive, each_class, one_hot, drop_gaps)
    return read_table(ParquetRows(*files[0]), options, notes, progress)


class ParquetRows:
    """The rows of a Parquet file (`table.Rows`). columns: the only ones to read, if given."""

    decimal_comma = False

    def __init__(self, name: str, data: bytes, columns: list[str] | None = None) -> None:
        if data[:4] != b"PAR1" or data[-4:] != b"PAR1":
            raise ValueError(f"{name} is not a Parquet file, or is cut short.")
        try:
            import pyarrow.parquet
        except ModuleNotFoundError:
            raise ValueError(f"Reading {name} needs the package pyarrow, which is not installed.") from None
        self.name = name
        self._file = self._read(
            lambda: pyarrow.parquet.ParquetFile(
                io.BytesIO(data),
                pre_buffer=False,
                thrift_string_size_limit=MOST_NAMES,
                thrift_container_size_limit=MOST_NAMES,
            )
        )
        self._check()
        every = self._file.schema_arrow.names
        self.columns = every if columns is None else columns
        self._rows, self._done = self._file.metadata.num_rows, 0

    def _check(self) -> None:
        """Raise ValueError if the file claims to hold more than is read, or other things than numbers and text."""
        import pyarrow as pa

        schema, about = self._file.schema_arrow, self._file.metadata
        n_rows = about.num_rows
        if len(schema) > MOST_COLUMNS:
            raise ValueError(f"{self.name} has {len(schema):,} columns, where at most {MOST_COLUMNS:,} are read.")
        if n_rows > MOST_ROWS:
            raise ValueError(f"{self.name} has {n_rows:,} rows, where at most {MOST_ROWS:,} are read.")
        if n_rows * max(len(schema) - 2, 1) > MOST_NUMBERS:
            raise ValueError(
                f"{self.name} has {n_rows:,} rows of {len(schema):,} columns, where at most {MOST_NUMBERS:,} numbers "
                "are read."
            )
        check_size(max(sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups)), 1), self.name)
        for column in schema:
            kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
            known = (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean, pa.types.is_decimal)
            texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_null)
            if not any(is_kind(kind) for is_kind in (*known, *texts)):
                raise ValueError(
                    f"Column {quoted(column.name)} of {self.name} is of the type {quoted(kind)}, where numbers, truth "
                    "values or text are read."
                )

    def __iter__(self) -> Iterator[tuple[int, Sequence[Cell]]]:
        yield 1, list(self.columns)
        batches = self._file.iter_batches(batch_size=BATCH, columns=self.columns, use_threads=False)
        while (batch := self._read(lambda: next(batches, None))) is not None:
            if batch.nbytes > MOST_BATCH:
                raise ValueError(
                    f"{self.name} has {batch.nbytes >> 20:,} MB in {len(batch):,} rows: its texts are too long."
                )
            for cells in zip(*self._read(partial(_lists, batch)), strict=True):
                self._done += 1
                yield self._done + 1, [cell if isinstance(cell, float) else _text(cell) for cell in cells]

    @property
    def share(self) -> float:
        """How much has been read, 0 to 1."""
        return min(self._done / max(self._rows, 1), 1.0)

    def _read(self, call: Callable[[], Any]) -> Any:
        try:
            return call()
        except MemoryError:
            raise
        except Exception as error:  # pyarrow raises many kinds of errors on damaged files
            raise ValueError(f"{self.name} is damaged: it cannot be read ({type(error).__name__}).") from None


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell)


def _lists(batch: Any) -> list[list[Any]]:
    return [column.to_pylist() for column in batch.columns]
