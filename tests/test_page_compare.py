"""The page "Race the six", run without a browser."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import aklo
from aklo.lab import repetitions, results, standings
from aklo.lab.settings import PRESETS, Settings

PAGE = "pages/compare.py"
SMALL = {"T": "6", "N": "20", "R": "3"}


def opened(**query: str) -> AppTest:
    at = AppTest.from_file("../app.py", default_timeout=60).switch_page(PAGE)
    for name, value in query.items():
        at.query_params[name] = value
    return sound(at.run())


def sound(at: AppTest) -> AppTest:
    assert not at.exception, at.exception[0].message
    return at


def chart(at: AppTest, key: str) -> dict:
    """The Plotly figure whose key ends so."""
    found = [c for c in at.get("plotly_chart") if c.proto.id.endswith(f"-{key}")]
    assert len(found) == 1, [c.proto.id for c in at.get("plotly_chart")]
    return json.loads(found[0].proto.spec)


def lines(figure: dict) -> dict[str, dict]:
    return {trace["name"]: trace for trace in figure["data"] if trace.get("name") in aklo.METHODS}


def values(array: object) -> np.ndarray:
    """A Plotly array, which may be written as base64."""
    if not isinstance(array, dict):
        return np.asarray(array)
    data = np.frombuffer(base64.b64decode(array["bdata"]), dtype=array["dtype"])
    return data.reshape([int(n) for n in array["shape"].split(",")]) if "shape" in array else data


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset(preset: str):
    at = opened()
    sound(at.selectbox(key="preset").set_value(preset).run())
    assert len(at.get("plotly_chart")) == 4
    assert all(c.proto.alt for c in at.get("plotly_chart"))
    assert at.table[0].value.shape == (6, 4)


@pytest.mark.parametrize(
    "query",
    [
        {"T": "1", "N": "1", "R": "1"},
        {"T": "1", "N": "1000", "R": "2"},
        {"T": "200", "N": "1", "R": "2"},
        {"T": "200", "N": "60", "R": "50"},
        {"T": "3", "N": "1000", "R": "1"},
        {"d": "digits", "T": "1", "N": "1", "R": "2"},
        {"d": "digits", "T": "60", "N": "10", "R": "2"},
        {"d": "digits", "T": "2", "N": "340", "R": "2"},
        {"T": "5", "N": "20", "sh": "0", "o": "blocks"},
        {"T": "5", "N": "20", "sh": "1", "o": "alternating"},
        {"T": "5", "N": "20", "l": "1000", "h": "unknown"},
        {"T": "5", "N": "20", "c": "advice", "a": "constant:value=1", "s": "9999"},
        {"d": "conflict", "T": "5", "N": "20", "an": "0"},
    ],
)
def test_extremes(query: dict[str, str]):
    at = opened(**query)
    sound(at.toggle(key="expected").set_value(True).run())
    for choice in ("the best", "ITOL"):
        sound(at.segmented_control(key="reference").set_value(choice).run())


def test_lines_are_the_cores_errors_and_short():
    at = opened(T="40", N="60", R="1")
    run = results.run(Settings().change(n_tasks=40, n_examples=60))
    for method, line in lines(chart(at, "race")).items():
        seen, errors = values(line["x"]).astype(int), values(line["y"])
        total = np.concatenate([[0], np.cumsum(np.concatenate(run.errors[method]))])
        assert len(seen) <= 500 and seen[-1] == 2400
        np.testing.assert_array_equal(errors, total[seen])
    heat = chart(at, "heat")["data"][0]
    np.testing.assert_allclose(values(heat["z"]), run.task_errors)


def test_expected_lines_move_only_the_sampling_methods():
    at = opened(**SMALL)
    drawn = lines(chart(at, "race"))
    sound(at.toggle(key="expected").set_value(True).run())
    expected = lines(chart(at, "race"))
    run = results.run(Settings().change(n_tasks=6, n_examples=20))
    for method in aklo.METHODS:
        if method in aklo.SAMPLING:
            end = values(expected[method]["y"])[-1]
            assert end == pytest.approx(sum(e.sum() for e in run.expected[method]))
        else:
            assert drawn[method]["y"] == expected[method]["y"]


def test_frames_end_where_the_tasks_end():
    at = opened(**SMALL)
    figure, run = chart(at, "race"), results.run(Settings().change(n_tasks=6, n_examples=20))
    assert [frame["name"] for frame in figure["frames"]] == [str(k) for k in range(6)]
    for k, frame in enumerate(figure["frames"]):
        numbers = [int(end["text"][0]) for end in frame["data"][1:]]
        assert numbers == [sum(int(e.sum()) for e in run.errors[m][: k + 1]) for m in aklo.METHODS]


def test_repetitions_are_those_of_the_core():
    s = Settings().change(n_tasks=5, n_examples=20, repetitions=7, seed=3, alpha="linear:end=0.5", clip="advice")
    parts = np.concatenate([repetitions._part(s, [0, 1, 2]), repetitions._part(s, [3, 4, 5, 6])])
    whole = aklo.repeat(
        partial(aklo.syn1, n_tasks=5, n_examples=20), 7, lam=1e-3, alpha=aklo.Linear(end=0.5), clip="advice", seed=3
    )
    np.testing.assert_array_equal(parts, whole.task_errors)


def test_the_table_and_the_bands_are_those_of_the_core():
    at = opened(**SMALL, s="5")
    repeats = aklo.repeat(partial(aklo.syn1, n_tasks=6, n_examples=20), 3, lam=1e-3, seed=5)
    table = at.table[0].value
    for method, row in repeats.table.iterrows():
        assert table.loc[method, "Wrong"] == f"{row['mean']:.1%} ± {100 * row['std']:.1f}"
    figure = chart(at, "ace")
    for i, (method, line) in enumerate(lines(figure).items()):
        np.testing.assert_allclose(values(line["y"]), repeats.ace_after[:, i].mean(axis=0), err_msg=method)
        np.testing.assert_allclose(values(line["customdata"]), repeats.ace_after[:, i].std(axis=0, ddof=1))
    assert "3 repetitions" in at.markdown[0].value


def test_expensive_repetitions_wait_to_be_asked_and_then_run(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(repetitions, "CHEAP", 0.0)
    at = opened(**SMALL, s="77")
    assert "One stream can be luck" in at.markdown[0].value
    assert any("waits to be asked" in caption.value for caption in at.caption)
    sound(at.button(key="repeat").click().run())
    assert "3 repetitions" in at.markdown[0].value
    assert not [button for button in at.button if button.key in ("repeat", "cancel")]


def test_one_repetition_tells_nothing_of_luck():
    at = opened(**(SMALL | {"R": "1"}))
    assert set(at.table[0].value["More than luck"]) == {"–", "needs 2 or more repetitions"}


def repeats_of(errors: Callable[[np.random.Generator], np.ndarray]) -> aklo.Repeats:
    return aklo.Repeats(errors(np.random.default_rng(0)))


def test_words_say_what_the_numbers_say():
    means = np.array([0.4, 0.3, 0.5, 0.45, 0.2, 0.1])[None, :, None]
    sure = repeats_of(lambda rng: means + rng.normal(0, 0.001, (10, 6, 4)))
    assert standings.verdict(sure, sure.table["mean"]).startswith("**AKLO Sum wins here**: 10.0%")
    assert "AKLO Sample, the next, has 10.0 points more" in standings.verdict(sure, sure.table["mean"])
    assert "more than luck" in standings.verdict(sure, sure.table["mean"])
    unsure = repeats_of(lambda rng: np.clip(0.3 + rng.normal(0, 0.1, (4, 6, 4)), 0, 1))
    assert "is ahead here" in standings.verdict(unsure, unsure.table["mean"])
    assert "could be luck" in standings.verdict(unsure, unsure.table["mean"])
    level = aklo.Repeats(np.full((3, 6, 2), 0.25))
    assert standings.verdict(level, level.table["mean"]).startswith("**All six are level**: 25.0%")
    assert "repetitions tell" in standings.verdict(None, pd.Series(means.ravel(), index=list(aklo.METHODS)))


@pytest.mark.parametrize("reference", aklo.METHODS)
def test_differences_have_the_right_sign(reference: str):
    repeats = repeats_of(lambda rng: rng.random((5, 6, 3)))
    table = standings.standings(repeats, reference)
    gaps = repeats.ace.sub(repeats.ace[reference], axis=0).mean()
    for method in aklo.METHODS:
        if method == reference:
            assert np.isnan(table.loc[method, "difference"])
        else:
            assert table.loc[method, "difference"] == pytest.approx(gaps[method])
            assert table.loc[method, "low"] < table.loc[method, "difference"] < table.loc[method, "high"]
