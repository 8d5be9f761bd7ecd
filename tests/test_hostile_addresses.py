"""Addresses that mean no good, on every page: a sentence for each value, never an exception, and nothing unescaped."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from aklo.lab.compute import paper
from aklo.lab.frame.navigation import PAGES
from aklo.lab.server import work_rate
from aklo.lab.session import visible_controls
from aklo.lab.settings.schema import FIELDS
from tests.pages import opened

KEYS = [f.key for f in FIELDS.values()] + ["v", visible_controls.KEY, "lesson"]
SMALL = {"T": "4", "N": "8"}

MARKUP = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[click](javascript:alert(1))",
    "![seen](https://example.invalid/seen.png)",
    "https://example.invalid/ :material/face: :red[red] $x^2$ `code` **bold**",
    "'; drop table tasks; --",
    "{{7*7}} ${7*7} %s %(x)s {0}",
]
UNICODE = [
    "\x00",
    "a\x00b",
    "\u202eabc",
    "\U0001f600" * 50,
    "e" + "\u0301" * 200,
    "\ufeff1",
    "\u0661\u0662",
    "\u2028\n\r\t",
    "１２",
]
GIANT = ["9" * 300, "1e308", "-1e400", "nan", "inf", "9" * 2_000, "custom:points=" + "1/" * 500, "power;" * 300]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper, "jobs", list)
    monkeypatch.setattr(work_rate, "rate", lambda kind, guess: guess)


def addresses() -> dict[str, dict[str, str]]:
    """Name -> an address; each sort of values is dealt to the keys in turn, from different starts."""
    found: dict[str, dict[str, str]] = {}
    for name, values in {"markup": MARKUP, "unicode": UNICODE, "giant": GIANT}.items():
        found[name] = {key: values[i % len(values)] for i, key in enumerate(KEYS)}
        found[f"{name} as text"] = {key: values[i % len(values)] for i, key in enumerate(reversed(KEYS))} | {
            "d": "syn1"
        }
    found["hundreds of keys"] = {f"k{i}<b>": "x" * 20 for i in range(900)} | SMALL
    found["thousands of keys"] = {f"k{i}<b>": "x" * 20 for i in range(5000)} | SMALL  # Streamlit drops it whole
    return found


def texts(at: AppTest) -> list[str]:
    """All that is drawn as Markdown, which takes HTML for text unless it is told not to."""
    drawn = [*at.markdown, *at.caption, *at.info, *at.warning, *at.error, *at.success, *at.title, *at.subheader]
    assert not any(getattr(element.proto, "allow_html", False) for element in drawn)
    return [element.value for element in drawn]


def dealt() -> list[tuple[str, str]]:
    """Every page with some of the addresses, in turn: it is one door, and each page opens it in its own way."""
    names = list(addresses())
    return [(page, names[(3 * i + k) % len(names)]) for i, page in enumerate(PAGES) for k in range(3)]


@pytest.mark.parametrize(("page", "name"), dealt())
def test_hostile_address_gets_notes_and_nothing_unescaped(page: str, name: str) -> None:
    at = opened(None if page == "app" else page, **addresses()[name])
    said = texts(at)
    # Nothing of it is Markdown: every mark that came from outside stands behind a backslash.
    for mark in (r"<script", r"<img", r"\[click\]", r"!\[seen", r":material/face", r"\*\*bold"):
        assert not [text for text in said if re.search(rf"(?<!\\){mark}", text)], mark
    notes = [text for text in said if text.startswith(":material/info:")]
    assert all(len(text) < 2000 and "\n" not in text and text.rstrip().endswith((".", r"\.")) for text in notes), notes
    assert bool(notes) == ("keys" not in name)
    # What is left is an address of the lab's own, with nothing of the other.
    wanted = at.session_state["settings"].address()
    left = {key: text for key, text in at.query_params.items() if key not in ("lesson", visible_controls.KEY)}
    # The glossary has anchors, and writes no address where it was told of none.
    assert left == wanted or (page, name) == ("glossary", "thousands of keys")
