"""The one table of settings: what a link carries comes back, and what it should not carry is dropped with a note."""

import dataclasses
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aklo.lab.settings.field import MOST_KEPT, challengers
from aklo.lab.settings.presets import PRESETS
from aklo.lab.settings.schema import (
    FIELDS,
    STAND_IN,
    TASKS_ON_A_PAGE,
    Settings,
    default,
    read_address,
    read_strictly,
    waiting_sentence,
)
from aklo.rules import METHODS, RULES
from aklo.schedules import SCHEDULES, Power, Step


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
    if f.kind == "method":
        return st.sampled_from(list(RULES))
    if f.kind == "challengers":
        return st.lists(st.sampled_from(challengers()), unique=True).map(tuple)
    return (
        st.integers(int(f.low), int(f.high))
        if f.kind == "whole"
        else st.floats(f.low, f.high).map(lambda x: round(x, 6))
    )


legal = st.fixed_dictionaries({name: values(name) for name in FIELDS}).map(lambda words: Settings().change(**words))


def notes_on(settings: Settings) -> list[str]:
    """The notes on a link that the lab wrote itself: none, but that a schedule waits."""
    return [waiting_sentence(settings)] if settings.alpha_waits else []


@given(legal)
def test_address_gives_the_same_settings_back_without_notes(given_settings):
    found, notes = read_address(given_settings.address())
    meaningless = {
        name: default(name, found.dataset) for name, f in FIELDS.items() if given_settings.dataset not in f.datasets
    }
    assert found == dataclasses.replace(given_settings, **meaningless).change()
    assert notes == notes_on(found)


@given(legal, st.sampled_from([*FIELDS]), st.data())
def test_change_gives_values_in_range_of_the_right_type(given_settings, name, data):
    value = data.draw(values(name))
    changed = given_settings.change(**{name: value})
    for field in dataclasses.fields(Settings):
        assert type(getattr(changed, field.name)) is type(field.default), field.name
    assert 0 <= changed.task < changed.n_tasks and 1 <= changed.step <= changed.n_examples
    assert changed.tasks_page <= -(-changed.n_tasks // TASKS_ON_A_PAGE)
    assert changed.told or changed.guess
    assert changed.change() == changed


@given(st.dictionaries(st.sampled_from([f.key for f in FIELDS.values()] + ["v", "x"]), st.text(max_size=600)))
def test_any_address_gives_settings_and_notes(query):
    found, notes = read_address(query)
    assert read_address(found.address()) == (found, notes_on(found))
    assert all(isinstance(note, str) and "\n" not in note for note in notes)
    assert 0 <= found.task < found.n_tasks


@pytest.mark.parametrize("name", list(PRESETS))
def test_address_of_a_preset_gives_it_back(name):
    assert read_address(PRESETS[name].address()) == (PRESETS[name], [])


def test_out_of_range_is_clamped_with_a_note():
    found, notes = read_address({"N": "5000", "d": "digits", "an": "-3"})
    assert found.n_examples == 340
    assert notes[0] == "Examples in a task: 5000 was outside 1 to 340: 340 is used instead."


@pytest.mark.parametrize(
    ("query", "name", "value", "note"),
    [
        ({"T": "10.5"}, "n_tasks", 10, "Tasks: 10.5 is not a whole number: 10 is used instead."),
        ({"T": "0.5"}, "n_tasks", 1, "Tasks: 0.5 was outside 1 to 200: 1 is used instead."),
        ({"T": "abc"}, "n_tasks", 50, "Tasks: 'abc' is not a number: 50 is used instead."),
        ({"T": "nan"}, "n_tasks", 50, "Tasks: 'nan' is not a number: 50 is used instead."),
        ({"ex": "yes"}, "expected", False, "'yes' is neither 0 nor 1: 0 is used instead."),
        (
            {"d": "syn9"}, "dataset", "syn1",
            "Dataset: 'syn9' is not one of the choices (syn1, syn2, conflict, digits, own): syn1 is used instead.",
        ),
        ({"l": "2"}, "lam", 0.001, ", 0.01, 0.1, 1, 10, 100, 1000): 0.001 is used instead."),
        ({"m": "Oracle"}, "method", "AKLO Sum", "; AdaHedge"),
        ({"m": "Oracle"}, "method", "AKLO Sum", "): AKLO Sum is used instead."),
        ({"a": "linear:end=7"}, "alpha", Settings().alpha, ": linear:end=0.5 is used instead."),
    ],
)  # fmt: skip
def test_note_says_what_a_value_can_be_and_what_is_used_instead(query, name, value, note):
    found, notes = read_address(query)
    assert getattr(found, name) == value and len(notes) == 1 and note in notes[0]
    with pytest.raises(ValueError, match=re.escape(notes[0].rpartition(": ")[0])) as fault:
        read_strictly(query)
    assert "instead" not in str(fault.value)


def test_schedule_that_needs_the_horizon_waits_while_it_is_unknown():
    found, notes = read_address({"a": "linear:end=0.5", "h": "unknown"})
    assert found.schedule == Power(0.5) and found.alpha == "linear:end=0.5" and found.alpha_waits
    assert notes == [
        "Linear, final α 0.5 needs the number of examples N, which is unknown here, so it waits for a known horizon; "
        "Power, exponent k 0.5 is used instead."
    ]


@pytest.mark.parametrize("alpha", ["custom:points=1/0.6/0.2/0", "linear:end=0.5", "cosine"])
def test_known_horizon_brings_the_waiting_schedule_back(alpha):
    chosen = Settings().change(alpha=alpha)
    unknown = chosen.change(horizon="unknown")
    assert unknown.schedule == STAND_IN
    assert unknown.change(seed=3, n_examples=40).change(horizon="known").schedule == chosen.schedule
    runs_without = chosen.change(alpha="step:at=9", horizon="unknown")
    assert not runs_without.alpha_waits and runs_without.schedule == Step(9)


def test_new_task_or_dataset_starts_the_player_at_the_first_step():
    at_step = Settings().change(step=40, guess=True, told=False)
    assert (at_step.step, at_step.told) == (40, False)
    for change in ({"task": 3}, {"dataset": "syn2"}, {"n_tasks": 5}, {"n_examples": 20}):
        assert (at_step.change(**change).step, at_step.change(**change).told) == (1, True), change
    for change in ({"alpha": "power:k=1"}, {"clip": "advice"}, {"method": "TOL"}, {"n_tasks": 49}):
        assert at_step.change(**change).step == 40, change
    assert at_step.change(task=3, step=7).step == 7
    assert Settings().change(case_step=9).change(case="The last stretch").case_step == 1


def test_new_dataset_brings_its_own_defaults():
    turned = Settings().change(n_examples=70).change(dataset="conflict")
    assert (turned.mean1_x, turned.lam, turned.n_examples) == (0.0, 0.1, 70)


def test_every_field_has_help_and_a_unique_key():
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


def test_challengers_are_in_the_order_of_the_rules_and_unknown_ones_are_dropped_with_a_note():
    assert Settings().methods == METHODS and "ch" not in Settings().address()
    found, notes = read_address({"ch": "AdaHedge;One pool;AKLO, rate 1/2"})
    assert found.challengers == ("One pool", "AKLO, rate 1/2", "AdaHedge") and notes == []
    assert found.methods == (*METHODS, *found.challengers)
    found, notes = read_address({"ch": "AdaHedge;Two pools;ITOL"})
    assert found.challengers == ("AdaHedge",)
    assert len(notes) == 1
    start = "Challengers: 'Two pools', 'ITOL' are none of the choices (One pool; "
    assert notes[0].startswith(start) and notes[0].endswith(").")
    assert read_address({"ch": ""}) == (Settings(), [])


def test_method_that_is_not_shown_falls_back_to_aklo_sum_with_a_note():
    shown = Settings().change(challengers=("One pool",), method="One pool")
    assert read_address(shown.address()) == (shown, [])
    assert shown.change(challengers=()).method == "AKLO Sum"
    assert shown.change(challengers=("One pool", "AdaHedge")).method == "One pool"
    found, notes = read_address({"m": "One pool"})
    assert found == Settings()
    assert notes == ["One pool is not among the challengers of this link: AKLO Sum is shown instead."]


def test_flag_is_read_from_0_or_1():
    assert read_address({"fo": "1", "ex": "0"}) == (Settings().change(follow=True), [])
    found, notes = read_address({"ex": "yes"})
    assert not found.expected and notes == [
        "Expected error without sampling noise: 'yes' is neither 0 nor 1: 0 is used instead."
    ]
