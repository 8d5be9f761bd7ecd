"""What the lab has sent or exported, read as its receiver does."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import numpy as np

from aklo.lab.compute.block import read_header
from aklo.lab.settings.schema import Settings, read_address


def read_block(block: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The header and the flat arrays of a block, as the browser reads them."""
    header, start = read_header(block), 4 + int.from_bytes(block[:4], "little")
    arrays = {
        name: np.frombuffer(block, np.dtype(kind).newbyteorder("<"), count, start + at)
        for name, (kind, at, count) in header["arrays"].items()
    }
    return header, arrays


def read_settings(text: str) -> tuple[Settings, list[str]]:
    """The settings of an exported file, by the link in it, and notes on changed values."""
    return read_address(dict(parse_qsl(urlsplit(json.loads(text)["link"]).query)))
