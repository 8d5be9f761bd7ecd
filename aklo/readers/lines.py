"""Lines of a text, one at a time and within limits, so that a hostile file costs no more memory than an honest one."""

from __future__ import annotations

import io
from collections.abc import Iterator

MOST_CHARACTERS = 2_000_000  # of one row: 10,000 columns of 200 characters
MOST_BLANK = 1_000_000  # rows without a value
MOST_GAPS = 200_000  # rows with a missing value that are left out
MOST_ROWS = 1_000_000  # of a file that is read line by line in Python


class Lines(Iterator[str]):
    """An iterator of the lines of a text, with their ends; ValueError if a row is too long.

    A row of a table is one line, or several if a quoted cell has line ends in it. Who reads the rows calls `next_row`
    after each of them, and `count_blank` for one without a value.

    >>> list(Lines("a.txt", b"1 2\\r3 4", "latin-1", newline=None))
    ['1 2\\n', '3 4']
    """

    def __init__(self, name: str, data: bytes, encoding: str, *, newline: str | None = "") -> None:
        self._raw = io.BytesIO(data)
        self._text = io.TextIOWrapper(self._raw, encoding=encoding, newline=newline)
        self._name, self._size = name, len(data)
        self._number, self._blank, self._room = 0, 0, MOST_CHARACTERS

    def __next__(self) -> str:
        line = self._text.readline(self._room + 1)
        if not line:
            raise StopIteration
        self._number += 1
        self._room -= len(line)
        if self._room < 0:
            raise ValueError(
                f"Row {self._number:,} of {self._name} has more than {MOST_CHARACTERS:,} characters, the most that are "
                "read in a row: perhaps its line ends are missing."
            )
        return line

    def count_blank(self) -> None:
        """Count a row without a value; ValueError if there are too many."""
        self._blank += 1
        if self._blank > MOST_BLANK:
            raise ValueError(f"{self._name} has more than {MOST_BLANK:,} empty rows: leave them out.")

    def next_row(self) -> None:
        """Begin a new row, which may have as many characters as any."""
        self._room = MOST_CHARACTERS

    def first(self, count: int) -> list[str]:
        """Return up to `count` lines, and start from the beginning again."""
        found = []
        for _ in range(count):
            self.next_row()
            line = next(self, None)
            if line is None:
                break
            found.append(line)
        self._text.seek(0)
        self._number = 0
        self.next_row()
        return found

    @property
    def share(self) -> float:
        """How much of the text has been read, 0 to 1."""
        return min(self._raw.tell() / max(self._size, 1), 1.0)
