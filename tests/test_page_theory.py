"""The page "Does the promise hold?", run without a browser."""

from __future__ import annotations

import base64

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import aklo
from aklo.lab.components.player.payload import unpack
from aklo.lab.compute import bounds, runs
from aklo.lab.settings.presets import PRESETS
from aklo.lab.settings.schema import FIELDS, Settings
from aklo.lab.settings.text import bound_number
from aklo.theory.bounds import STATEMENTS, largest_norm
from tests.pages import charts, control, moved

PAGE = "pages/theory.py"
PARTS = FIELDS["theory_part"].choices
BROKEN, MENDED = PARTS[1:]


def opened(settings: Settings) -> AppTest:
    at = AppTest.from_file("../app.py", default_timeout=60).switch_page(PAGE)
    for name, value in settings.address().items():
        at.query_params[name] = value
    return sound(at.run())


def sound(at: AppTest) -> AppTest:
    assert not at.exception, at.exception[0].message
    return at


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
    for part in (PARTS[0], MENDED):
        at = opened(PRESETS[preset].change(theory_part=part))
        assert len(charts(at)) == (3 if part == PARTS[0] else 2)
        charts(at)


def test_preset_keeps_the_part_of_the_page_that_is_shown():
    at = opened(SMALL)
    for part in PARTS:
        moved(control(at, "setting_theory_part").set_value(part))
        moved(control(at, "preset").set_value("One family"))
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


def test_mended_part_opens_at_both_ends_of_its_settings():
    for change in ENDS:
        assert len(charts(opened(SMALL.change(theory_part=MENDED, **change)))) == 2


@pytest.mark.parametrize("settings", [SMALL.change(task=0), SMALL.change(n_tasks=1)])
def test_first_task_has_no_bound_and_says_so(settings: Settings):
    for part in (PARTS[0], MENDED):
        at = opened(settings.change(theory_part=part))
        assert "there are no experts yet" in at.info[0].value and not charts(at)


def test_chart_shows_the_bound_of_the_core():
    settings = SMALL.change(radius=1.5, clip="advice")
    bound = aklo.theorem1(runs.replay(settings), R=1.5)
    at = opened(settings)
    lines = {trace["name"]: trace for trace in chart(at, "promise")["data"]}
    for name, column in bound.terms.items():
        np.testing.assert_allclose(values(lines[name]["y"]), column)
    np.testing.assert_allclose(values(lines["promised"]["y"])[-1], bound.total)
    np.testing.assert_array_equal(values(lines["mistakes"]["y"]), bound.mistakes)
    assert f"at most {bound_number(bound.total)} mistakes" in said(at)
    bars = chart(at, "voices")["data"]
    alone = {bar["name"]: values(bar["x"]) for bar in bars}
    assert alone["finding the expert"][2] == alone["best expert's loss"][2] == 0
    assert alone["learning"][1] == alone["best classifier's loss"][1] == 0


def test_stated_lambda_fulfils_its_condition():
    at = opened(SMALL.change(radius=10.0))
    assert ":red[:material/close:] lambda is as stated" in said(at)
    sound(control(at, "setting_stated_rate").set_value(True).run())
    assert ":green[:material/check:] lambda is as stated" in said(at)
    assert at.query_params["sl"] == "1"
    wanted = aklo.stated_lambda(30, X=largest_norm(runs.stream(SMALL)[4].X), R=10.0)
    assert any(f"λ is {wanted:.3g}, the statement wants {wanted:.3g}" in caption.value for caption in at.caption)
    assert "vacuous" in said(at)


def test_buttons_take_constant_and_linear_alpha():
    at = opened(SMALL)
    sound(at.button(key="take_1").click().run())
    assert at.session_state["settings"].alpha == "constant:value=1" and at.button(key="take_1").disabled
    sound(at.button(key="take_paper").click().run())
    assert at.session_state["settings"].schedule == aklo.Linear()


def test_corollary1_shows_its_numbers():
    at = opened(SMALL.change(statement="Corollary 1", gamma=0.9, alpha="constant:value=1"))
    assert any("t₀ = 30 of N = 30" in caption.value for caption in at.caption)


def played(at: AppTest) -> dict:
    """The header of what the player was told."""
    (found,) = [c.proto for c in at.get("bidi_component") if c.proto.component_name.endswith("player")]
    return unpack(found.bytes)[0]


@pytest.mark.parametrize("name", aklo.CASES)
def test_every_counter_example_is_explained_and_played(name: str):
    case = aklo.CASES[name]()
    bound = case.bound()
    at = opened(Settings().change(theory_part=BROKEN, case=name))
    assert "The promise is broken" in said(at)
    for text in (case.data, case.breaks, case.unseen):
        assert text in said(at)
    header = played(at)
    assert header["promise"] == bound.total and header["n"] == len(case.y)


@pytest.mark.parametrize(("zeros", "n"), [(0, 1), (0, 1000), (6, 1), (6, 1000), (3, 100)])
def test_loud_liar_counts_mistakes_of_both_clips(zeros: int, n: int):
    at = opened(Settings().change(theory_part=BROKEN, loudness=zeros, liar_n=n))
    counts = bounds.liars(at.session_state["settings"])
    assert f"**{counts['sum']}** mistakes. Clipped on each expert: **{counts['advice']}**" in said(at)
    if (zeros, n) == (3, 100):
        assert counts == {"sum": 59, "advice": 0}
    sound(control(at, "setting_liar_clip").set_value("advice").run())
    assert "The promise is broken" not in said(at)


@pytest.mark.parametrize("name", ["Your stream", *aklo.CASES])
def test_mended_rule_is_drawn_beside_the_printed_one(name: str):
    settings = SMALL.change(theory_part=MENDED, mended_on=name)
    at = opened(settings)
    if name == "Your stream":
        replay, R, X = runs.replay(settings), settings.radius, None
    else:
        case = aklo.CASES[name]()
        replay, R, X = case.replay(), case.R, case.X_max
    bound = aklo.mend(replay, R=R, X=X).bound
    lines = {trace["name"]: trace for trace in chart(at, "repaired")["data"]}
    assert values(lines["promised"]["y"])[-1] == pytest.approx(bound.total)
    assert values(lines["mistakes"]["y"])[-1] == bound.mistakes[-1]
    assert chart(at, "printed")["layout"]["yaxis"]["range"] == chart(at, "repaired")["layout"]["yaxis"]["range"]
    assert at.table[0].value.loc["A loud liar", "Printed"] == "100 / 47.1"
