"""The texts for teachers: Markdown files that the page and the documentation share.

Their links lead to a lab on this computer, http://localhost:8501, so that they work wherever the files are read. On the
page they lead to the lab that shows it.

The plan is a list of steps, each with a heading such as `### 5 min: The game`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from aklo.location import lab_folder

FOLDER = lab_folder() / "assets" / "teachers"
LAB = "http://localhost:8501/"  # what the links in the files begin with
COMMENT = re.compile(r"^<!--.*?-->\n", re.MULTILINE)
COMMANDS = re.compile(r"^```sh\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"^### (\d+) min: (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Step:
    """A step of the plan. begins, ends: minutes from the start; text: Markdown."""

    begins: int
    ends: int
    title: str
    text: str


def text(name: str) -> str:
    """Return a text as Markdown, with links relative to a page of the lab, and without comments. name: of its file."""
    return COMMENT.sub("", _read(name)).replace(f"]({LAB}", "](")


def commands(name: str) -> list[tuple[str, str]]:
    """Return a text in pieces, each with the commands for a shell that follow it; the last may have none."""
    pieces = [*COMMANDS.split(text(name)), ""]
    return list(zip(pieces[::2], pieces[1::2], strict=True))


def plan() -> list[Step]:
    """Return the steps of the plan, in order."""
    _, *parts = STEP.split(text("plan"))
    steps: list[Step] = []
    for minutes, title, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        begins = steps[-1].ends if steps else 0
        steps.append(Step(begins, begins + int(minutes), title.strip(), body.strip()))
    return steps


def links(name: str) -> list[str]:
    """Return the links of a text to pages of the lab, such as "watch?v=2&t=3"."""
    return re.findall(rf"\]\({re.escape(LAB)}(.*?)\)", _read(name))


def _read(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")
