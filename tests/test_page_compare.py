"""The page "Compare the methods", run without a browser."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

import aklo
from aklo.lab.compute import effort, repetitions, runs
from aklo.lab.content import ranking
from aklo.lab.server import work_rate
from aklo.lab.settings.presets import PRESETS
from aklo.lab.settings.schema import FIELDS, SECTIONS, Settings
from tests.pages import (
    both_ends,
    charts,
    control,
    mixing,
    moved,
    opened,
    sound,
    standing,
    steady,
    table_of,
    told,
    values,
)

pytestmark = pytest.mark.usefixtures(steady.__name__)
SMALL = {"T": "6", "N": "20", "R": "3"}
PARTS = FIELDS["race_part"].choices
KINDS = [name for name in FIELDS["dataset"].choices if name != "own"]


def lines(figure: dict) -> dict[str, dict]:
    return {trace["name"]: trace for trace in figure["data"] if trace.get("name") in aklo.METHODS}


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_opens(preset: str):
    at = opened("compare")
    moved(control(at, "preset").set_value(preset))
    assert standing(at).shape == (6, 4)
    assert told(at, "aklo_race")["alt"].startswith("Mistakes after")
    seen = set(charts(at))
    for part in PARTS[1:]:
        moved(control(at, "setting_race_part").set_value(part))
        assert charts(at)
        seen |= set(charts(at))
    assert seen == {"ace", "heat", "last", "regret"}


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
def test_extreme_settings_open(query: dict[str, str]):
    at = opened("compare", **query)
    sound(control(at, "setting_reference").set_value("the best").run())
    moved(control(at, "setting_expected").set_value(True))
    for part in PARTS[1:]:
        moved(control(at, "setting_race_part").set_value(part))


@pytest.mark.parametrize("dataset", KINDS)
def test_page_opens_at_both_ends_of_every_setting(dataset: str):
    sections = ("Methods", "Repetitions", "Alpha", "Knowledge", "Stream", "Learner")
    shown = [name for section in sections for name in SECTIONS[section]]
    shown += ["expected", "raced", "race_part", "competitor"]
    for settings in both_ends(dataset, shown, n_tasks=8, n_examples=20, repetitions=2):
        opened("compare", settings)


def test_race_has_the_errors_of_the_core_in_few_points():
    at = opened("compare", T="40", N="60", R="1", pr="Task by task")
    run = runs.run(Settings().change(n_tasks=40, n_examples=60))
    race = told(at, "aklo_race")
    seen = np.array(race["seen"])
    assert len(seen) <= 500 and seen[-1] == 2400 and set(race["offsets"]) <= set(race["seen"])
    assert race["offsets"] == list(range(0, 2401, 60))
    for method, errors in zip(aklo.METHODS, race["totals"], strict=True):
        total = np.concatenate([[0], np.cumsum(np.concatenate(run.errors[method]))])
        np.testing.assert_array_equal(errors, total[seen])
    assert np.max(race["totals"]) <= race["top"]
    np.testing.assert_allclose(values(charts(at)["heat"]["data"][0]["z"]), run.task_errors)


def test_aklo_sum_has_the_fewest_mistakes_at_the_defaults():
    """In the race, which is one repetition, and in the table over all of them."""
    at = opened("compare")
    totals = dict(zip(aklo.METHODS, (row[-1] for row in told(at, "aklo_race")["totals"]), strict=True))
    assert min(totals, key=totals.get) == "AKLO Sum" and sorted(totals.values())[1] > totals["AKLO Sum"]
    wrong = standing(at)["Wrong"].str.extract(r"([\d.]+)")[0].astype(float)
    assert wrong.idxmin() == "AKLO Sum" and (wrong.drop("AKLO Sum") > wrong["AKLO Sum"]).all()


def test_expected_errors_change_only_the_sampling_methods():
    at = opened("compare", **SMALL)
    drawn = told(at, "aklo_race")["totals"]
    sound(control(at, "setting_expected").set_value(True).run())
    assert at.query_params["ex"] == "1"
    expected = told(at, "aklo_race")["totals"]
    run = runs.run(Settings().change(n_tasks=6, n_examples=20))
    for method, before, after in zip(aklo.METHODS, drawn, expected, strict=True):
        if method in aklo.SAMPLING:
            assert after[-1] == pytest.approx(sum(e.sum() for e in run.expected[method]), abs=0.01)
        else:
            assert before == after


def test_link_holds_the_position_of_the_race():
    at = opened("compare", **SMALL, at="4", ex="1", pr="The last task")
    assert told(at, "aklo_race")["after"] == 4
    assert control(at, "setting_expected").value
    assert list(charts(at)) == ["last"]


def test_repetitions_are_those_of_the_core():
    s = Settings().change(n_tasks=5, n_examples=20, repetitions=7, seed=3, alpha="linear:end=0.5", clip="advice")
    parts = np.concatenate(
        [repetitions._compute_here(s, [0, 1, 2]), repetitions._in_worker(s, [3, 4, 5, 6], lambda: None)]
    )
    whole = aklo.repeat(
        partial(aklo.syn1, n_tasks=5, n_examples=20), 7, lam=1e-3, alpha=aklo.Linear(end=0.5), clip="advice", seed=3
    )
    np.testing.assert_array_equal(parts, whole.task_errors)


def test_table_and_bands_are_those_of_the_core():
    at = opened("compare", **SMALL, s="5", a="linear:end=0", c="sum")
    repeats = aklo.repeat(partial(aklo.syn1, n_tasks=6, n_examples=20), 3, lam=1e-3, seed=5, **mixing(at))
    table = standing(at)
    for method, row in repeats.table.iterrows():
        assert table.loc[method, "Wrong"] == f"{100 * row['mean']:.1f} ± {100 * row['std']:.1f}\xa0%"
    figure = charts(at)["ace"]
    for i, (method, line) in enumerate(lines(figure).items()):
        np.testing.assert_allclose(values(line["y"]), repeats.ace_after[:, i].mean(axis=0), err_msg=method)
        np.testing.assert_allclose(values(line["customdata"]), repeats.ace_after[:, i].std(axis=0, ddof=1))
    assert any("3 repetitions" in text.value for text in at.markdown)


def test_expensive_repetitions_run_after_a_click(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(effort, "UNASKED", 0.0)
    at = opened("compare", **SMALL, s="7713")  # no other test has computed this
    assert any("One stream can be chance" in text.value for text in at.markdown)
    assert any("It takes about" in caption.value for caption in at.caption)
    sound(at.button(key="repeat_start").click().run())
    assert any("3 repetitions" in text.value for text in at.markdown)
    assert not [button for button in at.button if button.key in ("repeat_start", "repeat_stop")]


def test_one_repetition_has_no_interval():
    at = opened("compare", **(SMALL | {"R": "1"}))
    assert set(standing(at)["More than chance"]) == {"–", "needs 2 or more repetitions"}


def repeats_of(errors: Callable[[np.random.Generator], np.ndarray]) -> aklo.Repeats:
    return aklo.Repeats(errors(np.random.default_rng(0)))


def test_verdict_says_who_is_ahead_and_whether_it_is_luck():
    means = np.array([0.4, 0.3, 0.5, 0.45, 0.2, 0.1])[None, :, None]
    sure = repeats_of(lambda rng: means + rng.normal(0, 0.001, (10, 6, 4)))
    assert ranking.verdict(sure).startswith("**AKLO Sum wins here**: 10.0\xa0%")
    assert "AKLO Sample, the next, has 10.0 points more" in ranking.verdict(sure)
    assert "more than chance" in ranking.verdict(sure)
    unsure = repeats_of(lambda rng: np.clip(0.3 + rng.normal(0, 0.1, (4, 6, 4)), 0, 1))
    assert "is ahead here" in ranking.verdict(unsure)
    assert "could be chance" in ranking.verdict(unsure)
    level = aklo.Repeats(np.full((3, 6, 2), 0.25))
    assert ranking.verdict(level).startswith("**All six are level**: 25.0\xa0%")
    assert "repetitions on fresh data show" in ranking.verdict(aklo.Repeats(means))


def test_more_than_chance_is_corrected_for_all_comparisons():
    """A difference that is below 5 % by itself, but not as one of five: its interval leaves out 0, yet not sure."""
    rng = np.random.default_rng(0)
    candidates = (aklo.Repeats(rng.normal(0.3, 0.02, (10, 6, 1))) for _ in range(200))
    repeats = next(r for r in candidates if 0.02 < r.p_values("ITOL")["p"].min() < 0.05 and r.moments[0].argmin() > 0)
    found, p = ranking.standings(repeats, "ITOL"), repeats.p_values("ITOL")
    method = p["p"].idxmin()
    assert (found[method].low > 0 or found[method].high < 0) and not found[method].sure
    assert p.loc[method, "corrected"] == pytest.approx(5 * p.loc[method, "p"]) and p.loc[method, "corrected"] > 0.05
    assert table_of(ranking.markdown(found, "ITOL")).loc[method, "More than chance"] == "could be chance"


@pytest.mark.parametrize("reference", aklo.METHODS)
def test_differences_have_the_right_sign(reference: str):
    repeats = repeats_of(lambda rng: rng.random((5, 6, 3)))
    found = ranking.standings(repeats, reference)
    gaps = repeats.ace.sub(repeats.ace[reference], axis=0).mean()
    for method in aklo.METHODS:
        if method == reference:
            assert np.isnan(found[method].difference)
        else:
            assert found[method].difference == pytest.approx(gaps[method])
            assert found[method].low < found[method].difference < found[method].high
    table = ranking.table(found)
    assert table.index.name == "method" and table.loc["TOL"].tolist() == pytest.approx(list(found["TOL"]), nan_ok=True)


def test_interval_shows_enough_digits_to_exclude_zero():
    """An interval that excludes 0 shows as many digits as it takes to see that."""
    means = (0.4, 0.3, 0.389, 0.5, 0.2, 0.1)
    differences = [[np.nan] * 4, *[[-0.011, -0.0216, -0.0004, 0.04]] * 4, [0.1, -0.00001, 0.2, 0.06]]
    found = {
        method: ranking.Standing(mean, 0.01, rank, *difference)
        for rank, (method, mean, difference) in enumerate(zip(aklo.METHODS, means, differences, strict=True), 1)
    }
    told = table_of(ranking.markdown(found, "ITOL"))
    assert list(told.columns) == ["Rank", "Wrong", "Points against ITOL", "More than chance"]
    assert told.loc["Unif Sample"].tolist() == ["3", "38.9 ± 1.0\xa0%", "−1.10 (−2.16 to −0.04)", "yes"]
    assert told.loc["AKLO Sum", "Points against ITOL"] == "+10.0 (0.0 to +20.0)"


def test_estimated_time_follows_measurements(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.undo()
    work_rate.clear()
    small, large = Settings().change(n_tasks=5, n_examples=10), Settings().change(n_tasks=100, n_examples=500)
    guess = repetitions.results(large).seconds_each
    with work_rate.measured("repetition, run, 1e6", 1e4):
        sum(range(300_000))
    assert repetitions.results(large).seconds_each != guess
    assert repetitions.results(large).seconds_each > repetitions.results(small).seconds_each
    # A small stream, and one whose learners are cached, say nothing about a large one.
    repetitions.compute(small, lambda share: None)
    repetitions.compute(large.change(seed=3, n_tasks=10, n_examples=20))
    measured = repetitions.results(large).seconds_each
    repetitions.compute(small.change(seed=1), lambda share: None)
    assert repetitions.results(large).seconds_each == measured
    work_rate.clear()
    assert repetitions.results(large).seconds_each == guess


def test_unknown_horizon_says_what_it_costs_with_the_same_schedule():
    """The linear schedule waits for N, so both sides have its stand-in; the difference is the weights' alone."""
    at = opened("compare", T="20", N="60", h="unknown", R="1", s="3")
    words = next(text.value for text in at.caption if "not to know" in text.value)
    stream = aklo.syn1(n_tasks=20, n_examples=60, seed=3)
    made = {
        horizon: int(sum(aklo.run(stream, lam=1e-3, alpha=aklo.Power(0.5), clip="advice", horizon=horizon)
                         .errors["AKLO Sum"][k].sum() for k in range(20)))
        for horizon in ("known", "unknown")
    }  # fmt: skip
    more = made["unknown"] - made["known"]
    assert f"would make {made['known']} mistakes, {abs(more)} {'fewer' if more > 0 else 'more'}" in words and more
    assert not any("not to know" in text.value for text in opened("compare", T="20", N="60", R="1").caption)
