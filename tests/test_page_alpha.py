"""The page "Shape alpha" without a browser: every preset, schedule and horizon, the comparison and the map."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from streamlit.testing.v1 import AppTest

import aklo
from aklo.lab.components.alpha_picture.view import AlphaView
from aklo.lab.compute import alpha_map, mix_data, repetitions, runs
from aklo.lab.compute.block import read_header
from aklo.lab.content import ranking
from aklo.lab.settings.presets import PRESETS
from aklo.lab.settings.schema import FIELDS, SECTIONS, Settings
from aklo.lab.settings.text import schedule_title
from aklo.schedules import SCHEDULES
from tests.pages import (
    alpha_picture,
    both_ends,
    charts,
    control,
    mixing,
    moved,
    opened,
    shape_alpha,
    sound,
    steady,
)

SMALL = {"d": "syn1", "s": "0", "T": "6", "N": "20", "t": "3"}
pytestmark = pytest.mark.usefixtures(steady.__name__)
MAP, TABLE = {"pa": "How low, how fast?"}, {"pa": "In numbers"}
KINDS = [name for name in FIELDS["dataset"].choices if name != "own"]


def kept(at: AppTest) -> list[str]:
    return alpha_picture(at)["view"]["kept"]


def stream_of(at: AppTest) -> bytes:
    """The stream that was sent to the browser."""
    (found,) = [c.proto for c in at.get("bidi_component") if c.proto.component_name.endswith("aklo_mix_data")]
    return found.bytes


def press(at: AppTest, key: str) -> AppTest:
    return sound(at.button(key=key).click().run())


def look(at: AppTest, part: str) -> AppTest:
    return sound(control(at, "setting_alpha_part").set_value(part).run())


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_opens(preset):
    at = opened("alpha", PRESETS[preset])
    told = alpha_picture(at)
    assert told["view"] == AlphaView.of(PRESETS[preset]).for_browser()
    same = [one["name"] for one in told["presets"] if one.get("alpha") == told["view"]["alpha"]]
    assert preset in same
    assert len(at.session_state["exports"].things["schedules"]) >= 1


@pytest.mark.parametrize("preset", ["syn1, as printed", "Digits, real images"])
def test_map_is_drawn(preset):
    assert set(charts(opened("alpha", PRESETS[preset], **MAP))) == {"alpha_map"}


@pytest.mark.parametrize("dataset", KINDS)
def test_page_opens_at_both_ends_of_every_setting(dataset):
    sections = ("Alpha", "Knowledge", "View", "Stream", "Learner")
    shown = [*(name for section in sections for name in SECTIONS[section]), "kept", "alpha_part"]
    for settings in both_ends(dataset, shown, n_tasks=6, n_examples=20):
        opened("alpha", settings)


@pytest.mark.parametrize("part", FIELDS["alpha_part"].choices)
def test_largest_stream_opens(part):
    opened("alpha", Settings().change(n_tasks=200, n_examples=100, alpha_part=part))


@pytest.mark.parametrize("horizon", aklo.HORIZONS)
def test_every_schedule_can_be_chosen(horizon):
    at = opened("alpha", **SMALL, h=horizon, a="step:at=7")
    offered = [kind for kind in SCHEDULES.values() if horizon == "known" or not kind.needs_horizon]
    for kind in offered:
        shape_alpha(at, alpha=kind().spec)
        assert type(at.session_state["settings"].schedule) is kind
        assert at.query_params["a"] in (kind().spec, [kind().spec])


def test_map_opens_for_every_schedule():
    for kind in SCHEDULES.values():
        opened("alpha", **SMALL, a=kind().spec, **MAP)


def test_schedules_can_be_added_and_removed():
    at = opened("alpha", **SMALL, a="linear:end=0")
    assert kept(at) == ["linear:end=0", "linear:end=0.5", "exponential:half_life=20", "step:at=30"]
    shape_alpha(at, alpha="linear:end=0.25", kept=kept(at)[:3])
    assert list(at.session_state["exports"].things["schedules"].index)[-1] == "Now · Linear, final α 0.25"
    shape_alpha(at, kept=[*kept(at), "linear:end=0.25"])
    assert at.session_state["settings"].kept.endswith(";linear:end=0.25")
    shape_alpha(at, kept=[])
    assert at.query_params["k"] in ("none", ["none"]) and kept(at) == []


@pytest.mark.parametrize(
    "changed",
    [
        {"alpha": "nonsense"},
        {"alpha": "custom:points=0/1"},
        {"alpha": "step:at=" + 500 * "9"},
        {"clip": "both"},
        {"horizon": ""},
        {"task": "many"},
        {"method": "<b>"},
        {"kept": "step:at=3"},
        {"kept": ["nonsense"]},
    ],
)
def test_what_a_browser_reports_is_checked(changed):
    at = opened("alpha", **SMALL)
    before = at.session_state["settings"]
    assert shape_alpha(at, **changed).session_state["settings"] == before


def test_a_task_beyond_the_stream_is_the_last():
    assert shape_alpha(opened("alpha", **SMALL), task=77).session_state["settings"].task == 5


def test_a_challenger_in_force_stays_when_the_picture_is_changed():
    """The page shows the paper's six; what the visitor changes is put in force, and the rest is left alone."""
    at = opened("alpha", **SMALL, ch="One pool", m="One pool")
    assert alpha_picture(at)["view"]["method"] == "AKLO Sum"
    settings = shape_alpha(at, alpha="step:at=9").session_state["settings"]
    assert (settings.alpha, settings.method, settings.challengers) == ("step:at=9", "One pool", ("One pool",))
    settings = shape_alpha(at, method="TOL").session_state["settings"]
    assert (settings.alpha, settings.method, settings.challengers) == ("step:at=9", "TOL", ("One pool",))


def test_the_stream_is_sent_once_and_the_picture_finds_it_by_its_digest():
    at = opened("alpha", **SMALL)
    first = stream_of(at)
    assert read_header(first)["digest"] == alpha_picture(at)["stream"] and alpha_picture(at)["only"] is None
    assert stream_of(shape_alpha(at, alpha="step:at=7", clip="sum", task=2)) == first  # so that Streamlit sends a hash
    assert stream_of(moved(control(at, "setting_lam").set_value(0.1))) != first


def test_a_stream_that_is_too_large_is_answered_by_the_server(monkeypatch):
    monkeypatch.setattr(mix_data, "MOST_PAIRS", 100)
    at = opened("alpha", **SMALL | {"s": "91"})
    told, settings = alpha_picture(at), at.session_state["settings"]
    assert told["only"] == 3 and "when you let go" in told["tooLarge"]
    assert read_header(stream_of(at))["lengths"] == [20]
    run = runs.run(settings)
    answer = told["answers"]["linear:end=0.5|advice|known"]
    expected = run.errors | run.expected
    assert answer["errors"] == pytest.approx([sum(e.sum() for e in expected[name]) for name in aklo.METHODS])
    assert answer["ace"] == pytest.approx([np.mean([e.mean() for e in expected[name]]) for name in aklo.METHODS])


def test_a_link_hides_controls_of_the_picture():
    told = alpha_picture(opened("alpha", **SMALL, show="alpha"))
    assert set(told["hidden"]) == {"task", "clip", "horizon", "method", "preset"}


def test_link_holds_the_compared_schedules():
    at = opened("alpha", **SMALL, a="linear:end=0", k="power:k=1;constant:value=0.25")
    assert kept(at) == ["power:k=1", "constant:value=0.25"]
    assert list(at.session_state["exports"].things["schedules"].index) == [
        "A · Power, exponent k 1",
        "B · Constant, α 0.25",
        "Now · Linear, final α 0",
    ]


def test_comparison_shows_what_runs_without_a_horizon():
    at = opened("alpha", **SMALL, h="unknown", a="power:k=0.5")
    assert [name[:3] for name in at.session_state["exports"].things["schedules"].index] == ["C ·", "D ·", "Now"]


def test_comparison_shows_the_numbers_of_the_core():
    """The numbers on the page are those of the core."""
    at = opened("alpha", **SMALL, **TABLE)
    stream = aklo.syn1(n_tasks=6, n_examples=20, seed=0)
    table = at.session_state["exports"].things["schedules"]
    for row, schedule in zip(
        table.index, (aklo.Linear(), aklo.Linear(0.5), aklo.Exponential(), aklo.Step()), strict=True
    ):
        run = aklo.run(stream, lam=1e-3, seed=0, **mixing(at) | {"alpha": schedule})
        assert table.loc[row, "AKLO Sum, %"] == pytest.approx(100 * run.ace["AKLO Sum"])
        assert table.loc[row, "Wrong in task 3"] == run.errors["AKLO Sum"][3].sum()


@pytest.mark.parametrize("method", aklo.METHODS)
def test_every_method_opens(method):
    at = opened("alpha", **SMALL, m=method)
    assert alpha_picture(at)["stream"]
    assert (not charts(look(at, MAP["pa"]))) == (method in ("ITOL", "TOL"))


@pytest.mark.parametrize("query", [{"T": "1", "t": "0"}, {"N": "1"}, {"N": "2"}, {"t": "0"}, {"a": "constant:value=0"}])
def test_smallest_sizes_open(query):
    at = opened("alpha", **SMALL | query)
    assert alpha_picture(at)["stream"]
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
    # The schedule that the paper prints stands in the corner, with exactly its own error.
    assert found.ace[0, -1] == runs.run(settings.change(alpha="linear:end=0")).ace["AKLO Sum"]
    best, least = alpha_map.refined(settings, found)
    assert least == runs.run(settings.change(alpha=best.spec)).ace["AKLO Sum"] <= found.ace.min()
    sound(press(at, "use_best").run())
    assert at.session_state["settings"].alpha == best.spec
    assert at.button(key="use_best").disabled


def test_map_says_how_sure_its_best_schedule_is():
    """The interval is that of paired differences over the repetitions."""
    at = opened("alpha", **SMALL, **MAP, a="constant:value=0", R="6")
    settings = at.session_state["settings"]
    best, _ = alpha_map.refined(settings, alpha_map.compute(settings))
    check = alpha_map.checked(settings, best)
    errors = []
    for each in (settings.change(alpha=best.spec), settings):
        repetitions.compute(each)
        errors.append(repetitions.found(each).ace["AKLO Sum"].to_numpy())
    interval = stats.ttest_rel(errors[1], errors[0]).confidence_interval()
    assert (check.low, check.high) == pytest.approx((interval.low, interval.high))
    assert (check.repetitions, check.best, check.current) == (6, errors[0].mean(), errors[1].mean())
    [said] = [text.value for text in at.markdown if ranking.schedule_check(check) in text.value]
    assert said.endswith("the interval covers other data of the same kind.")
    assert alpha_map.checked(settings.change(repetitions=1), best) is None


def test_a_number_of_a_cell_is_its_schedule():
    found = alpha_map.compute(opened("alpha", **SMALL, **MAP).session_state["settings"])
    assert found.schedule_of(11 * found.best[0] + found.best[1]) == found.best_schedule


def test_large_map_is_computed_after_a_click(monkeypatch):
    monkeypatch.setattr(alpha_map, "UNASKED", 0)
    at = opened("alpha", **SMALL | MAP | {"s": "77"})
    assert not charts(at)
    press(at, "map_start")
    assert charts(at)["alpha_map"]
    assert "map_start" not in [button.key for button in at.button]


def test_schedules_have_their_place_on_the_map():
    assert alpha_map.position(aklo.Linear(0.3), 50) == (1.0, 0.3)
    assert alpha_map.position(aklo.Ramp(0.3, 10), 50) == (0.2, pytest.approx(0.3))
    assert alpha_map.position(aklo.Ramp(0.0, 100), 50) == (1.0, 0.5)  # half way down is Linear(0.5)
    assert alpha_map.position(aklo.Constant(1.0), 50) == (1.0, 1.0)
    assert alpha_map.position(aklo.Cosine(), 50) is None
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
    before = alpha_map.results(settings).share_done
    assert 0.3 < before < 0.4
    seen: list[float] = []
    alpha_map.compute(settings, seen.append)
    assert min(seen) >= before - 1e-9
    assert alpha_map.results(settings).share_done == 1


def test_ramp_falls_straight_and_equals_linear_with_n_steps():
    """Straight down, then level; with N steps it is Linear, to the last bit."""
    assert aklo.Ramp(end=0.5, steps=2).values(4).tolist() == [1, 0.75, 0.5, 0.5]
    assert aklo.Schedule.parse("ramp:end=0.5,steps=2") == aklo.Ramp(0.5, 2)
    for n in (1, 7, 37, 100):
        for end in (0, 0.3, 1):
            assert np.array_equal(aklo.Ramp(end, n).values(n), aklo.Linear(end).values(n))
    with pytest.raises(ValueError, match="steps must be above 0"):
        aklo.Ramp(0.5, 0).values(3)


def test_schedule_title_names_kind_and_parameters():
    assert schedule_title(aklo.Exponential(20)) == "Exponential, half-life 20"
    assert schedule_title(aklo.Custom([1, 0.5, 0])) == "Custom, 3 points"
    assert schedule_title(aklo.Cosine()) == "Cosine"
