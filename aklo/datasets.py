"""Real data as streams of tasks, and the tables of generators and readers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from aklo.generators import conflict, syn1, syn2
from aklo.readers.archive import Source, contents
from aklo.readers.collection import Collection, quoted
from aklo.readers.csv import read_csv
from aklo.readers.mat import read_landmine
from aklo.readers.parquet import read_parquet
from aklo.readers.text import ATTRIBUTE, read_shoes, read_spam
from aklo.tasks import TaskStream, check_seed


def digits(n_tasks: int = 20, n_examples: int = 100, *, bias: bool = True, seed: int = 0) -> TaskStream:
    """Draw a stream from scikit-learn's handwritten digits: each task separates two digits, the larger one being +1.

    The pairs of digits are drawn without replacement, from all 45 again when they are used up; the examples of a
    task without replacement from the images of its two digits, half of each. Features are the 64 pixels in [0, 1],
    and a column of ones if `bias`. The group of a task is its +1 digit.

    >>> stream = digits(n_tasks=2, n_examples=10)
    >>> len(stream), stream.d, stream.lengths.tolist()
    (2, 65, [10, 10])
    """
    images, labels = _images()
    most = 2 * int(np.bincount(labels).min())
    check_seed(seed)
    for name, count in (("n_tasks", n_tasks), ("n_examples", n_examples)):
        if not isinstance(count, (int, np.integer)):
            raise ValueError(f"{name} is {count}, where a whole number is needed.")
    if not 1 <= n_tasks <= 1000:
        raise ValueError(f"n_tasks is {n_tasks}, which is outside 1 to 1000.")
    if not 1 <= n_examples <= most:
        raise ValueError(f"n_examples is {n_examples}, which is outside 1 to {most}, as many as two digits have.")
    rng = np.random.default_rng(seed)
    every = list(combinations(range(10), 2))
    pairs = [every[i] for _ in range(-(-n_tasks // len(every))) for i in rng.permutation(len(every))][:n_tasks]
    if bias:
        images = np.column_stack([images, np.ones(len(images))])
    rows = []
    for low, high in pairs:
        counts = (n_examples // 2, n_examples - n_examples // 2)
        chosen = [
            rng.choice(np.flatnonzero(labels == digit), n, replace=False)
            for digit, n in zip((low, high), counts, strict=True)
        ]
        rows.append(rng.permutation(np.concatenate(chosen)))
    return TaskStream.of(
        [(images[r], np.where(labels[r] == high, 1.0, -1.0)) for r, (_, high) in zip(rows, pairs, strict=True)],
        groups=[high for _, high in pairs],
        names=[f"{high} against {low}" for low, high in pairs],
    )


@lru_cache(maxsize=1)
def _images() -> tuple[np.ndarray, np.ndarray]:
    """Return pixels in [0, 1], (1797, 64), and digits, (1797,)."""
    from sklearn.datasets import load_digits  # imported here, because it takes longer to import than aklo

    data = load_digits()
    return data.data / 16.0, data.target


# Generators by name; their keywords are options of the command line.
GENERATORS: dict[str, Callable[..., TaskStream]] = {
    "syn1": syn1,
    "syn2": syn2,
    "conflict": conflict,
    "digits": digits,
}

# Readers by name; each takes a path, bytes or pairs (name, bytes).
READERS: dict[str, Callable[..., Collection]] = {
    "landmine": read_landmine,
    "spam": read_spam,
    "shoes": read_shoes,
    "csv": read_csv,
    "parquet": read_parquet,
}
TABLES = ("csv", "parquet")  # those whose keywords say which columns are what

ENDINGS = {
    ".mat": "landmine",
    ".tf": "spam",
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
}


def kind_of(name: str) -> str:
    """Return the name of the reader for a file name, or "" if there is none."""
    return "shoes" if ATTRIBUTE.fullmatch(name) else ENDINGS.get(Path(name).suffix.lower(), "")


def read_any(source: Source, **table_options: Any) -> Collection:
    """Read files of one of the known kinds, chosen by their names; table_options: keywords of `read_csv`."""
    files, notes = contents(source, tuple(ENDINGS))
    kinds = {kind_of(name) for name, _ in files}
    if len(kinds) > 1 or "" in kinds:
        names = ", ".join(quoted(name) for name, _ in files[:3])
        raise ValueError(f"Bring a .csv, a .parquet, a .mat, or .tf files, one kind at a time: these are {names}.")
    kind = kinds.pop()
    found = READERS[kind](files, **(table_options if kind in TABLES else {}))
    return replace(found, notes=(*notes, *found.notes))


# The paper's sampling of its real datasets: keywords of `Collection.sample`.
PROTOCOLS: dict[str, dict[str, Any]] = {
    "landmine": {"n_examples": 150, "bias": True},
    "spam": {"n_tasks": 14, "n_examples": 200, "bias": False},
    "shoes": {"n_examples": 100, "bias": False},
}
