"""Columns of words: each of a column's words becomes a feature that is 1 where it stands, and 0 elsewhere (one-hot)."""

from __future__ import annotations

from array import array

import numpy as np

MOST_CATEGORIES = 50  # words of one column; a column with more is most likely a name or free text


class Categories:
    """The words of one column.

    >>> colour = Categories()
    >>> for word in ("red", "blue", "red"):
    ...     colour.add(word)
    >>> colour.words, colour.indicators().tolist()
    (('blue', 'red'), [[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    """

    def __init__(self) -> None:
        self._codes: array | None = array("B")  # None once there are too many words
        self._index: dict[str, int] = {}

    def add(self, word: str) -> None:
        """Add the word of the next row."""
        if self._codes is None:
            return
        code = self._index.setdefault(word, len(self._index))
        if code >= MOST_CATEGORIES:
            self._codes = None
            self._index.clear()
        else:
            self._codes.append(code)

    @property
    def crowded(self) -> bool:
        """Whether there are more than MOST_CATEGORIES words, so that the column cannot be used."""
        return self._codes is None

    @property
    def words(self) -> tuple[str, ...]:
        """The words, in the order of the alphabet."""
        return tuple(sorted(self._index))

    def indicators(self) -> np.ndarray:
        """Return (n, len(words)), 1 where a row has the word."""
        assert self._codes is not None, "a crowded column has no indicators"
        rank = {word: i for i, word in enumerate(self.words)}
        place = np.array([rank[word] for word in self._index], dtype=np.intp)
        codes = np.frombuffer(self._codes, dtype=np.uint8)
        return (place[codes][:, None] == np.arange(len(rank))).astype(float)
