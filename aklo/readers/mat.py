"""Landmine, and MATLAB 5 files like it: cell arrays `feature` and `label`, with one cell for each task.

The file is not trusted, so its blocks are validated before scipy reads it: a block must not be larger than the file,
unpack to more than the limit, or hold anything but real numbers.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from itertools import islice

import numpy as np

from aklo.readers.archive import MOST_BYTES, Source, contents
from aklo.readers.collection import MOST_NUMBERS, MOST_TASKS, Collection, quoted

MATRIX, COMPRESSED = 14, 15  # kinds of block
CELL, NUMBERS = 1, range(6, 16)  # classes of a matrix: double, single and integers
COMPLEX = 0x800  # flag of complex matrices
BYTES = {1: 1, 2: 1, 3: 2, 4: 2, 5: 4, 6: 4, 7: 4, 9: 8, 12: 8, 13: 8}  # kind of block -> bytes of a number
WANTED = ("feature", "label")
MOST_BLOCKS = MOST_TASKS + 10  # in one block: flags, shape, name, and a cell for each task


def read_landmine(source: Source) -> Collection:
    """Read a .mat file with 1 × T cells `feature`, (N, d) each, and `label`, (N, 1) each.

    Labels are 0 and 1, or −1 and 1. The original `LandmineData.mat` has 29 tasks, 14,820 examples, 9 features and
    6.1 % labels of 1.
    """
    files, notes = contents(source, (".mat",))
    if len(files) > 1:
        raise ValueError(f"{len(files)} .mat files were given, where one is needed.")
    name, data = files[0]
    checked = validated(name, data)
    from scipy.io import loadmat  # imported here, because only this function needs it

    try:
        held = loadmat(io.BytesIO(checked), variable_names=list(WANTED))
    except MemoryError:
        raise
    except Exception as error:  # scipy raises many kinds of errors on damaged files
        raise ValueError(f"{name} is damaged: scipy cannot read it ({type(error).__name__}).") from None
    features, labels = (held[word].ravel() for word in WANTED)
    if len(features) != len(labels):
        raise ValueError(f"{name} has {len(features)} cells in 'feature' and {len(labels)} in 'label'.")
    if len(features) == 0:
        raise ValueError(f"{name} has no cells in 'feature': it holds no task.")
    tasks = [(f"field {k + 1}", X, _labels(y, k)) for k, (X, y) in enumerate(zip(features, labels, strict=True))]
    known = {value for _, _, y in tasks for value in np.unique(y).tolist()}
    if {-1.0, 0.0} <= known:
        raise ValueError(f"{name} has the labels −1 and 0, where 0 and 1 or −1 and 1 are needed.")
    if 0.0 in known:
        tasks = [(task, X, 2 * y - 1) for task, X, y in tasks]
    return Collection.of(tasks, labels=("0" if 0.0 in known else "−1", "1"), notes=tuple(notes))


def _labels(y: np.ndarray, k: int) -> np.ndarray:
    """Return the labels of cell k as floats (N,), since 2 · 0 − 1 is 255 in uint8."""
    if y.ndim != 2 or 1 not in y.shape:
        raise ValueError(f"Cell {k + 1} of 'label' has the shape {y.shape}, where one column is needed.")
    values = y.astype(float).ravel()
    odd = np.flatnonzero(~np.isin(values, (-1.0, 0.0, 1.0)))
    if odd.size:
        raise ValueError(
            f"Cell {k + 1} of 'label' has {values[odd[0]]:g} in row {odd[0] + 1}, where 0 and 1 or −1 and 1 are needed."
        )
    return values


# ------------------------------------------------------------------------------------------------------ validation


def validated(name: str, data: bytes) -> bytes:
    """Return the file reduced to `feature` and `label`, after validating all their blocks.

    Raises ValueError if one is missing or is not a cell array of real matrices. Everything else is removed, because
    damaged blocks have crashed scipy.
    """
    if data[:8] == b"\x89HDF\r\n\x1a\n" or data[:19] == b"MATLAB 7.3 MAT-file":
        raise ValueError(f"{name} is of MATLAB 7.3: save it with the option '-v7' and bring it again.")
    if len(data) < 136 or data[:6] != b"MATLAB" or data[124:128] not in (b"\x00\x01IM", b"\x01\x00MI"):
        raise ValueError(f"{name} is not a MATLAB 5 file.")
    order = "<" if data[126:128] == b"IM" else ">"
    found: dict[str, bytes] = {}
    room = MOST_BYTES
    for kind, block in _listed(name, data, slice(128, len(data)), order):
        unpacked, inner = data, [(kind, block)]
        if kind == COMPRESSED:
            unpacked = _unpack(name, data[block], room)
            room -= len(unpacked)
            inner = _listed(name, unpacked, slice(0, len(unpacked)), order)
        for inner_kind, matrix in inner:
            if inner_kind == MATRIX:
                content = unpacked[matrix] + bytes(-(matrix.stop - matrix.start) % 8)
                found[_variable(name, content, order)] = struct.pack(f"{order}II", MATRIX, len(content)) + content
    missing = [word for word in WANTED if word not in found]
    if missing:
        has = ", ".join(quoted(word) for word in list(found)[:5]) or "nothing"
        raise ValueError(f"{name} has no cells {' and '.join(map(repr, missing))}, but {has}.")
    return data[:128] + b"".join(found[word] for word in WANTED)


def _unpack(name: str, block: bytes, room: int) -> bytes:
    try:
        unpacked = zlib.decompressobj().decompress(block, room + 1)
    except zlib.error:
        raise ValueError(f"{name} is damaged: a packed block cannot be unpacked.") from None
    if len(unpacked) > room:
        raise ValueError(f"{name} unpacks to more than {MOST_BYTES >> 20} MB, which are the most that are read.")
    return unpacked


def _blocks(name: str, data: bytes, within: slice, order: str) -> Iterator[tuple[int, slice]]:
    """Yield the kind and the position of the content of each block within a range of bytes."""
    at, end = within.start, within.stop
    while at + 8 <= end:
        kind, size = struct.unpack_from(f"{order}II", data, at)
        small = kind >> 16  # a small block has its size in the upper half of the kind, and at most 4 bytes
        start = at + 4 if small else at + 8
        kind, size = (kind & 0xFFFF, small) if small else (kind, size)
        if start + size > end or (small and size > 4):
            raise ValueError(
                f"{name} is cut short: a block at byte {at} claims {size:,} bytes, and {end - start:,} are left."
            )
        yield kind, slice(start, start + size)
        at = at + 8 if small else start + size + (0 if kind == COMPRESSED else -size % 8)


def _listed(name: str, data: bytes, within: slice, order: str) -> list[tuple[int, slice]]:
    """Return the blocks within a range of bytes; ValueError if there are more than any file of tasks has."""
    found = list(islice(_blocks(name, data, within, order), MOST_BLOCKS + 1))
    if len(found) > MOST_BLOCKS:
        raise ValueError(
            f"{name} has more than {MOST_BLOCKS:,} blocks in one, where at most {MOST_TASKS:,} tasks are read."
        )
    return found


def _header(name: str, data: bytes, matrix: slice, order: str, what: str) -> tuple[int, int, list[tuple[int, slice]]]:
    """Return the class of a matrix, its number of elements, and its blocks: flags, shape, name, then content."""
    parts = _listed(name, data, matrix, order)
    head = [(kind, block.stop - block.start) for kind, block in parts[:2]]
    if len(parts) < 3 or head != [(6, 8), (5, 8)] or parts[2][0] != 1:
        raise ValueError(f"{name} is damaged: {what} has no outline, or more than rows and columns.")
    flags = struct.unpack_from(f"{order}I", data, parts[0][1].start)[0]
    rows, columns = struct.unpack_from(f"{order}ii", data, parts[1][1].start)
    if min(rows, columns) < 0 or flags & COMPLEX:
        raise ValueError(f"{name} has in {what} something else than plain numbers.")
    return flags & 0xFF, rows * columns, parts


def _variable(name: str, data: bytes, order: str) -> str:
    """Return the name of a variable; raise ValueError if it is wanted but not a cell array of real matrices."""
    names = list(islice(_blocks(name, data, slice(0, len(data)), order), 2, 3))
    variable = data[names[0][1]].decode("latin-1") if names else ""
    if variable not in WANTED:
        return variable
    kind, count, parts = _header(name, data, slice(0, len(data)), order, repr(variable))
    cells = parts[3:]
    if kind != CELL:
        raise ValueError(f"{name} has a {variable!r} that is not a cell array, one cell for each task.")
    if count != len(cells) or any(kind != MATRIX for kind, _ in cells):
        raise ValueError(f"{name} is damaged: {variable!r} claims {count:,} cells, and has {len(cells):,}.")
    if count > MOST_TASKS:
        raise ValueError(f"{name} has {count:,} cells in {variable!r}, where at most {MOST_TASKS:,} tasks are read.")
    total = 0
    for k, (_, cell) in enumerate(cells):
        what = f"cell {k + 1} of {variable!r}"
        kind, count, parts = _header(name, data, cell, order, what)
        if kind not in NUMBERS or len(parts) != 4 or parts[3][0] not in BYTES:
            raise ValueError(f"{name} has in {what} something else than plain numbers.")
        has = (parts[3][1].stop - parts[3][1].start) / BYTES[parts[3][0]]
        if has != count:
            raise ValueError(f"{name} is damaged: {what} claims {count:,} numbers, and has {has:,g}.")
        total += count
        if total > MOST_NUMBERS:
            raise ValueError(f"{name} has {total:,} numbers up to {what}, where at most {MOST_NUMBERS:,} are read.")
    return variable
