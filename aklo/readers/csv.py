"""Tables in CSV format: a column `task`, a column `y` with two values, and columns of numbers.

They are parsed row by row, so that an error names its row and column and memory holds numbers only.
"""

from __future__ import annotations

import codecs
import csv
from collections.abc import Callable

from aklo.readers.archive import Source, contents
from aklo.readers.collection import Collection, quoted
from aklo.readers.csv_table import Table
from aklo.readers.lines import Lines

SEPARATORS = (",", ";", "\t", "|")


def read_csv(
    source: Source,
    *,
    task: str = "task",
    y: str = "y",
    positive: str | None = None,
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
    task, y
        Names of the columns with the task and with the label, which has two values of any kind.
    positive
        The label that becomes +1; guessed by default (`Collection.flipped` exchanges them).
    drop_gaps
        Whether to skip rows with missing values, instead of raising ValueError.
    progress
        progress(share) is called while reading.
    """
    files, notes = contents(source, (".csv", ".txt", ".tsv"))
    if len(files) > 1:
        raise ValueError(f"{len(files)} tables were given, where one is needed.")
    name, data = files[0]
    lines = Lines(name, data, _encoding(name, data))
    table: Table | None = None
    reader = csv.reader(lines, delimiter=_separator(lines))
    try:
        for cells in reader:
            lines.next_row()
            if not any(map(str.strip, cells)):
                lines.count_blank()
                continue
            if table is None:
                if len(cells) == 2 and cells[0].strip().lower() == "sep=":  # a line added by Excel
                    continue
                table = Table.of([cell.strip() for cell in cells], task, y, reader.dialect.delimiter, drop_gaps)
            else:
                table.add(cells, reader.line_num)
            if progress is not None and reader.line_num % 500 == 0:
                progress(lines.share)
    except csv.Error as error:
        raise ValueError(f"Row {reader.line_num} of {name} cannot be read: {error}.") from None
    if table is None or not table.labels:
        raise ValueError(f"{name} has no rows below the header that can be used.")
    return table.collection(positive, notes)


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


def columns_of(source: Source) -> list[str]:
    """Return the names of the columns in the header."""
    (name, data), *_ = contents(source, (".csv", ".txt", ".tsv"))[0]
    lines = Lines(name, data, _encoding(name, data))
    reader = csv.reader(lines, delimiter=_separator(lines))
    try:
        for cells in reader:
            lines.next_row()
            if len(cells) > 2 and any(map(str.strip, cells)):
                return [cell.strip() for cell in cells]
            lines.count_blank()
    except csv.Error as error:
        raise ValueError(f"The header of {name} cannot be read: {error}.") from None
    return []
