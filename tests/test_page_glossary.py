"""The glossary: nothing on the screen is without an entry, and every entry can be linked to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import aklo
from aklo.lab.content import glossary
from aklo.lab.settings.schema import FIELDS
from aklo.schedules import SCHEDULES
from aklo.theory import bounds
from tests.pages import opened

ROOT = Path(__file__).parent.parent
TERMS = glossary.terms()
GREEK = re.compile("[\N{GREEK CAPITAL LETTER ALPHA}-\N{GREEK SMALL LETTER OMEGA}]")


def test_anchors_are_unique_and_are_what_the_browser_makes():
    several = [term.anchor for section in glossary.sections().values() for term in section]
    assert len(set(several)) == len(several)
    for term in TERMS.values():
        assert glossary.slug(term.word) == term.anchor
        assert term.word.isascii()


@pytest.mark.parametrize("word", [*aklo.METHODS, *(kind.__name__ for kind in SCHEDULES.values()), *bounds.STATEMENTS])
def test_methods_schedules_and_statements_have_an_entry_with_a_formula(word):
    assert TERMS[glossary.slug(word)].formula


@pytest.mark.parametrize("name", FIELDS)
def test_every_setting_has_a_glossary_entry(name):
    assert f"| `{name}` |" in glossary.controls()
    if not FIELDS[name].heading:
        assert [term for term in TERMS.values() if name in term.settings], "no entry names this setting"


def test_settings_that_entries_name_exist():
    for term in TERMS.values():
        assert set(term.settings) <= set(FIELDS)


def test_every_greek_letter_on_the_screen_has_an_entry():
    files = [*ROOT.glob("pages/*.py"), *ROOT.glob("aklo/lab/**/*.py"), *ROOT.glob("aklo/lab/**/*.js"), ROOT / "app.py"]
    files += ROOT.glob("assets/lessons/*.md")
    seen = {letter for file in files for letter in GREEK.findall(file.read_text(encoding="utf-8"))}
    known = {symbol for term in TERMS.values() for symbol in term.symbols}
    assert {"α", "λ", "η"} <= seen <= known | {"π"}  # the number needs none


def test_terms_of_the_bounds_and_counter_examples_are_named():
    said = " ".join(term.says for term in TERMS.values()).lower()
    for name in (bounds.EXPERT, bounds.CLASSIFIER, bounds.FINDING, bounds.LEARNING, bounds.LUCK):
        assert name in said
    for title in aklo.CASES:
        assert title.lower().removeprefix("a ") in said


def test_formulas_are_balanced_and_places_in_the_paper_known():
    places = {"", "ours", "problem setting", "experiments", "both algorithms", "Table 1", "Theorem 1; Theorem 2"}
    places |= {*bounds.STATEMENTS, "AKLO with unknown N"}
    for term in TERMS.values():
        assert term.formula.count("{") == term.formula.count("}") and term.formula.count("$") == 0
        assert term.says.endswith(".")
        assert term.paper in places or term.paper.startswith("its algorithm for")


def test_links_are_checked():
    assert glossary.links(["alpha", "theorem-1"]) == "[Alpha](glossary#alpha), [Theorem 1](glossary#theorem-1)"
    with pytest.raises(KeyError):
        glossary.links(["phlogiston"])


def test_page_shows_every_entry():
    at = opened("glossary")
    said = "\n".join(markdown.value for markdown in at.markdown)
    for term in TERMS.values():
        assert f"#### {term.word}\n" in said and f"(#{term.anchor})" in said
        assert term.formula in said
    assert {"Tasks and data", "Error bounds", "Schedules", glossary.CONTROLS} <= {header.value for header in at.header}
