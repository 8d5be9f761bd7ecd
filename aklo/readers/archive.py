"""Read a file, a folder, a .zip or uploaded bytes into memory, within limits of size and number.

Nothing is written to disk or executed, and a compressed file is not unpacked beyond the limit.
"""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias

from aklo.readers.collection import quoted

MOST_BYTES = 256 * 2**20  # of all files together, uncompressed
MOST_FILES = 1000
MOST_ENTRIES = 20 * MOST_FILES  # of an archive, with those that are not read

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # the first bytes of .xls
EXCEL = "an Excel workbook"
# A file within an archive that tells what the archive is.
WORKBOOKS = {"xl/workbook.xml": EXCEL, "xl/workbook.bin": EXCEL, "content.xml": "an OpenDocument file"}
WORKBOOK = "{name} is {kind}, which is not read here: save the sheet as CSV and bring that."

Source: TypeAlias = "str | os.PathLike[str] | bytes | Sequence[tuple[str, bytes]]"
File = tuple[str, bytes]


def contents(source: Source, endings: Sequence[str] = ()) -> tuple[list[File], list[str]]:
    """Read the files of a source.

    Parameters
    ----------
    source
        A path to a file, a folder or a .zip; the bytes of one file; or pairs (name, bytes).
    endings
        Extensions such as (".tf",) of the files to read from a folder or a .zip. Single files are always read.

    Returns
    -------
    The files as pairs (name, bytes), sorted by name, and a list with a note about files that were skipped, if any.
    """
    if isinstance(source, bytes):
        return _unzipped([("the file", source)], endings)
    if not isinstance(source, (str, os.PathLike)):
        return _unzipped([(str(name), bytes(data)) for name, data in source], endings)
    path = Path(source)
    try:
        if path.is_dir():
            within = sorted(p for p in path.iterdir() if p.is_file())
            paths = [p for p in within if p.suffix.lower() in endings]
            if not paths:
                raise ValueError(f"The folder {path.name!r} has no files that end in {' or '.join(endings)}.")
            check_size(sum(p.stat().st_size for p in paths), f"the folder {path.name!r}")
            return [(p.name, p.read_bytes()) for p in paths], _note_skipped([p.name for p in within if p not in paths])
        check_size(path.stat().st_size, path.name)
        return _unzipped([(path.name, path.read_bytes())], endings)
    except OSError as error:
        raise ValueError(f"{quoted(source)} cannot be read: {(error.strerror or str(error)).lower()}.") from None


def check_size(size: int, what: str) -> None:
    """Raise ValueError if the size is 0 or above MOST_BYTES."""
    if size == 0:
        raise ValueError(f"{what} is empty.")
    if size > MOST_BYTES:
        raise ValueError(f"{what} has {size / 2**20:,.0f} MB unpacked, where at most {MOST_BYTES >> 20} MB are read.")


def _unzipped(files: list[File], endings: Sequence[str]) -> tuple[list[File], list[str]]:
    """Replace each .zip by the files in it."""
    found: list[File] = []
    notes: list[str] = []
    for name, data in files:
        check_size(len(data), name)
        if data.startswith(OLE):
            raise ValueError(WORKBOOK.format(name=name, kind="an old Excel workbook or another Office file"))
        if data[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
            inner, more = _from_zip(name, data, endings)
            found, notes = found + inner, notes + more
        else:
            found.append((name, data))
    check_size(sum(len(data) for _, data in found), files[0][0] if len(files) == 1 else f"{len(files)} files")
    return sorted(found, key=lambda file: file[0]), notes


def _from_zip(name: str, data: bytes, endings: Sequence[str]) -> tuple[list[File], list[str]]:
    claimed = data.count(b"PK\x01\x02")  # entries of its directory, which zipfile reads as a whole
    if claimed > MOST_ENTRIES:
        raise ValueError(f"{name} has {claimed:,} files, where at most {MOST_FILES:,} are read.")
    archive = _read_zip(name, lambda: zipfile.ZipFile(io.BytesIO(data)))
    members = _read_zip(name, lambda: [m for m in archive.infolist() if not m.is_dir()])
    for member in members:
        if member.filename in WORKBOOKS:
            raise ValueError(WORKBOOK.format(name=name, kind=WORKBOOKS[member.filename]))
        _check_member(name, member)
    wanted = [m for m in members if PurePosixPath(m.filename).suffix.lower() in endings]
    wanted = [m for m in wanted if not PurePosixPath(m.filename).name.startswith("._")]  # added by macOS
    if not wanted:
        raise ValueError(f"{name} has no files that end in {' or '.join(endings)}.")
    if len(wanted) > MOST_FILES:
        raise ValueError(f"{name} has {len(wanted):,} files, where at most {MOST_FILES:,} are read.")
    check_size(sum(m.file_size for m in wanted), name)
    files: list[File] = []
    used = 0
    for member in wanted:
        # The size in the directory may be wrong, so the number of bytes read is limited.
        inner = _read_zip(name, partial(_first_bytes, archive, member, MOST_BYTES - used + 1))
        used += len(inner)
        check_size(used, name)
        files.append((PurePosixPath(member.filename).name, inner))
    return files, _note_skipped([m.filename for m in members if m not in wanted])


def _first_bytes(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes:
    with archive.open(member) as packed:
        return packed.read(most)


def _read_zip(name: str, call: Callable[[], Any]) -> Any:
    try:
        return call()
    except MemoryError:
        raise
    except Exception as error:  # zipfile raises many kinds of errors on damaged files
        raise ValueError(f"{name} is not a .zip that can be read ({type(error).__name__}).") from None


def _check_member(name: str, member: zipfile.ZipInfo) -> None:
    """Raise ValueError for unsafe paths, encryption and unusual compression."""
    path = PurePosixPath(member.filename.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in member.filename:
        raise ValueError(f"{name} has the path {quoted(member.filename)}, which leads outside.")
    if member.flag_bits & 1:
        raise ValueError(f"{name} is locked with a password: pack it without one.")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{name} is packed in an unusual way: pack it as a plain .zip (deflate).")


def _note_skipped(names: Sequence[str]) -> list[str]:
    if not names:
        return []
    first = ", ".join(quoted(name) for name in names[:3]) + (" and more" if len(names) > 3 else "")
    return [f"Left out, since not of the kind that is read here: {first}."]
