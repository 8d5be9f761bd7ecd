"""A hook of mkdocs that turns formulas into MathML, which browsers draw by themselves."""

from __future__ import annotations

import html
import re
from typing import Any

from latex2mathml.converter import convert

# What pymdownx.arithmatex makes of $…$ and of $$…$$.
INLINE = re.compile(r'<span class="arithmatex">\\\((.*?)\\\)</span>', re.DOTALL)
BLOCK = re.compile(r'<div class="arithmatex">\\\[(.*?)\\\]</div>', re.DOTALL)


def on_page_content(content: str, **_: Any) -> str:
    """Replace the formulas of a page."""
    content = BLOCK.sub(lambda found: convert(html.unescape(found[1]).strip(), display="block"), content)
    return INLINE.sub(lambda found: convert(html.unescape(found[1]).strip()), content)
