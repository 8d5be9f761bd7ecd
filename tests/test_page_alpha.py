"""The page "Shape alpha" without a browser: every preset, schedule and horizon, the comparison and the map."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import aklo
from aklo.lab.components.alpha_editor import points
from aklo.lab.compute import alpha_map, runs
from aklo.lab.settings.presets import PRESETS
from aklo.lab.settings.schema import FIELDS, SECTIONS, Settings
from aklo.lab.settings.text import schedule_title
from aklo.schedules import SCHEDULES
from tests.pages import both_ends, charts, control, moved, opened, sound, steady, told

SMALL = {"d": "syn1", "s": "0", "T": "6", "N": "20", "t": "3"}
pytestmark = pytest.mark.usefixtures(steady.__name__)
BESIDE = {"alpha_curves", "alpha_trust", "alpha_errors", "alpha_ace"}
MAP, TABLE = {"pa": "How low, how fast?"}, {"pa": "In numbers"}
KINDS = [name for name in FIELDS["dataset"].choices if name != "own"]


def names(at: AppTest, key: str) -> list[str]:
    return [trace["name"] for trace in charts(at)[key]["data"] if "name" in trace]


def press(at: AppTest, key: str) -> AppTest:
    return sound(at.button(key=key).click().run())


def look(at: AppTest, part: str) -> AppTest:
    return sound(control(at, "setting_alpha_part").set_value(part).run())


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_opens(preset):
    at = opened("alpha", PRESETS[preset])
    assert set(charts(at)) == BESIDE
    assert len(look(at, TABLE["pa"]).dataframe[0].value) >= 1


@pytest.mark.parametrize("preset", ["syn1, as printed", "Real: digits"])
def test_map_is_drawn(preset):
    assert set(charts(opened("alpha", PRESETS[preset], **MAP))) == {"alpha_map"}


@pytest.mark.parametrize("dataset", KINDS)
def test_page_opens_at_both_ends_of_every_setting(dataset):
    sections = ("Knowledge", "View", "Stream", "Learner")
    shown = [*(name for section in sections for name in SECTIONS[section]), "kept", "alpha_part"]
    for settings in both_ends(dataset, shown, n_tasks=6, n_examples=20):
        opened("alpha", settings)


@pytest.mark.parametrize("part", FIELDS["alpha_part"].choices)
def test_largest_stream_opens(part):
    opened("alpha", Settings().change(n_tasks=200, n_examples=100, alpha_part=part))


@pytest.mark.parametrize("horizon", aklo.HORIZONS)
def test_every_schedule_can_be_chosen(horizon):
    at = opened("alpha", **SMALL, h=horizon)
    offered = [kind for kind in SCHEDULES.values() if horizon == "known" or not kind.needs_horizon]
    for kind in offered:
        moved(control(at, "setting_alpha").set_value(kind))
        assert type(at.session_state["settings"].schedule) is kind
        assert set(charts(at)) == BESIDE, kind
        assert at.latex[0].value.strip("$\n ") == kind.formula
        curve = told(at, "aklo_alpha_editor")
        assert curve["curve"] == pytest.approx(kind().values(20), abs=1e-3)
        assert curve["locked"] == bool(curve["resets"]) == (horizon == "unknown")
    assert any("choose a known horizon" in caption.value for caption in at.caption) == (horizon == "unknown")


def test_map_opens_for_every_schedule():
    for kind in SCHEDULES.values():
        opened("alpha", **SMALL, a=kind().spec, **MAP)


def test_resets_stand_at_powers_of_two():
    at = opened("alpha", **SMALL, h="unknown", a="power:k=0.5")
    assert told(at, "aklo_alpha_editor")["resets"] == [1, 2, 4, 8, 16]


def test_schedules_can_be_added_and_removed():
    at = opened("alpha", **SMALL)
    assert names(at, "alpha_curves") == ["A", "B", "C", "D"]
    assert at.button(key="keep").disabled  # the current one is kept already
    moved(control(at, "alpha_Linear_end").set_value(0.25))
    assert names(at, "alpha_curves") == ["A", "B", "C", "D", "Now"]
    assert at.button(key="keep").disabled  # four is all
    press(at, "drop_step:at=30")
    assert names(at, "alpha_curves") == ["A", "B", "C", "Now"]
    press(at, "keep")
    assert names(at, "alpha_curves") == ["A", "B", "C", "D"]
    assert at.query_params["k"].endswith(";linear:end=0.25")
    for spec in at.session_state["settings"].kept_schedules:
        press(at, f"drop_{spec}")
    assert names(at, "alpha_curves") == ["Now"]
    assert at.query_params["k"] == "none"


def test_link_holds_the_compared_schedules():
    at = opened("alpha", **SMALL, k="power:k=1;constant:value=0.25")
    assert names(at, "alpha_curves") == ["A", "B", "Now"]
    assert list(look(at, TABLE["pa"]).dataframe[0].value.index) == [
        "A · Power, k 1",
        "B · Constant, value 0.25",
        "Now · Linear, end 0",
    ]


def test_comparison_shows_what_runs_without_a_horizon():
    at = opened("alpha", **SMALL, h="unknown", a="power:k=0.5")
    assert names(at, "alpha_curves") == ["C", "D", "Now"]


def test_comparison_shows_the_numbers_of_the_core():
    """The numbers on the page are those of the core."""
    at = opened("alpha", **SMALL, **TABLE)
    stream = aklo.syn1(n_tasks=6, n_examples=20, seed=0)
    table = at.dataframe[0].value
    for row, schedule in zip(
        table.index, (aklo.Linear(), aklo.Linear(0.5), aklo.Exponential(), aklo.Step()), strict=True
    ):
        run = aklo.run(stream, lam=1e-3, alpha=schedule, seed=0)
        assert table.loc[row, "AKLO Sum, %"] == pytest.approx(100 * run.ace["AKLO Sum"])
        assert table.loc[row, "Wrong in task 3"] == run.errors["AKLO Sum"][3].sum()


@pytest.mark.parametrize("method", aklo.METHODS)
def test_every_method_opens(method):
    at = opened("alpha", **SMALL, m=method)
    assert set(charts(at)) == BESIDE
    assert (not charts(look(at, MAP["pa"]))) == (method in ("ITOL", "TOL"))


@pytest.mark.parametrize("query", [{"T": "1", "t": "0"}, {"N": "1"}, {"N": "2"}, {"t": "0"}, {"a": "constant:value=0"}])
def test_smallest_sizes_open(query):
    at = opened("alpha", **SMALL | query)
    assert set(charts(at)) == BESIDE
    assert (not charts(look(at, MAP["pa"]))) == (query.get("T") == "1")


def test_best_schedule_of_the_map_can_be_taken():
    at = opened("alpha", **SMALL, **MAP)
    settings = at.session_state["settings"]
    found = alpha_map.compute(settings)
    assert (
        found.ace.min()
        == found.ace[found.best]
        == runs.run(settings.change(alpha=found.best_schedule.spec)).ace["AKLO Sum"]
    )
    # The paper's own stands in the corner, with exactly its own error.
    assert found.ace[0, -1] == runs.run(settings).ace["AKLO Sum"]
    sound(press(at, "use_best").run())
    assert at.session_state["settings"].alpha == found.best_schedule.spec
    assert at.button(key="use_best").disabled


def test_large_map_is_computed_after_a_click(monkeypatch):
    monkeypatch.setattr(alpha_map, "UNASKED", 0)
    at = opened("alpha", **SMALL | MAP | {"s": "77"})
    assert not charts(at)
    press(at, "map_start")
    assert charts(at)["alpha_map"]
    assert "map_start" not in [button.key for button in at.button]


def test_schedules_have_their_place_on_the_map():
    assert alpha_map.place(aklo.Linear(0.3), 50) == (1.0, 0.3)
    assert alpha_map.place(aklo.Ramp(0.3, 10), 50) == (0.2, pytest.approx(0.3))
    assert alpha_map.place(aklo.Ramp(0.0, 100), 50) == (1.0, 0.5)  # half way down is Linear(0.5)
    assert alpha_map.place(aklo.Constant(1.0), 50) == (1.0, 1.0)
    assert alpha_map.place(aklo.Cosine(), 50) is None
    assert alpha_map.nearest(aklo.Linear(0.5), 50) == aklo.Ramp(0.5, 50)
    assert alpha_map.nearest(aklo.Step(1), 50) == aklo.Ramp(0.0, 1)


def test_stopped_work_keeps_what_is_done(monkeypatch):
    monkeypatch.setattr(alpha_map, "PART", 0.0)
    settings = Settings().change(n_tasks=5, n_examples=12, seed=4321)

    class Stopped(Exception):
        pass

    def stop(share: float) -> None:
        if share > 0.3:
            raise Stopped

    with pytest.raises(Stopped):
        alpha_map.compute(settings, stop)
    before = alpha_map.share_done(settings)
    assert 0.3 < before < 0.4
    seen: list[float] = []
    alpha_map.compute(settings, seen.append)
    assert min(seen) >= before - 1e-9
    assert alpha_map.share_done(settings) == 1


def test_ramp_falls_straight_and_equals_linear_with_n_steps():
    """Straight down, then level; with N steps it is Linear, to the last bit."""
    assert aklo.Ramp(end=0.5, steps=2).values(4).tolist() == [1, 0.75, 0.5, 0.5]
    assert aklo.Schedule.parse("ramp:end=0.5,steps=2") == aklo.Ramp(0.5, 2)
    for n in (1, 7, 37, 100):
        for end in (0, 0.3, 1):
            assert np.array_equal(aklo.Ramp(end, n).values(n), aklo.Linear(end).values(n))
    with pytest.raises(ValueError, match="steps must be above 0"):
        aklo.Ramp(0.5, 0).values(3)


def test_draggable_points_never_rise():
    assert points(aklo.Linear(0.5), 1) == [1.0] * 9
    assert points(aklo.Custom([1, 0.4, 0.2, 0]), 50) == [1, 0.4, 0.2, 0]
    assert len(points(aklo.Custom([0.5]), 50)) == 9
    for kind in SCHEDULES.values():
        heights = points(kind(), 100)
        assert heights == sorted(heights, reverse=True)
        aklo.Custom(heights).values(100)


def test_schedule_title_names_kind_and_parameters():
    assert schedule_title(aklo.Exponential(20)) == "Exponential, half-life 20"
    assert schedule_title(aklo.Custom([1, 0.5, 0])) == "Custom, 3 points"
    assert schedule_title(aklo.Cosine()) == "Cosine"


def test_curve_of_one_step_is_a_level_line():
    at = opened("alpha", Settings().change(n_tasks=5, n_examples=1))
    assert told(at, "aklo_alpha_editor")["curve"] == [1.0, 1.0]
