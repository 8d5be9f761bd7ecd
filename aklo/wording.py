"""How numbers of things are written in texts for people."""

from __future__ import annotations

import numpy as np


def count(n: int, thing: str) -> str:
    """Return a number of things, in the singular where it is one.

    >>> count(1, "task"), count(3, "task")
    ('1 task', '3 tasks')
    """
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


def sizes(lengths: np.ndarray) -> str:
    """Return how many tasks there are and how many examples they have, given these numbers of examples, (T,).

    >>> sizes(np.array([5, 5])), sizes(np.array([12, 5, 7]))
    ('2 tasks of 5 examples', '3 tasks of 5 to 12 examples')
    """
    shortest, longest = int(lengths.min()), int(lengths.max())
    examples = count(longest, "example") if shortest == longest else f"{shortest} to {longest} examples"
    return f"{count(len(lengths), 'task')} of {examples}"
