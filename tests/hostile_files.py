"""Files that are small to send and dear to read: what a server has to survive."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable

MB = 2**20
Files = list[tuple[str, bytes]]


def mat_bomb(size: int) -> Files:
    """A .mat file with one packed block of zeros, which reads as size / 8 empty blocks."""
    header = b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM"
    packed = _repeated(b"\0", size)
    return [("bomb.mat", header + struct.pack("<II", 15, len(packed)) + packed)]


def zip_bomb(size: int, name: str = "T1.txt", text: bytes = b"1 ") -> Files:
    """A .zip with one file that repeats a text."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive, archive.open(name, "w") as member:
        block = text * (MB // len(text))
        for _ in range(size // MB):
            member.write(block)
    return [("bomb.zip", buffer.getvalue())]


def many_entries(n: int) -> Files:
    """A .zip of so many empty files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for k in range(n):
            archive.writestr(f"{k}.tf", b"")
    return [("many.zip", buffer.getvalue())]


def newlines(size: int) -> Files:
    return [("newlines.csv", b"\n" * size)]


def one_line(size: int) -> Files:
    return [("line.csv", b"1," * (size // 2))]


def quoted_lines(size: int) -> Files:
    """A table whose only row has a line end in every cell."""
    return [("quoted.csv", b'task,y,x\n"' + b'\n","' * (size // 4))]


def blank_cells(size: int) -> Files:
    return [("blank.csv", b"task,y,x\n" + b",,\n" * (size // 3))]


def gaps(size: int) -> Files:
    """A table with a gap in every row; such rows can be left out."""
    return [("gaps.csv", b"task,y,x\n" + b"a,1,\n" * (size // 5))]


def eight(size: int) -> Files:
    """Eight files at once."""
    return [(f"inbox{k}.tf", (b"1 1:1\n" * (size // 8 // 6 + 1))[: size // 8]) for k in range(8)]


def _repeated(byte: bytes, size: int) -> bytes:
    packer = zlib.compressobj(9)
    return b"".join([packer.compress(byte * MB) for _ in range(size // MB)]) + packer.flush()


# Name -> the files, given their size, in bytes: unpacked if they are packed.
UNPACKED: dict[str, Callable[[int], Files]] = {
    "zeros in a .mat": mat_bomb,
    "one row in a .zip": zip_bomb,
    "short rows in a .zip": lambda size: zip_bomb(size, text=b"1\n"),
    "counts in a .zip": lambda size: zip_bomb(size, "a.tf", b"1 1:1\n"),
    "blank lines in a .zip": lambda size: zip_bomb(size, "a.tf", b"\n"),
}
PLAIN: dict[str, Callable[[int], Files]] = {
    "newlines": newlines,
    "one line": one_line,
    "quoted lines": quoted_lines,
    "blank cells": blank_cells,
    "gaps": gaps,
}
