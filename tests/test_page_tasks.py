"""The page "Make the tasks", run without a browser."""

from __future__ import annotations

import io
import json

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import aklo
from aklo.lab import describe
from aklo.lab.figures.tasks import _through
from aklo.lab.settings import FIELDS, PRESETS

PAGE = "pages/tasks.py"


def opened(**query: str) -> AppTest:
    at = AppTest.from_file("../app.py", default_timeout=60).switch_page(PAGE)
    for name, value in query.items():
        at.query_params[name] = value
    return sound(at.run())


def sound(at: AppTest) -> AppTest:
    assert not at.exception, at.exception[0].message
    return at


def chart(at: AppTest, key: str) -> dict:
    found = [c for c in at.get("plotly_chart") if c.proto.id.endswith(f"-{key}")]
    assert len(found) == 1, [c.proto.id for c in at.get("plotly_chart")]
    return json.loads(found[0].proto.spec)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset(preset: str):
    at = opened()
    sound(at.selectbox(key="preset").set_value(preset).run())
    assert len(at.get("plotly_chart")) == (2 if preset == "Real: digits" else 5)
    assert all(c.proto.alt for c in at.get("plotly_chart"))
    assert not at.warning


OTHERS = ("n_tasks", "n_examples", "lam", "clip", "horizon", "alpha", "task", "method", "repetitions")


@pytest.mark.parametrize("end", ["low", "high"])
@pytest.mark.parametrize("dataset", FIELDS["dataset"].choices)
def test_both_extremes_of_every_setting(dataset: str, end: str):
    shown = {name: f for name, f in FIELDS.items() if dataset in f.datasets and name not in ("dataset", *OTHERS)}
    query = {"d": dataset, "T": "12", "N": "20"}
    for f in shown.values():
        number = f.highs.get(dataset, f.high) if end == "high" else f.low
        query[f.key] = str(f.choices[-1 if end == "high" else 0]) if f.kind == "choice" else f"{number:g}"
    opened(**query)
    for name in ("n_tasks", "n_examples"):
        f = FIELDS[name]
        number = f.highs.get(dataset, f.high) if end == "high" else f.low
        opened(**{"d": dataset, "T": "3", "N": "3", f.key: f"{number:g}"})


@pytest.mark.parametrize("order", ["blocks", "alternating"])
def test_every_order(order: str):
    at = opened(T="9", N="5", o=order)
    assert sum(at.table[0].value["Tasks"]) == 9


def test_few_traces_however_many_tasks():
    at = opened(T="200", N="1000")
    for key in ("overview", "order", "multiples", "seeds", "seed_tasks"):
        assert len(chart(at, key)["data"]) <= 12
    assert at.get("plotly_chart")[2].proto.alt.startswith("Tasks 0 to 23")


@pytest.mark.parametrize("make", [aklo.syn1, aklo.conflict, aklo.digits])
def test_the_file_holds_the_stream_exactly(make):
    stream = make(n_tasks=4, n_examples=7, seed=3)
    read = pd.read_csv(io.StringIO(describe.csv(stream)))
    assert list(read.columns) == ["task", "group", "y", *(f"x{i + 1}" for i in range(stream.d))]
    again = aklo.TaskStream.of(
        [(rows.filter(regex=r"^x\d+$").to_numpy(), rows["y"]) for _, rows in read.groupby("task")],
        groups=read.groupby("task")["group"].first(),
    )
    np.testing.assert_array_equal(again.X, stream.X)
    np.testing.assert_array_equal(again.y, stream.y)
    np.testing.assert_array_equal(again.offsets, stream.offsets)
    assert again.groups == stream.groups


def test_statistics_count():
    stream = aklo.TaskStream.of(
        [([[1.0]] * 4, [1, 1, 1, -1]), ([[1.0]] * 2, [-1, -1]), ([[1.0]] * 4, [1, 1, 1, 1])], groups=[0, 1, 0]
    )
    found = describe.statistics(stream, ["D1", "D2"])
    assert found.loc["D1"].tolist() == [2, 8, "88%", 1]
    assert found.loc["D2"].tolist() == [1, 2, "0%", 1]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"T": "1"}, "one task only"),
        ({"N": "1"}, "single example"),
        ({"ax": "30", "ay": "-30", "T": "10"}, "5 of 10 tasks all labels are the same"),
        ({"vx": "0", "vy": "0"}, "nearly zero"),
    ],
)
def test_odd_choices_are_warned_of(query: dict[str, str], words: str):
    assert any(words in warning.value for warning in opened(**query).warning)


def test_a_line_is_cut_to_its_window():
    low, high = np.array([1.0, 1.0]), np.array([3.0, 2.0])
    ends = _through(np.array([-1.0, 1.0]), low, high)
    assert sorted(ends.tolist()) == [[1.0, 1.0], [2.0, 2.0]]
    assert _through(np.array([1.0, 1.0]), low, high) is None
    assert _through(np.array([0.0, 1.0]), low, high) is None
    assert _through(np.array([0.0, 0.0]), low, high) is None
    level = _through(np.array([0.0, 1.0]), -high, high)
    assert sorted(level.tolist()) == [[-3.0, 0.0], [3.0, 0.0]]
