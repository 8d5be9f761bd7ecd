"""An extension of griffe, which reads the docstrings: an example at the end of one is a section of its own."""

from __future__ import annotations

import re
from typing import Any

import griffe

# The first line of an example after an empty line, where sections that are underlined stand above it.
EXAMPLE = re.compile(r"\n\n(?=>>> )")
SECTIONS = re.compile(r"^-{3,}$", re.MULTILINE)


class ExamplesSection(griffe.Extension):
    """Give examples that follow a section the heading that numpydoc wants; Python's doctest does without it."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        text = obj.docstring.value if obj.docstring else ""
        found = EXAMPLE.search(text)
        if obj.docstring and found and SECTIONS.search(text[: found.start()]):
            obj.docstring.value = f"{text[: found.start()]}\n\nExamples\n--------\n{text[found.end() :]}"
