"""Tables in CSV format: a column `task`, a column `y` of labels, and columns of numbers or words.

They are parsed row by row, so that an error names its row and column and memory holds numbers only.
"""

from __future__ import annotations

import codecs
import csv
from collections.abc import Callable, Iterator, Sequence

from aklo.readers.archive import Source, contents
from aklo.readers.collection import Collection, quoted
from aklo.readers.lines import Lines
from aklo.readers.table import read_table
from aklo.readers.table_rows import Cell, TableOptions

SEPARATORS = (",", ";", "\t", "|")
ENDINGS = (".csv", ".txt", ".tsv")


def read_csv(
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
    """Read a table with a header, one row for each example.

    A column `group` names the groups of tasks; columns without a name or without numbers are skipped. The separator
    may be a comma, semicolon, tab or bar, the decimal mark a point or, unless it is the separator, a comma, and the
    encoding UTF-8, UTF-16 or Latin-1. Messages count rows as spreadsheets do: the header is row 1.

    Parameters
    ----------
    source
        A path, bytes, or one pair (name, bytes).
    task
        Name of the column with the task; None if all rows are one task.
    y
        Name of the column with the label, which has two values of any kind, or more with `positive` or `each_class`.
    positive
        The label that becomes +1, all others becoming -1; of two labels it is guessed by default
        (`Collection.flipped` exchanges them).
    each_class
        Whether each task becomes one task for each of its classes, in which that class is +1 and the rest is -1.
    one_hot
        Whether a column of words becomes one column for each of its words, 1 where it stands and else 0; such columns
        are skipped by default.
    drop_gaps
        Whether to skip rows with missing values, instead of raising ValueError.
    progress
        progress(share) is called while reading.

    >>> table = b"task,y,size,colour\\na,cat,1,red\\na,dog,2,blue\\na,fish,3,red\\n"
    >>> pets = read_csv(table, each_class=True, one_hot=True)
    >>> pets.names, pets.features
    (('a: cat', 'a: dog', 'a: fish'), ('size', 'colour=blue', 'colour=red'))
    """
    files, notes = contents(source, ENDINGS)
    if len(files) > 1:
        raise ValueError(f"{len(files)} tables were given, where one is needed.")
    options = TableOptions(task, y, positive, each_class, one_hot, drop_gaps)
    return read_table(CsvRows(*files[0]), options, notes, progress)


class CsvRows:
    """The rows of a CSV file (`table.Rows`), without blank ones."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self._lines = Lines(name, data, _encoding(name, data))
        self._separator = _separator(self._lines)
        self.decimal_comma = self._separator != ","

    def __iter__(self) -> Iterator[tuple[int, Sequence[Cell]]]:
        reader, begun = csv.reader(self._lines, delimiter=self._separator), False
        try:
            for cells in reader:
                self._lines.next_row()
                if not any(map(str.strip, cells)):
                    self._lines.count_blank()
                    continue
                if begun or not (len(cells) == 2 and cells[0].strip().lower() == "sep="):  # a line added by Excel
                    begun = True
                    yield reader.line_num, cells
        except csv.Error as error:
            raise ValueError(f"Row {reader.line_num} of {self.name} cannot be read: {error}.") from None

    @property
    def share(self) -> float:
        """How much has been read, 0 to 1."""
        return self._lines.share


def _encoding(name: str, data: bytes) -> str:
    """Return the encoding of the text."""
    if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        if not _decodes_as(data, "utf-16"):
            raise ValueError(f"{name} is damaged: it begins as UTF-16 text and does not go on so.")
        return "utf-16"
    if b"\0" in data:
        raise ValueError(f"{name} is not a text file: save the table as CSV and bring it again.")
    return "utf-8-sig" if _decodes_as(data, "utf-8") else "cp1252" if _decodes_as(data, "cp1252") else "latin-1"


def _decodes_as(data: bytes, encoding: str) -> bool:
    """Return whether the bytes can be decoded; done in pieces, to save memory."""
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for at in range(0, len(data), 1 << 20):
            decoder.decode(data[at : at + (1 << 20)])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _separator(lines: Lines) -> str:
    """Return the separator that gives the header the most columns."""
    first = lines.first(10)
    header = next((line for line in first if line.strip() and not line.lower().startswith("sep=")), "")
    found = max(SEPARATORS, key=header.count)
    if header.count(found) == 0 and header.strip():
        raise ValueError(
            f"The header {quoted(header.strip())} is one column: separate columns by comma, semicolon or tab."
        )
    return found
