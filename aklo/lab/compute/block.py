"""Blocks of bytes: how arrays travel to the browser, where `components/shared/block.js` reads them.

A block is a length (4 bytes), a header (JSON) and arrays, each at a multiple of 8 bytes, little-endian.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np


def write_block(
    header: Mapping[str, Any], arrays: Mapping[str, np.ndarray], *, beside: Mapping[str, Any] | None = None
) -> bytes:
    """Return a header and arrays as one block.

    The header gets a field `digest`, by which the browser knows whether the data has changed. beside: header fields
    that are not part of the digest.
    """
    pieces: list[bytes] = []
    table: dict[str, list] = {}
    at = 0
    for name, array in arrays.items():
        data = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).tobytes()
        data += bytes(-len(data) % 8)
        table[name] = [array.dtype.name, at, array.size]
        pieces.append(data)
        at += len(data)
    body = b"".join(pieces)
    whole = {**header, "arrays": table}
    digest = hashlib.blake2b(json.dumps(whole).encode() + body, digest_size=8).hexdigest()
    head = json.dumps(
        whole | dict(beside or {}) | {"digest": digest}, separators=(",", ":"), ensure_ascii=False
    ).encode()
    head += b" " * ((4 - len(head)) % 8)  # padding, so that the arrays start at a multiple of 8
    return len(head).to_bytes(4, "little") + head + body


def read_header(block: bytes) -> dict[str, Any]:
    """Return the header of a block."""
    return json.loads(block[4 : 4 + int.from_bytes(block[:4], "little")])
