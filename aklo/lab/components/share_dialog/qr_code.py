"""A QR code as a picture that a browser can show."""

from __future__ import annotations

from functools import lru_cache

import segno


@lru_cache(maxsize=64)
def qr_code(text: str) -> str | None:
    """Return the QR code of a text as the address of an SVG picture (`data:image/svg+xml,…`); None if it is too long.

    The picture brings its white ground and the margin of four modules that the standard asks for, so that cameras read
    it in the dark theme as well. The least error correction makes the largest modules; segno takes more where that
    costs nothing.
    """
    try:
        code = segno.make_qr(text, error="l")
    except segno.DataOverflowError:
        return None
    return code.svg_data_uri(border=4, dark="#000", light="#fff", omitsize=True, svgclass=None, lineclass=None)
