"""The error of a table that can be read in another way."""

from __future__ import annotations


class TableError(ValueError):
    """A table that cannot be read as asked, though perhaps with other keywords of `read_csv`.

    The lab shows the message, a traceback the keywords as well, and the command line its options of these names.
    """

    def __init__(self, message: str, *keywords: str) -> None:
        super().__init__(message)
        self.keywords = keywords
        if keywords:
            self.add_note(f"See the keyword{'s' if len(keywords) > 1 else ''} {', '.join(keywords)} of the reader.")
