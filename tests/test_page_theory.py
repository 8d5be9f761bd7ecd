"""The page "Error bounds", run without a browser."""

from __future__ import annotations

import base64
import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import aklo
from aklo.lab.compute import bounds, runs
from aklo.lab.settings.presets import PRESETS
from aklo.lab.settings.schema import FIELDS, Settings, read_address
from aklo.lab.settings.text import bound_number
from aklo.theory import hindsight
from aklo.theory.bounds import STATEMENTS, largest_norm
from aklo.theory.readings import Reading
from tests import pages
from tests.pages import charts, control, moved, sound
from tests.sent import read_block

PARTS = FIELDS["theory_part"].choices
BROKEN, HOLD = PARTS[1:]


def opened(settings: Settings) -> AppTest:
    return pages.opened("theory", settings)


def chart(at: AppTest, key: str) -> dict:
    """The Plotly figure with this key."""
    return charts(at)[key]


def values(array: object) -> np.ndarray:
    """A Plotly array, which may be written as base64."""
    if not isinstance(array, dict):
        return np.asarray(array)
    return np.frombuffer(base64.b64decode(array["bdata"]), dtype=array["dtype"])


def said(at: AppTest) -> str:
    return "\n".join(element.value for element in at.markdown)


SMALL = Settings().change(dataset="conflict", n_tasks=6, n_examples=30, task=4)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_opens(preset: str):
    for part in (PARTS[0], HOLD):
        at = opened(PRESETS[preset].change(theory_part=part))
        assert len(charts(at)) == 3
        charts(at)


def test_preset_keeps_the_part_of_the_page_that_is_shown():
    at = opened(SMALL)
    for part in PARTS:
        moved(control(at, "setting_theory_part").set_value(part))
        moved(control(at, "preset").set_value("Same rule for all tasks"))
        assert at.session_state["settings"].theory_part == part


ENDS = (
    {"radius": 0.05, "delta": 0.01, "gamma": 0.01, "stated_rate": True},
    {"radius": 20.0, "delta": 0.99, "gamma": 0.99},
    {"n_examples": 1, "task": 1},
    {"n_tasks": 2, "task": 1, "alpha": "constant:value=0"},
    {"horizon": "unknown", "alpha": "power:k=0.5", "clip": "advice", "stated_rate": True},
)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_page_opens_at_both_ends_of_its_settings(statement: str):
    for change in ENDS:
        assert len(charts(opened(SMALL.change(statement=statement, **change)))) == 3


def test_part_with_bounds_that_hold_opens_at_both_ends_of_its_settings():
    for change in ENDS:
        assert len(charts(opened(SMALL.change(theory_part=HOLD, **change)))) == 3


@pytest.mark.parametrize("settings", [SMALL.change(task=0), SMALL.change(n_tasks=1)])
def test_first_task_has_no_bound_and_says_so(settings: Settings):
    for part in (PARTS[0], HOLD):
        at = opened(settings.change(theory_part=part))
        assert "there are no experts yet" in at.info[0].value and not charts(at)


def test_chart_shows_the_bound_of_the_core():
    settings = SMALL.change(radius=1.5, clip="advice")
    bound = aklo.theorem1(runs.replay(settings), R=1.5)
    at = opened(settings)
    lines = {trace["name"]: trace for trace in chart(at, "promise")["data"]}
    for name, column in bound.terms.items():
        np.testing.assert_allclose(values(lines[name]["y"]), column)
    np.testing.assert_allclose(values(lines["bound"]["y"])[-1], bound.total)
    np.testing.assert_array_equal(values(lines["mistakes"]["y"]), bound.mistakes)
    assert f"allows {bound_number(bound.total)} mistakes" in said(at)
    bars = chart(at, "voices")["data"]
    alone = {bar["name"]: values(bar["x"]) for bar in bars}
    assert alone["finding the expert"][2] == alone["best expert's loss"][2] == 0
    assert alone["learning"][1] == alone["best classifier's loss"][1] == 0


def test_a_bound_that_cannot_be_computed_says_so_instead_of_a_number(monkeypatch: pytest.MonkeyPatch):
    """After one step of the search for the best classifier, its duality gap is far too large."""
    monkeypatch.setattr(hindsight, "STEPS", 1)
    for statement in STATEMENTS:
        at = opened(SMALL.change(statement=statement))
        if statement != "Corollary 1":  # which has no term for the classifier
            assert f"{statement} has no number here" in said(at)
            assert {trace["name"] for trace in chart(at, "promise")["data"]} == {"bound", "mistakes", "all wrong"}
            assert np.isnan(values(chart(at, "promise")["data"][0]["y"]).astype(float)).all()
        assert not re.search(r"\bnan\b", said(at), re.IGNORECASE)
    at = opened(SMALL.change(theory_part=HOLD))
    assert "Theorem 1 could not be computed" in said(at) and "Mended rule has no number here" in said(at)
    bars = chart(at, "totals")["data"]
    assert "Theorem 1, printed: no number" in bars[0]["y"] and "One pool" in bars[0]["y"]
    shown = [zip(bar["y"], values(bar["x"]), strict=True) for bar in bars if bar["type"] == "bar"]
    drawn = {name for bar in shown for name, x in bar if x > 0}
    assert not any("no number" in name for name in drawn) and "One pool" in drawn


def test_stated_lambda_fulfils_its_condition():
    at = opened(SMALL.change(radius=10.0))
    assert ":red[:material/close:] lambda is as stated" in said(at)
    sound(control(at, "setting_stated_rate").set_value(True).run())
    assert ":green[:material/check:] lambda is as stated" in said(at)
    assert at.query_params["sl"] == "1"
    wanted = aklo.stated_lambda(30, X=largest_norm(runs.stream(SMALL)[4].X), R=10.0)
    assert any(f"λ is {wanted:.3g}, the statement requires {wanted:.3g}" in caption.value for caption in at.caption)
    assert "vacuous" in said(at)


def test_buttons_take_constant_and_linear_alpha():
    at = opened(SMALL)
    sound(at.button(key="take_constant:value=1").click().run())
    assert at.session_state["settings"].alpha == "constant:value=1" and at.button(key="take_constant:value=1").disabled
    sound(at.button(key="take_paper").click().run())
    assert at.session_state["settings"].schedule == aklo.Linear()


def test_corollary1_shows_its_numbers():
    at = opened(SMALL.change(statement="Corollary 1", gamma=0.9, alpha="constant:value=1"))
    assert any("t₀ = 30 of N = 30" in caption.value for caption in at.caption)


def played(at: AppTest) -> dict:
    """The header of what the player was told."""
    (found,) = [c.proto for c in at.get("bidi_component") if c.proto.component_name.endswith("player")]
    return read_block(found.bytes)[0]


@pytest.mark.parametrize("name", aklo.CASES)
def test_every_counterexample_is_explained_and_played(name: str):
    case = aklo.CASES[name]()
    bound = case.bound()
    at = opened(Settings().change(theory_part=BROKEN, case=name))
    assert "The bound is broken" in said(at) and "7 of 7 counterexamples break their statement" in said(at)
    for text in (case.data, case.breaks, case.unseen):
        assert text in said(at)
    header = played(at)
    assert header["promise"] == bound.total and header["n"] == len(case.y)


OTHER_READINGS: list[dict] = [
    {},
    {"case_clip": "advice"},
    {"zero_sign": -1},
    {"ties": "half"},
    {"ties": "right", "zero_sign": -1},
    {"peek": True},
    {"case_clip": "advice", "peek": True, "ties": "right"},
]


@pytest.mark.parametrize("chosen", OTHER_READINGS)
def test_table_of_counterexamples_has_both_numbers_under_the_chosen_reading(chosen: dict):
    settings = Settings().change(theory_part=BROKEN, case="The last stretch", **chosen)
    at = opened(settings)
    reading = bounds.reading(settings)
    table, n_broken = at.table[0].value, 0
    for name, make in aklo.CASES.items():
        case = make()
        bound, mistakes = case.bound(), case.mistakes(reading)
        row = table.loc[f"**{name}**" if name == settings.case else name]
        assert row["Mistakes / bound"] == f"{mistakes:g} / {bound_number(bound.total)}"
        assert row["Statement"] == case.statement
        assert ("yes" in row["Broken"]) == (mistakes > bound.total + 1e-9)
        assert row["Survives readings"] == ("all but " + ", ".join(case.fails) if case.fails else "all")
        n_broken += mistakes > bound.total + 1e-9
    assert f"{n_broken} of 7 counterexamples break their statement" in said(at)


def test_readings_are_in_the_address_and_can_be_undone():
    at = opened(Settings().change(theory_part=BROKEN, case="Two against one"))
    moved(control(at, "setting_peek").set_value(True))
    moved(control(at, "setting_ties").set_value("half"))
    assert at.query_params["pk"] in ("1", ["1"]) and at.query_params["ti"] in ("half", ["half"])
    assert "Under this reading the bound is not broken" in said(at)
    assert any("The player has" in caption.value for caption in at.caption)
    for _ in range(2):
        sound(at.button(key="undo").click().run())
    assert "The bound is broken" in said(at) and bounds.reading(at.session_state["settings"]) == Reading()


@pytest.mark.parametrize("N", [100, 1000, 10_000, 30_000])
def test_last_stretch_grows_with_its_slider(N: int):
    at = opened(Settings().change(theory_part=BROKEN, case="The last stretch"))
    moved(control(at, "setting_stretch_n").set_value(N))
    case = aklo.last_stretch(N)
    bound = case.bound()
    assert played(at)["n"] == N and played(at)["promise"] == bound.total
    assert f"{bound.mistakes[-1]} of {N}" in said(at)
    lines = {trace["name"]: trace for trace in chart(at, "stretches")["data"]}
    at_n = list(values(lines["mistakes"]["x"])).index(N)
    assert values(lines["mistakes"]["y"])[at_n] == bound.mistakes[-1]
    assert values(lines["bound"]["y"])[at_n] == pytest.approx(bound.total)
    gaps = values(lines["mistakes"]["y"]) - values(lines["bound"]["y"])
    assert (np.diff(gaps) > 0).all() and gaps[-1] > 0.029 * 30_000


@pytest.mark.parametrize(("zeros", "n"), [(0, 1), (0, 1000), (6, 1), (6, 1000), (3, 100)])
def test_loud_liar_counts_mistakes_of_both_clips(zeros: int, n: int):
    at = opened(Settings().change(theory_part=BROKEN, loudness=zeros, liar_n=n))
    counts = bounds.liars(at.session_state["settings"])
    assert f"**{counts['sum']}** mistakes. Clipped on each expert: **{counts['advice']}**" in said(at)
    if (zeros, n) == (3, 100):
        assert counts == {"sum": 59, "advice": 0}
    sound(control(at, "setting_case_clip").set_value("advice").run())
    assert "The bound is broken" not in said(at)


@pytest.mark.parametrize("name", ["Your task", *aklo.CASES])
def test_bounds_that_hold_are_drawn_beside_the_printed_ones(name: str):
    settings = SMALL.change(theory_part=HOLD, mended_on=name)
    at = opened(settings)
    if name == "Your task":
        replay, R, X = runs.replay(settings), settings.radius, None
        printed = [aklo.theorem1(replay, R=R), *bounds.printed(settings, replay)[1:]]
    else:
        case = aklo.CASES[name]()
        replay, R, X = case.replay(), case.R, case.X_max
        printed = [case.bound(replay)]
    pool, mended = aklo.pool_bound(replay), aklo.mend(replay, R=R, X=X).bound
    for key, bound in (("pool", pool), ("repaired", mended)):
        lines = {trace["name"]: trace for trace in chart(at, key)["data"]}
        assert values(lines["bound"]["y"])[-1] == pytest.approx(bound.total)
        assert values(lines["mistakes"]["y"])[-1] == bound.mistakes[-1]
    assert chart(at, "pool")["layout"]["yaxis"]["range"] == chart(at, "repaired")["layout"]["yaxis"]["range"]
    *terms, made = chart(at, "totals")["data"]
    rows = [*printed, mended, pool]
    assert sum(values(bar["x"]) for bar in terms) == pytest.approx([bound.total for bound in rows])
    assert list(values(made["x"])) == [bound.mistakes[-1] for bound in rows]
    assert at.table[0].value.loc["A loud liar", "Printed"] == "100 / 47.1"
    assert at.table[0].value.loc["The last stretch", "One pool"] == "59 / 105.3"


def test_one_pools_bound_says_something_where_theorem_1_does_not():
    """On the task that the page opens with; and the proof has five lines."""
    settings = Settings().change(theory_part=HOLD)
    at = opened(settings)
    replay = runs.replay(settings)
    pool, printed = aklo.pool_bound(replay), aklo.theorem1(replay, R=settings.radius)
    assert pool.total < 40 < 100 < printed.total
    assert f"its bound is {bound_number(pool.total)}" in said(at) and "of 100, so it says nothing" in said(at)
    proof = next(text.value for text in at.markdown if "**Proof**" in text.value)
    assert [line[:2] for line in proof.splitlines() if line[:1].isdigit()] == ["1.", "2.", "3.", "4.", "5."]


@pytest.mark.parametrize("old", ["Out of the ball", "Nothing for the first", "Cheap knowledge"])
def test_link_to_a_case_of_an_earlier_version_falls_back_with_a_note(old: str):
    settings, notes = read_address({"ca": old, "me": old})
    assert settings.case in aklo.CASES and settings.mended_on == "Your task"
    assert len(notes) == 2 and all(repr(old) in note for note in notes)
