"""The page "Design the tasks", run without a browser."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

import aklo
from aklo.lab.charts.tasks import through
from aklo.lab.components.stream_overview import CLOUD, pack
from aklo.lab.content import stream_summary
from aklo.lab.settings.presets import PRESETS
from aklo.lab.settings.schema import FIELDS, SECTIONS, Settings
from tests.pages import both_ends, charts, control, moved, opened, sound, told

PARTS = FIELDS["tasks_part"].choices
KINDS = [name for name in FIELDS["dataset"].choices if name != "own"]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_opens(preset: str):
    at = opened("tasks")
    moved(control(at, "preset").set_value(preset))
    digits = preset == "Digits, real images"
    assert (told(at, "aklo_overview") is None) == digits
    seen = set(charts(at))
    for part in PARTS[1:]:
        sound(control(at, "setting_tasks_part").set_value(part).run())
        seen |= set(charts(at))
        charts(at)
    assert seen == ({"order", "seeds"} if digits else {"multiples", "seeds", "seed_tasks"})
    assert not at.warning


@pytest.mark.parametrize("dataset", KINDS)
def test_page_opens_at_both_ends_of_every_setting(dataset: str):
    shown = [*SECTIONS["Stream"], *SECTIONS["Generator"], "tasks_part"]
    for settings in both_ends(dataset, shown, n_tasks=12, n_examples=20):
        opened("tasks", settings)


@pytest.mark.parametrize("dataset", ["syn1", "digits"])
def test_largest_stream_opens(dataset: str):
    for part in PARTS:
        opened("tasks", Settings().change(dataset=dataset).change(n_tasks=200, n_examples=1000, tasks_part=part))


@pytest.mark.parametrize("order", ["blocks", "alternating"])
def test_every_order_opens(order: str):
    at = opened("tasks", T="9", N="5", o=order, pt="In numbers")
    assert sum(at.table[0].value["Tasks"]) == 9


def test_number_of_traces_does_not_grow_with_the_tasks():
    drawn = {}
    for part in PARTS[:2]:
        at = opened("tasks", T="200", N="1000", pt=part)
        drawn |= charts(at)
        if part == PARTS[0]:
            assert charts(at)["multiples"]["alt"].startswith("Tasks 0 to 23")
    assert all(len(figure["data"]) <= 12 for figure in drawn.values()) and len(drawn) == 3


def test_overview_gets_the_examples_and_vectors_of_the_stream():
    stream = aklo.syn1(n_tasks=9, n_examples=30, seed=3)
    data = told(opened("tasks", T="9", N="30", s="3"), "aklo_overview")
    assert data["order"] == list(stream.groups)
    for group in data["groups"]:
        mine = [k for k in range(9) if stream.groups[k] == group["group"]]
        np.testing.assert_allclose(group["vectors"], stream.vectors[mine], atol=1e-5)
        X = np.concatenate([stream[k].X for k in mine])
        np.testing.assert_allclose(group["mean"], X.mean(axis=0), atol=1e-3)
        assert len(group["plus"]) + len(group["minus"]) == len(X)
        labels = np.concatenate([stream[k].y for k in mine])
        np.testing.assert_allclose(group["plus"], X[labels > 0], atol=1e-3)
    low, high = np.array(data["box"][:2]), np.array(data["box"][2:])
    assert (stream.X.min(axis=0) > low).all() and (stream.X.max(axis=0) < high).all() and (low < 0).all()


def test_overview_of_a_large_stream_has_a_bounded_number_of_points():
    data = pack(aklo.syn1(n_tasks=200, n_examples=1000, seed=0), ("D1", "D2"))
    assert sum(len(g["plus"]) + len(g["minus"]) for g in data["groups"]) <= 2 * CLOUD


@pytest.mark.parametrize("make", [aklo.syn1, aklo.conflict, aklo.digits])
def test_csv_of_a_stream_is_exact(make):
    stream = make(n_tasks=4, n_examples=7, seed=3)
    read = pd.read_csv(io.StringIO(stream_summary.csv(stream)))
    assert list(read.columns) == ["task", "group", "y", *(f"x{i + 1}" for i in range(stream.d))]
    again = aklo.TaskStream.of(
        [(rows.filter(regex=r"^x\d+$").to_numpy(), rows["y"]) for _, rows in read.groupby("task")],
        groups=read.groupby("task")["group"].first(),
    )
    np.testing.assert_array_equal(again.X, stream.X)
    np.testing.assert_array_equal(again.y, stream.y)
    np.testing.assert_array_equal(again.offsets, stream.offsets)
    assert again.groups == stream.groups


def test_statistics_count_tasks_examples_and_labels():
    stream = aklo.TaskStream.of(
        [([[1.0]] * 4, [1, 1, 1, -1]), ([[1.0]] * 2, [-1, -1]), ([[1.0]] * 4, [1, 1, 1, 1])], groups=[0, 1, 0]
    )
    found = stream_summary.statistics(stream, ["D1", "D2"])
    assert found.loc["D1"].tolist() == [2, 8, "88\xa0%", 1]
    assert found.loc["D2"].tolist() == [1, 2, "0\xa0%", 1]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"T": "1"}, "only one task"),
        ({"N": "1"}, "single example"),
        ({"ax": "30", "ay": "-30", "T": "10"}, "5 of 10 tasks all labels are the same"),
        ({"vx": "0", "vy": "0"}, "nearly zero"),
    ],
)
def test_unusual_streams_are_warned_of(query: dict[str, str], words: str):
    assert any(words in warning.value for warning in opened("tasks", **query).warning)


def test_line_is_clipped_to_its_window():
    low, high = np.array([1.0, 1.0]), np.array([3.0, 2.0])
    ends = through(np.array([-1.0, 1.0]), low, high)
    assert sorted(ends.tolist()) == [[1.0, 1.0], [2.0, 2.0]]
    assert through(np.array([1.0, 1.0]), low, high) is None
    assert through(np.array([0.0, 1.0]), low, high) is None
    assert through(np.array([0.0, 0.0]), low, high) is None
    level = through(np.array([0.0, 1.0]), -high, high)
    assert sorted(level.tolist()) == [[-3.0, 0.0], [3.0, 0.0]]
