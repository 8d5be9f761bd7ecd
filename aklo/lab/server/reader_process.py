"""The process that reads one upload: `python -m aklo.lab.server.reader_process`, started by `reader.py`.

Its standard input is a line of JSON, which says what to read and how, and the bytes of the files. Its standard output
is lines of JSON: the share that is done, again and again, and in the end an error, the names of columns, or a
collection, whose arrays follow as bytes. So the server gets numbers and text from it, and never an object to unpickle.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np
import scipy.sparse as sp

from aklo.datasets import READERS, read_any
from aklo.readers.collection import Collection
from aklo.readers.outline import columns_of, labels_of

NICE = 10  # the server goes first
TELL_EVERY = 0.2  # seconds between two reports of progress
CALLS: dict[str, Callable[..., Any]] = {"any": read_any, "columns": columns_of, "labels": labels_of, **READERS}
MEMORY = "The file needs more memory to read than the lab gives to one: bring fewer rows or columns."


def limit(memory: int, seconds: int) -> None:
    """Limit this process: bytes of memory, and seconds of processor time. It can write no file and dump no core."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(NICE)
    try:
        import resource
    except ImportError:  # on Windows: there the readers' own counts are the limit, and the server's clock
        return
    for kind, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))


def answer(stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Read what is asked for and write the answer."""
    try:
        asked = json.loads(stdin.readline())
        limit(asked["memory"], asked["seconds"])
        options = asked["options"]
        if asked["progress"]:
            options["progress"] = _Progress(stdout)
        files = [(name, stdin.read(size)) for name, size in asked["files"]]
        found = CALLS[asked["call"]](files, **options)
        _write(stdout, found)
    except ValueError as error:
        _tell(stdout, error=str(error))
    except MemoryError:
        _tell(stdout, error=MEMORY)


def _write(stdout: BinaryIO, found: Collection | list[str]) -> None:
    if not isinstance(found, Collection):
        _tell(stdout, columns=found)
        return
    fields, arrays = to_wire(found)
    _tell(stdout, fields=fields)
    for array in arrays:
        stdout.write(array.data)
    stdout.flush()


class _Progress:
    """Reports the share that is done, now and then."""

    def __init__(self, stdout: BinaryIO) -> None:
        self._stdout, self._next = stdout, 0.0

    def __call__(self, share: float) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + TELL_EVERY
            _tell(self._stdout, share=share)


def _tell(stdout: BinaryIO, **message: Any) -> None:
    stdout.write(json.dumps(message).encode() + b"\n")
    stdout.flush()


# ------------------------------------------------------------------------------------------- a collection as bytes


def to_wire(found: Collection) -> tuple[dict[str, Any], list[np.ndarray]]:
    """Return the fields of a collection, JSON-compatible, and the arrays that they mention, in this order."""
    fields, arrays = {}, []
    for field in dataclasses.fields(found):
        value = getattr(found, field.name)
        parts = [value.data, value.indices, value.indptr] if sp.issparse(value) else [value]
        if isinstance(parts[0], np.ndarray):
            fields[field.name] = {"arrays": [(a.dtype.str, a.shape) for a in parts], "shape": value.shape}
            arrays += [np.ascontiguousarray(a) for a in parts]
        else:
            fields[field.name] = value
    return fields, arrays


def from_wire(fields: dict[str, Any], read: Callable[[np.ndarray], None]) -> Collection:
    """Return the collection that `to_wire` wrote. read: fills an array with the next bytes."""
    values: dict[str, Any] = {}
    for name, value in fields.items():
        if not isinstance(value, dict):
            values[name] = _tuples(value)
            continue
        parts = [np.empty(shape, dtype) for dtype, shape in value["arrays"]]
        for part in parts:
            read(part)
        values[name] = parts[0] if len(parts) == 1 else sp.csr_array(tuple(parts), shape=tuple(value["shape"]))
    return Collection(**values)


def wire_size(fields: dict[str, Any]) -> int:
    """Return the bytes of the arrays that fields mention."""
    about = [one for value in fields.values() if isinstance(value, dict) for one in value["arrays"]]
    return sum(np.dtype(dtype).itemsize * int(np.prod(shape, dtype=np.int64)) for dtype, shape in about)


def _tuples(value: Any) -> Any:
    """Return a value from JSON with tuples for lists, as a frozen dataclass has them."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


if __name__ == "__main__":
    answer(sys.stdin.buffer, sys.stdout.buffer)
