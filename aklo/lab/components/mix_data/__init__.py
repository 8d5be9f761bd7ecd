"""Hands a stream to the browser, once: the pictures that mix it find it there by its digest.

Streamlit sends a component's data again whenever a byte of it differs. A stream is large and its picture's settings
change all the time, so the stream has a component of its own, which is sent again only when the stream is another one.
"""

from __future__ import annotations

from aklo.lab.components.registry import Component
from aklo.lab.compute.block import read_header

MIX_DATA = Component("aklo_mix_data", "mix_data/mix_data.js", html="<span></span>")


def mix_data(block: bytes, *, key: str) -> str:
    """Send a block of compute/mix_data.py, and return its digest."""
    MIX_DATA(key=key, data=block)
    return str(read_header(block)["digest"])
