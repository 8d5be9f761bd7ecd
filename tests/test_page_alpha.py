"""The page "Shape alpha" without a browser: every preset, schedule and horizon, the comparison and the map."""

from __future__ import annotations

import json

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import aklo
from aklo.lab import alpha_map, compare_alpha, results
from aklo.lab.settings import PRESETS, Settings
from aklo.lab.sketch import points
from aklo.schedules import SCHEDULES

SMALL = {"d": "syn1", "s": "0", "T": "6", "N": "20", "t": "3"}
CHARTS = ("alpha_curve", "alpha_curves", "alpha_trust", "alpha_errors", "alpha_ace", "alpha_map")


def opened(**query: str) -> AppTest:
    app = AppTest.from_file("../app.py", default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    app.switch_page("pages/alpha.py")
    return checked(app.run())


def checked(app: AppTest) -> AppTest:
    assert not app.exception, app.exception
    return app


def chart(app: AppTest, key: str) -> dict | None:
    """The spec of a Plotly chart."""
    found = [e for e in app.get("plotly_chart") if e.proto.id.endswith(f"-{key}")]
    return json.loads(found[0].proto.spec) if found else None


def names(app: AppTest, key: str) -> list[str]:
    return [trace["name"] for trace in chart(app, key)["data"] if "name" in trace]


def press(app: AppTest, key: str) -> AppTest:
    return checked(app.button(key=key).click().run())


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset(preset):
    app = opened(**PRESETS[preset].address())
    assert all(chart(app, key) for key in CHARTS)
    assert len(app.dataframe[0].value) >= 1


@pytest.mark.parametrize("horizon", aklo.HORIZONS)
def test_every_schedule(horizon):
    app = opened(**SMALL, h=horizon)
    offered = [kind for kind in SCHEDULES.values() if horizon == "known" or not kind.needs_horizon]
    for kind in offered:
        checked(app.selectbox(key="setting_alpha").set_value(kind).run())
        assert type(app.session_state["settings"].schedule) is kind
        assert all(chart(app, key) for key in CHARTS), kind
        assert app.latex[0].value.strip("$\n ") == kind.formula
        has_resets = "weights start anew" in names(app, "alpha_curve")
        assert has_resets == (horizon == "unknown")
    assert any("Draw your own" in s.value for s in app.subheader)
    assert any("known horizon" in info.value for info in app.info) == (horizon == "unknown")


def test_resets_stand_at_powers_of_two():
    app = opened(**SMALL, h="unknown", a="power:k=0.5")
    marks = next(t for t in chart(app, "alpha_curve")["data"] if t["name"] == "weights start anew")
    assert sorted({x for x in marks["x"] if x is not None}) == [1, 2, 4, 8, 16]


def test_comparison_keeps_and_drops():
    app = opened(**SMALL)
    assert names(app, "alpha_curves") == ["A", "B", "C", "D"]
    assert app.button(key="keep").disabled  # the current one is kept already
    checked(app.sidebar.slider(key="alpha_Linear_end").set_value(0.25).run())
    assert names(app, "alpha_curves") == ["A", "B", "C", "D", "Now"]
    assert app.button(key="keep").disabled  # four is all
    press(app, "drop_step:at=30")
    assert names(app, "alpha_curves") == ["A", "B", "C", "Now"]
    press(app, "keep")
    assert names(app, "alpha_curves") == ["A", "B", "C", "D"]
    assert list(app.dataframe[0].value.index)[-1] == "D · Linear, end 0.25"
    for spec in list(app.session_state["kept_schedules"]):
        press(app, f"drop_{spec}")
    assert names(app, "alpha_curves") == ["Now"]


def test_comparison_shows_what_runs_without_a_horizon():
    app = opened(**SMALL, h="unknown", a="power:k=0.5")
    assert names(app, "alpha_curves") == ["C", "D", "Now"]


def test_comparison_tells_the_truth():
    """The numbers on the page are those of the core."""
    app = opened(**SMALL)
    stream = aklo.syn1(n_tasks=6, n_examples=20, seed=0)
    table = app.dataframe[0].value
    for row, schedule in zip(
        table.index, (aklo.Linear(), aklo.Linear(0.5), aklo.Exponential(), aklo.Step()), strict=True
    ):
        run = aklo.run(stream, lam=1e-3, alpha=schedule, seed=0)
        assert table.loc[row, "AKLO Sum, %"] == pytest.approx(100 * run.ace["AKLO Sum"])
        assert table.loc[row, "Wrong in task 3"] == run.errors["AKLO Sum"][3].sum()


@pytest.mark.parametrize("method", aklo.METHODS)
def test_every_method(method):
    app = opened(**SMALL, m=method)
    assert (chart(app, "alpha_map") is None) == (method in ("ITOL", "TOL"))


@pytest.mark.parametrize("query", [{"T": "1", "t": "0"}, {"N": "1"}, {"N": "2"}, {"t": "0"}, {"a": "constant:value=0"}])
def test_smallest_sizes(query):
    app = opened(**SMALL | query)
    assert all(chart(app, key) for key in CHARTS[:-1])
    assert (chart(app, "alpha_map") is None) == (query.get("T") == "1")


def test_map_marks_the_best_and_uses_it():
    app = opened(**SMALL)
    settings = app.session_state["settings"]
    found = alpha_map.compute(settings)
    assert (
        found.ace.min()
        == found.ace[found.best]
        == results.run(settings.change(alpha=found.best_schedule.spec)).ace["AKLO Sum"]
    )
    # The paper's own stands in the corner, with exactly its own error.
    assert found.ace[0, -1] == results.run(settings).ace["AKLO Sum"]
    press(app, "use_best")
    assert app.session_state["settings"].alpha == found.best_schedule.spec
    assert app.button(key="use_best").disabled


def test_a_large_map_waits_until_asked(monkeypatch):
    monkeypatch.setattr(alpha_map, "CHEAP", 0)
    app = opened(**SMALL | {"s": "77"})
    assert chart(app, "alpha_map") is None
    press(app, "map_start")
    assert chart(app, "alpha_map")
    assert "map_start" not in [button.key for button in app.button]


def test_place_on_the_map():
    assert alpha_map.place(aklo.Linear(0.3), 50) == (1.0, 0.3)
    assert alpha_map.place(aklo.Ramp(0.3, 10), 50) == (0.2, pytest.approx(0.3))
    assert alpha_map.place(aklo.Ramp(0.0, 100), 50) == (1.0, 0.5)  # half way down is Linear(0.5)
    assert alpha_map.place(aklo.Constant(1.0), 50) == (1.0, 1.0)
    assert alpha_map.place(aklo.Cosine(), 50) is None
    assert alpha_map.nearest(aklo.Linear(0.5), 50) == aklo.Ramp(0.5, 50)
    assert alpha_map.nearest(aklo.Step(1), 50) == aklo.Ramp(0.0, 1)


def test_work_that_was_cut_short_is_kept():
    settings = Settings().change(n_tasks=5, n_examples=12, seed=4321)

    class Stopped(Exception):
        pass

    def stop(share: float) -> None:
        if share > 0.3:
            raise Stopped

    with pytest.raises(Stopped):
        alpha_map.compute(settings, stop)
    before = alpha_map.done(settings)
    assert 0.3 < before < 0.4
    seen: list[float] = []
    alpha_map.compute(settings, seen.append)
    assert min(seen) >= before - 1e-9
    assert alpha_map.done(settings) == 1


def test_ramp():
    """Straight down, then level; with N steps it is Linear, to the last bit."""
    assert aklo.Ramp(end=0.5, steps=2).values(4).tolist() == [1, 0.75, 0.5, 0.5]
    assert aklo.Schedule.parse("ramp:end=0.5,steps=2") == aklo.Ramp(0.5, 2)
    for n in (1, 7, 37, 100):
        for end in (0, 0.3, 1):
            assert np.array_equal(aklo.Ramp(end, n).values(n), aklo.Linear(end).values(n))
    with pytest.raises(ValueError, match="steps must be above 0"):
        aklo.Ramp(0.5, 0).values(3)


def test_points_to_drag():
    assert points(aklo.Linear(0.5), 1) == [1.0] * 9
    assert points(aklo.Custom([1, 0.4, 0.2, 0]), 50) == [1, 0.4, 0.2, 0]
    assert len(points(aklo.Custom([0.5]), 50)) == 9
    for kind in SCHEDULES.values():
        heights = points(kind(), 100)
        assert heights == sorted(heights, reverse=True)
        aklo.Custom(heights).values(100)


def test_titles():
    assert compare_alpha.title(aklo.Exponential(20)) == "Exponential, half-life 20"
    assert compare_alpha.title(aklo.Custom([1, 0.5, 0])) == "Custom, 3 points"
    assert compare_alpha.title(aklo.Cosine()) == "Cosine"
