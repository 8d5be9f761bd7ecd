"""The one table of settings: what a link carries comes back, and what it should not carry is dropped with a note."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aklo.lab.settings.presets import PRESETS
from aklo.lab.settings.schema import FIELDS, MOST_KEPT, Settings, default, read_address
from aklo.schedules import SCHEDULES


def values(name: str) -> st.SearchStrategy:
    f = FIELDS[name]
    if f.kind == "choice":
        return st.sampled_from(f.choices)
    schedules = st.sampled_from([kind().spec for kind in SCHEDULES.values()])
    if f.kind == "schedule":
        return schedules
    if f.kind == "schedules":
        return st.lists(schedules, max_size=MOST_KEPT, unique=True).map(lambda specs: ";".join(specs) or "none")
    if f.kind == "flag":
        return st.booleans()
    return (
        st.integers(int(f.low), int(f.high))
        if f.kind == "whole"
        else st.floats(f.low, f.high).map(lambda x: round(x, 6))
    )


legal = st.fixed_dictionaries({name: values(name) for name in FIELDS}).map(lambda words: Settings().change(**words))


@given(legal)
def test_an_address_brings_back_the_settings(given_settings):
    found, notes = read_address(given_settings.address())
    unheard = {
        name: default(name, found.dataset) for name, f in FIELDS.items() if given_settings.dataset not in f.datasets
    }
    assert found == dataclasses.replace(given_settings, **unheard).change()
    assert notes == []


@given(st.dictionaries(st.sampled_from([f.key for f in FIELDS.values()] + ["v", "x"]), st.text(max_size=600)))
def test_any_address_is_answered(query):
    found, notes = read_address(query)
    assert read_address(found.address()) == (found, [])
    assert all(isinstance(note, str) and "\n" not in note for note in notes)
    assert 0 <= found.task < found.n_tasks


@pytest.mark.parametrize("name", list(PRESETS))
def test_presets_are_links(name):
    assert read_address(PRESETS[name].address()) == (PRESETS[name], [])


def test_out_of_range_is_clamped_with_a_note():
    found, notes = read_address({"N": "5000", "d": "digits", "an": "-3"})
    assert found.n_examples == 340
    assert notes[0] == "Examples in a task: 5000 was outside 1 to 340."


def test_an_impossible_pair_falls_back():
    found, notes = read_address({"a": "linear:end=0.5", "h": "unknown"})
    assert found.alpha == "power:k=0.5"
    assert notes == ["Linear needs a known horizon: Power is shown instead."]


def test_a_new_dataset_brings_its_own_defaults():
    turned = Settings().change(n_examples=70).change(dataset="conflict")
    assert (turned.mean1_x, turned.lam, turned.n_examples) == (0.0, 0.1, 70)


def test_every_field_has_words_and_a_key_of_its_own():
    keys = [f.key for f in FIELDS.values()]
    assert len(set(keys)) == len(keys) and "v" not in keys
    for f in FIELDS.values():
        assert f.help.endswith((".", "…")) and f.label


def test_kept_schedules_are_checked_one_by_one():
    found, notes = read_address({"k": "constant:value=0.5;power:k=1;constant:value=0.5"})
    assert (found.kept_schedules, notes) == (("constant:value=0.5", "power:k=1"), [])
    found, notes = read_address({"k": "power;linear;step;cosine;constant"})
    assert len(found.kept_schedules) == MOST_KEPT and notes == ["Compared: at most 4 are kept."]
    for bad in ("power:k=1;linear:end=7", "", ";", "custom:points=" + "1/" * 300, "power;import os"):
        found, notes = read_address({"k": bad})
        assert found.kept == Settings().kept and len(notes) == 1
    assert read_address({"k": "none"})[0].kept_schedules == ()


def test_a_flag_is_0_or_1():
    assert read_address({"fo": "1", "ex": "0"}) == (Settings().change(follow=True), [])
    found, notes = read_address({"ex": "yes"})
    assert not found.expected and notes == ["Without the luck of the draw: 'yes' is neither 0 nor 1."]
