"""Links of earlier versions open the picture that they were copied from, though the defaults are others now."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aklo
from aklo.lab.export import menu
from aklo.lab.session import uploads
from aklo.lab.settings.schema import FIELDS, OLD_DEFAULTS, VERSION, Settings, default, read_address, waiting_sentence
from tests.pages import opened, told
from tests.sent import read_block, read_settings
from tests.test_settings import legal, values

# The settings of version 1, written down: name -> key in the address, default, and the defaults of single datasets.
KEPT = "linear:end=0;linear:end=0.5;exponential:half_life=20;step:at=30"
VERSION_1: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "dataset": ("d", "syn1", {}),
    "n_tasks": ("T", 50, {"digits": 20}),
    "n_examples": ("N", 100, {}),
    "share": ("sh", 0.5, {}),
    "order": ("o", "shuffled", {}),
    "angle": ("an", 90.0, {}),
    "spread": ("sp", 1.0, {}),
    "sd": ("e", 0.001, {}),
    "mean1_x": ("ax", 10.0, {"conflict": 0.0}),
    "mean1_y": ("ay", 10.0, {"conflict": 0.0}),
    "mean2_x": ("bx", 20.0, {}),
    "mean2_y": ("by", 5.0, {}),
    "vector1_x": ("vx", -1.0, {}),
    "vector1_y": ("vy", 1.0, {}),
    "vector2_x": ("wx", -0.25, {}),
    "vector2_y": ("wy", 1.0, {}),
    "seed": ("s", 0, {}),
    "lam": ("l", 0.001, {"conflict": 0.1, "digits": 0.1, "own": 0.1}),
    "clip": ("c", "sum", {}),
    "horizon": ("h", "known", {}),
    "alpha": ("a", "linear:end=0", {}),
    "task": ("t", 12, {}),
    "method": ("m", "AKLO Sum", {}),
    "repetitions": ("R", 10, {}),
    "follow": ("fo", False, {}),
    "expected": ("ex", False, {}),
    "step": ("i", 1, {}),
    "told": ("b", True, {}),
    "wide": ("w", False, {}),
    "guess": ("g", False, {}),
    "case_step": ("ci", 1, {}),
    "reference": ("cw", "ITOL", {}),
    "tasks_page": ("tp", 1, {}),
    "figure_reading": ("fr", "as tabulated", {}),
    "raced": ("at", 0, {}),
    "kept": ("k", KEPT, {}),
    "race_part": ("pr", "After each task", {}),
    "alpha_part": ("pa", "In numbers", {}),  # the part that was the default is in the page's picture now
    "tasks_part": ("pt", "Task by task", {}),
    "theory_part": ("po", "On your task", {}),
    "statement": ("st", "Theorem 1", {}),
    "radius": ("r", 0.5, {}),
    "delta": ("de", 0.05, {}),
    "gamma": ("ga", 0.5, {}),
    "stated_rate": ("sl", False, {}),
    "case": ("ca", "A loud liar", {}),
    "loudness": ("lb", 6, {}),
    "liar_n": ("ln", 100, {}),
    "case_clip": ("lc", "sum", {}),
    "mended_on": ("me", "Your task", {}),
}
# Choices that had other names then: setting -> name now -> name then.
OLD_NAMES: dict[str, dict[str, str]] = {
    "theory_part": {"On your task": "On your stream", "Counterexamples": "The broken promise",
                    "Bounds that hold": "The mended promise"},
    "mended_on": {"Your task": "Your stream"},
}  # fmt: skip
DATASETS = ("syn1", "syn2", "conflict", "digits", "own")
PRINTED = {"lam": 1e-3, "alpha": aklo.Linear(end=0.0), "clip": "sum"}  # what version 1 showed unless told otherwise


def meant(name: str, dataset: str) -> Any:
    """The value that a link of version 1 means where it leaves a setting out."""
    _, usual, own = VERSION_1[name]
    return own.get(dataset, usual)


def link(chosen: Settings) -> dict[str, str]:
    """The address as version 1 wrote it: version, dataset, seed, and what was not a default then."""
    found = {"v": "1"}
    for name, (key, _, _) in VERSION_1.items():
        value = getattr(chosen, name)
        told = chosen.dataset in FIELDS[name].datasets
        if told and (name in ("dataset", "seed") or value != meant(name, chosen.dataset)):
            value = OLD_NAMES.get(name, {}).get(value, value)
            found[key] = value if isinstance(value, str) else f"{value:.12g}"
    return found


def _as_told(chosen: Settings) -> Settings:
    """The settings without what has no meaning for their dataset, which no link tells."""
    unused = [name for name in VERSION_1 if chosen.dataset not in FIELDS[name].datasets]
    later = {name: default(name, chosen.dataset) for name in FIELDS if name not in VERSION_1}
    return dataclasses.replace(chosen, **{name: meant(name, chosen.dataset) for name in unused}, **later).change()


@pytest.mark.parametrize("dataset", DATASETS)
def test_what_an_old_link_leaves_out_is_what_it_meant_then(dataset: str):
    found, notes = read_address({"v": "1", "d": dataset})
    assert notes == []
    for name in VERSION_1:
        if name != "dataset":
            assert getattr(found, name) == meant(name, dataset), name


@pytest.mark.parametrize("name", VERSION_1)
@given(st.sampled_from(DATASETS), st.data())
@settings(max_examples=10)
def test_an_old_link_with_one_setting_of_its_own(name: str, dataset: str, data: st.DataObject):
    """Each field by itself, beside the old defaults of all others."""
    bare, _ = read_address({"v": "1", "d": dataset})
    chosen = bare.change(**{name: data.draw(values(name))})
    assert read_address(link(chosen))[0] == _as_told(chosen)


@given(legal)
def test_any_old_link_opens_the_settings_that_it_was_made_of(chosen: Settings):
    chosen = chosen.change(challengers=())  # there were none then
    found, notes = read_address(link(chosen))
    assert found == _as_told(chosen)
    assert notes == ([waiting_sentence(found)] if found.alpha_waits else [])
    now = found.address()  # the lab goes on with an address of its own version
    assert now["v"] == str(VERSION) and read_address(now)[0].address() == now


@given(st.sampled_from(DATASETS), st.sampled_from([*OLD_DEFAULTS["1"]]))
def test_old_and_new_defaults_differ_only_as_listed(dataset: str, name: str):
    assert {other for other in VERSION_1 if meant(other, dataset) != default(other, dataset)} == set(OLD_DEFAULTS["1"])
    assert default(name, dataset, "1") == meant(name, dataset) == OLD_DEFAULTS["1"][name]


@pytest.mark.parametrize(("name", "now", "then"), [(n, a, b) for n, old in OLD_NAMES.items() for a, b in old.items()])
def test_old_name_of_a_choice_is_read_as_its_new_one(name: str, now: str, then: str):
    for version in ("1", "2"):
        found, notes = read_address({"v": version, VERSION_1[name][0]: then})
        assert getattr(found, name) == now and notes == []


def test_a_link_of_an_unknown_version_says_so():
    for version in ("0", "3", "x"):
        found, notes = read_address({"v": version})
        assert found == Settings() and len(notes) == 1 and f"version {version!r}" in notes[0]


def test_an_old_link_to_watch_shows_the_task_of_its_time():
    at = opened("watch", v="1", d="syn1", s="0")
    shown = next(c.proto for c in at.get("bidi_component") if c.proto.component_name.endswith("aklo_player"))
    header, arrays = read_block(shown.bytes)
    replay = aklo.run(aklo.syn1(seed=0), seed=0, **PRINTED).replay(12)
    assert header["task"] == 12
    np.testing.assert_array_equal(arrays["alpha"], replay.alpha)
    np.testing.assert_array_equal(
        arrays["errors"].reshape(6, 100), np.stack([replay.errors[method] for method in aklo.METHODS])
    )
    assert not at.info and not at.warning


def test_an_old_link_to_compare_shows_the_race_of_its_time():
    at = opened("compare", v="1", d="syn2", s="4", T="9", N="30", R="1")
    run = aklo.run(aklo.syn2(n_tasks=9, n_examples=30, seed=4), seed=4, **PRINTED)
    assert [row[-1] for row in told(at, "aklo_race")["totals"]] == run.wrong.sum(axis=1).tolist()


def test_an_old_file_of_settings_is_read_as_it_was_meant():
    text = menu.settings_json("Watch it learn", Settings(), "http://somewhere/watch").replace("v=2", "v=1")
    found, notes = read_settings(text)
    assert notes == [] and (found.clip, found.alpha, found.task) == ("sum", "linear:end=0", 12)
    assert uploads.fit(found) == found
