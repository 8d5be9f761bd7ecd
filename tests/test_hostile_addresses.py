"""Addresses that mean no good, on every page: a sentence for each value, never an exception, and nothing unescaped."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from aklo.lab.compute import paper
from aklo.lab.frame.navigation import PAGES
from aklo.lab.server import work_rate
from aklo.lab.session import visible_controls
from aklo.lab.settings.field import MOST_STEPS
from aklo.lab.settings.schema import FIELDS, read_address, waiting_sentence
from aklo.schedules import SCHEDULES, Schedule
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


# ------------------------------------------------------------------------------------------- schedules in an address

RISING = "custom:points=" + "/".join(["1"] + ["0.5", "0"] * 10 + ["0.9"] * 20 + ["0"] * 149)
SCHEDULES_NOT_TO_DRAW = {
    "a step at infinity": {"a": "step:at=inf"},
    "a step beyond all numbers": {"a": "step:at=1e400"},
    "a ramp without end": {"a": "ramp:end=0.5,steps=inf"},
    "a step that no slider shows": {"a": "step:at=1e300"},
    "a curve that rises between the steps looked at": {"a": "custom:points=1" + "/0/1" * 94 + "/0", "N": "1000"},
    "a curve that rises late": {"a": RISING[:399], "N": "1000"},
    "an end below 0 that a short task does not reach": {"a": "linear:end=-0.01", "N": "1000"},
    "a ramp that is kept": {"k": "step:at=3;ramp:end=0.5,steps=inf"},
    "a line break": {"T": "0\n"},
}


@pytest.mark.parametrize("page", PAGES)
def test_addresses_that_cannot_be_drawn_open_a_page_with_a_note(page: str) -> None:
    """All of them on every page; those about the schedule one by one, since an address has one schedule in force."""
    for name, query in SCHEDULES_NOT_TO_DRAW.items():
        at = opened(None if page == "app" else page, **({"T": "4", "N": "8"} | query))
        notes = [text for text in texts(at) if text.startswith(":material/info:")]
        assert len(notes) == 1 and "\n" not in notes[0], name


numbers = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True).map(repr),
    st.floats(0, 1).map(repr),
    st.integers(-5, 1200).map(str),
    st.sampled_from(["1e400", "-0", "1e-320", "nan", "inf", "1_0", " 7 ", "0x1", "٣", "1e6", "0\n"]),
)
points = st.lists(st.one_of(st.floats(0, 1).map(lambda p: f"{p:.2f}"), numbers), min_size=1, max_size=60)
falling = st.lists(st.integers(0, 100), min_size=1, max_size=80).map(
    lambda heights: "/".join(f"{p / 100:g}" for p in sorted(heights, reverse=True))
)


@st.composite
def schedules(draw: st.DrawFn) -> str:
    """The text of a schedule, as a link may have it: right, nearly right, or not at all."""
    name = draw(st.sampled_from([*SCHEDULES, "linear", "custom", "none"]))
    known = SCHEDULES.get(name)
    fields = list(known.__dataclass_fields__) if known else ["end"]
    given = []
    for field in fields:
        value = draw(st.one_of(falling, points.map("/".join)) if field == "points" else numbers)
        given.append(f"{field}={value}")
    return f"{name}:{','.join(given)}" if given else name


def value_of(key: str) -> st.SearchStrategy[str]:
    """Values for a key of an address."""
    field = next((f for f in FIELDS.values() if f.key == key), None)
    anything = st.one_of(st.sampled_from(MARKUP + UNICODE + GIANT), st.text(max_size=30))
    if field is None:
        return anything
    right: st.SearchStrategy[str] = numbers
    if field.kind == "schedule":
        right = schedules()
    elif field.kind == "schedules":
        right = st.lists(schedules(), max_size=6).map(";".join)
    elif field.kind == "choice":
        right = st.sampled_from([field.write(choice) for choice in field.choices])
    return st.one_of(right, right, right, anything)


queries = st.fixed_dictionaries(
    {}, optional={key: value_of(key) for key in KEYS} | {"a": schedules(), "N": numbers, "h": value_of("h")}
)


@pytest.mark.thorough
@settings(max_examples=1500, deadline=None)
@given(queries)
def test_any_address_gives_settings_that_can_be_drawn(query: dict[str, str]) -> None:
    found, notes = read_address(query)
    assert all(note.isprintable() and len(note) < 2000 for note in notes)
    for n in {1, 2, found.n_examples, MOST_STEPS}:
        for schedule in (found.schedule, *map(Schedule.parse, found.kept_schedules)):
            assert len(schedule.values(n)) == n
    # What the lab writes into the address is read as it was, without a note but for the schedule that waits.
    again, said = read_address(found.address())
    assert again == found and said == ([waiting_sentence(found)] if found.alpha_waits else [])


@settings(max_examples=1500, deadline=None)
@given(schedules(), st.integers(1, MOST_STEPS))
def test_schedule_of_a_link_is_one_for_every_length_of_a_task(text: str, n: int) -> None:
    spec, note = FIELDS["alpha"].read(text, "syn1")
    assert (spec is None) == (note is not None)
    if spec is not None:
        alpha = Schedule.parse(spec).values(n)
        assert (alpha[1:] <= alpha[:-1]).all() and alpha[-1] >= 0 and alpha[0] <= 1


@pytest.mark.parametrize("page", PAGES)
@settings(max_examples=15, deadline=None)
@given(query=queries)
def test_any_address_opens_every_page(page: str, query: dict[str, str]) -> None:
    opened(None if page == "app" else page, **query | {"T": "4", "N": "8", "R": "2"})
