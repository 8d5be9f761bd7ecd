"""The datasets Spam and Shoes: text files, one for each task."""

from __future__ import annotations

import io
import math
import re
from array import array
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from aklo.readers.archive import File, Source, contents
from aklo.readers.collection import MOST_NUMBERS, Collection, quoted
from aklo.readers.lines import MOST_ROWS, Lines

_PAIR = re.compile(rb"([0-9]+):(\S+)")


# ------------------------------------------------------------------------------------------------------------- spam


def read_spam(source: Source) -> Collection:
    """Read one .tf file for each inbox, with one mail in each line, as sparse features.

    A line is `label id:count id:count ...` with increasing ids from 1; labels are −1 and 1, or 0 and 1. ECML/PKDD
    2006, task B, has 15 inboxes of 400 mails, `task_b_u00_eval_lab.tf` to `u14`, and 152,543 words.
    """
    files, notes = contents(source, (".tf",))
    for what, mark in (("counts", b":"), ("lines", b"\n")):  # before any of them is parsed
        found = sum(data.count(mark) for _, data in files)
        if found > MOST_NUMBERS:
            raise ValueError(f"{files[0][0]} has {found:,} {what}, where at most {MOST_NUMBERS:,} are read in all.")
    read = [(name, *_mails(name, data)) for name, data in files]
    d = max(X.shape[1] for _, X, _ in read)
    if d * len(read) > MOST_NUMBERS:
        name, *_ = max(read, key=lambda file: file[1].shape[1])
        raise ValueError(
            f"{name} has the id {d:,}, where {len(read)} files leave room for ids up to {MOST_NUMBERS // len(read):,}."
        )
    known = {label for _, _, y in read for label in np.unique(y)}
    if not (known <= {-1.0, 1.0} or known <= {0.0, 1.0}):
        raise ValueError(
            f"The labels {', '.join(f'{v:g}' for v in sorted(known))} are mixed, where −1 and 1 are needed."
        )
    zero = 0.0 in known
    tasks = [(_inbox(name), _with_columns(X, d), np.where(y > 0, 1.0, -1.0)) for name, X, y in read]
    return Collection.of(tasks, labels=("0" if zero else "−1", "1"), notes=tuple(notes))


def _mails(name: str, data: bytes) -> tuple[Any, np.ndarray]:
    """Read X (N, largest id) and y (N,) from one file."""
    from sklearn.datasets import load_svmlight_file  # imported here, because it takes longer to import than aklo

    try:
        X, y = load_svmlight_file(io.BytesIO(data), zero_based=False)
    except (ValueError, OverflowError, IndexError):
        raise ValueError(_first_problem(name, data)) from None
    if X.shape[0] == 0:
        raise ValueError(f"{name} has no mails.")
    if not np.isfinite(X.data).all() or not np.isin(y, (-1.0, 0.0, 1.0)).all() or X.indices.min(initial=0) < 0:
        raise ValueError(_first_problem(name, data))
    return sp.csr_array(X), y


def _first_problem(name: str, data: bytes) -> str:
    """Return a message about the first invalid line."""
    for number, line in _lines(name, data):
        words = line.split(b"#")[0].split()
        if not words:
            continue
        where, last = f"Line {number} of {name}", 0
        if words[0] not in (b"1", b"+1", b"-1", b"0") and _number(words[0]) not in (-1.0, 0.0, 1.0):
            return f"{where} begins with {_quoted(words[0])}, where a label, −1 or 1, is needed."
        for word in words[1:]:
            pair = _PAIR.fullmatch(word)
            if pair is None or not math.isfinite(_number(pair[2])):
                return f"{where} has {_quoted(word)}, where id:count with whole ids and finite counts is needed."
            if not last < int(pair[1]) < 2**31:
                return f"{where} has the id {_quoted(pair[1])} after {last}, where ids rise from 1."
            last = int(pair[1])
    return f"{name} is not a file of mails, one a line, in the form 'label id:count id:count'."


def _lines(name: str, data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the number and the text of each line."""
    lines = Lines(name, data, "latin-1", newline=None)
    for number, line in enumerate(lines, start=1):
        lines.next_row()
        if not line.strip():
            lines.count_blank()
        yield number, line.encode("latin-1")


def _number(word: bytes) -> float:
    try:
        return float(word)
    except ValueError:
        return math.nan


def _quoted(word: bytes) -> str:
    return quoted(word.decode("utf-8", "replace"))


def _with_columns(X: Any, d: int) -> Any:
    """Return X with d columns and 32-bit indices, which are faster."""
    return sp.csr_array((X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)), shape=(X.shape[0], d))


def _inbox(name: str) -> str:
    """Return 'inbox 3' for task_b_u03_eval_lab.tf, and the file's name for others."""
    number = re.search(r"_u(\d+)_", name)
    return f"inbox {int(number[1])}" if number else name.removesuffix(".tf")


# ------------------------------------------------------------------------------------------------------------ shoes

ATTRIBUTE = re.compile(r"T(\d+)(?:_(\w+))?\.txt", re.IGNORECASE)
PARTS = ("test", "train")


def read_shoes(source: Source, *, part: str | None = None) -> Collection:
    """Read one .txt file for each attribute, T1 to T10, whose first half of rows is +1 and second half −1.

    The paper's data has ten attributes, 990 features and 100 examples each; lambda is chosen on the training files. It
    does not say whether a column of ones was appended, as published demo code does: `sample(bias=...)` is the choice.

    Parameters
    ----------
    source
        A folder, a .zip, or pairs (name, bytes).
    part
        "train" or "test", for `T1_train.txt` or `T1_test.txt`; by default the test files, if there are any.
    """
    files, notes = contents(source, (".txt",))
    found = [(int(m[1]), (m[2] or "").lower(), file) for file in files if (m := ATTRIBUTE.fullmatch(file[0]))]
    if not found:
        raise ValueError(f"{files[0][0]} is not named like T1.txt or T1_train.txt, one file for each attribute.")
    there = {kind for _, kind, _ in found}
    taken = part if part is not None else next((word for word in (*PARTS, "") if word in there), min(there))
    if taken not in there:
        raise ValueError(f"There are no files named like T1_{taken}.txt, only like {files[0][0]}.")
    unread = len(files) - sum(kind == taken for _, kind, _ in found)
    if unread:
        example = next(file[0] for _, kind, file in found if kind == taken)
        notes.append(f"{unread} other files were not needed: those like {example} are read.")
    chosen = sorted((number, file) for number, kind, file in found if kind == taken)
    twice = [b[0] for a, b in pairwise(chosen) if a[0] == b[0]]
    if twice:
        raise ValueError(f"The attribute T{twice[0]} is there twice.")
    tasks, room = [], MOST_NUMBERS
    for number, file in chosen:
        X, y = _rows(file, room)
        room -= X.size
        tasks.append((f"T{number}", X, y))
    return Collection.of(tasks, notes=tuple(notes))


def _rows(file: File, room: int) -> tuple[np.ndarray, np.ndarray]:
    """Read X (N, d) and y (N,) from one file. room: the most numbers that may be read from it."""
    name, data = file
    claimed = data.count(b"\n")
    if claimed > MOST_ROWS:
        raise ValueError(f"{name} has {claimed:,} lines, where at most {MOST_ROWS:,} are read.")
    numbers, n_rows, width = array("d"), 0, 0
    for number, line in _lines(name, data):
        words = line.replace(b",", b" ").split()
        if not words:
            continue
        values = [_number(word) for word in words]
        if not all(map(math.isfinite, values)):
            at = next(i for i, value in enumerate(values) if not math.isfinite(value))
            raise ValueError(
                f"Line {number} of {name} has {_quoted(words[at])} in column {at + 1}, where a number is needed."
            )
        width = width or len(values)
        if len(values) != width:
            raise ValueError(f"Line {number} of {name} has {len(values)} numbers, where the first has {width}.")
        numbers.extend(values)
        n_rows += 1
        if len(numbers) > room:
            raise ValueError(f"Line {number} of {name} is one too many: at most {MOST_NUMBERS:,} numbers are read.")
    if not n_rows:
        raise ValueError(f"{name} has no rows.")
    if n_rows % 2:
        raise ValueError(f"{name} has {n_rows} rows, which cannot be halved into +1 and −1.")
    return np.frombuffer(numbers).reshape(n_rows, width), np.repeat([1.0, -1.0], n_rows // 2)
