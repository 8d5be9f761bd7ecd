"""The page "Sandbox", run without a browser."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import aklo
from aklo.lab.components.sandbox import reply
from aklo.lab.compute import runs
from aklo.lab.compute.sandbox_history import OTHER_SEEDS, honest, past, sources
from aklo.lab.session import sandbox_story
from aklo.lab.settings.presets import PRESETS
from aklo.lab.settings.schema import Settings
from aklo.world import World, said
from tests import pages
from tests.pages import control, sound
from tests.sent import read_block

SMALL = {"T": "5", "N": "20"}


def opened(**query: str) -> AppTest:
    return pages.opened("world", **query)


def shown(at: AppTest) -> tuple[dict, dict]:
    """The header and the arrays that the plane was sent; the story it answers is the session's."""
    found = [c.proto for c in at.get("bidi_component") if c.proto.component_name.endswith("aklo_world")]
    assert len(found) == 1
    return read_block(found[0].bytes)


def clicks(n: int, seed: int = 0) -> list[float]:
    rng = np.random.default_rng(seed)
    return [v for _ in range(n) for v in (*rng.normal(10, 2, 2).round(4).tolist(), int(rng.choice([-1, 1])))]


def tale(**words) -> sandbox_story.Story:
    found, note = sandbox_story.read({"serial": 1, "tasks": [], "now": [], "ask": None} | words)
    assert note == ""
    return found


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_opens(preset: str):
    at = opened()
    sound(control(at, "preset").set_value(preset).run())
    if preset == "Digits, real images":
        assert "The digits have 65" in at.info[0].value
        next(button for button in at.button if button.label == "Play in the plane, with syn1").click()
        sound(at.run())
        assert not at.info and runs.stream(at.session_state["settings"]).d == 2
    header, _ = shown(at)
    assert header["n"] == 1 and not header["pending"] and header["T"] > 0
    assert any("unknown horizon" in caption.value for caption in at.caption)


@pytest.mark.parametrize(
    "query",
    [
        {"T": "1", "N": "1"},
        {"T": "200", "N": "60"},
        {"T": "2", "N": "1000"},
        {"T": "5", "N": "20", "sh": "0"},
        {"T": "5", "N": "20", "sh": "1", "o": "blocks"},
        {"T": "5", "N": "20", "l": "1000"},
        {"T": "5", "N": "20", "l": "0.001", "c": "advice", "s": "9999"},
        {"T": "5", "N": "20", "sp": "5", "e": "0.5"},
        {"T": "5", "N": "20", "sp": "0.1", "e": "0"},
        {"d": "conflict", "T": "5", "N": "20", "an": "180"},
        {"T": "5", "N": "20", "h": "unknown", "a": "step:at=30"},
        {"T": "5", "N": "20", "a": "constant:value=1", "m": "Unif Sample"},
        {"T": "5", "N": "20", "a": "constant:value=0", "m": "ITOL"},
    ],
)
def test_extreme_settings_open(query: dict[str, str]):
    at = opened(**query)
    at.session_state[sandbox_story.STATE] = (tale(tasks=[clicks(3)], now=clicks(4, 1), ask=[9.0, 11.0]), "")
    sound(at.run())
    header, arrays = shown(at)
    assert (header["n"], header["T"], header["finished"]) == (5, int(query["T"]) + 1, 1)
    assert np.isfinite(arrays["own"]).all()


def test_sandbox_shows_the_numbers_of_the_core():
    at = opened(**SMALL, c="advice", a="power:k=0.7", l="0.1", s="3")
    kept = tale(tasks=[clicks(6), clicks(5, 1)], now=clicks(9, 2), ask=[12.0, 8.0])
    at.session_state[sandbox_story.STATE] = (kept, "")
    header, arrays = shown(sound(at.run()))
    learned = aklo.learn(aklo.syn1(5, 20, seed=3), lam=0.1)
    world = World.after(learned, alpha=aklo.Power(0.7), clip="advice", seed=3)
    mistakes = np.zeros(6, dtype=int)
    for task in kept.tasks:
        mistakes += [int(world.play(task.X, task.y).errors[m].sum()) for m in aklo.METHODS]
        world = world.finish(task.X, task.y)
    replay = world.ask(kept.now.X, kept.now.y, kept.ask)
    assert header["says"] == list(said(replay).values())
    assert header["mistakes"] == mistakes.tolist() and header["toldBefore"] == 11
    np.testing.assert_allclose(arrays["weights"].reshape(10, 7), replay.weights, rtol=1e-6)
    np.testing.assert_array_equal(arrays["experts"].reshape(7, 3)[:, 1:], world.experts)
    assert header["names"][-2:] == ["your task 1", "your task 2"] and header["title"] == "Your task 3"
    assert header["anew"] == 16


def test_sandbox_always_has_an_unknown_horizon():
    assert honest(Settings()).schedule == aklo.Power(0.5) and honest(Settings()).horizon == "unknown"
    at = opened(**SMALL)
    kinds = control(at, "setting_alpha").options
    assert "Power" in kinds and "Linear" not in kinds and "Cosine" not in kinds
    sound(control(at, "setting_alpha").set_value(aklo.Exponential).run())
    assert at.query_params["a"] in ("exponential:half_life=20", ["exponential:half_life=20"])
    assert "h" not in at.query_params  # the other pages keep their horizon


def test_generated_examples_are_fresh_and_reproducible():
    """Their examples are fresh, labelled by the group's own vector, and do not depend on what was undone in between."""
    settings = Settings().change(n_tasks=5, n_examples=20)
    d1, d2 = sources(settings, 0)
    assert (d1.group, d2.group) == (0, 1)
    assert not (d1.X[:, None] == runs.stream(settings).X[None]).all(axis=2).any()
    assert settings.seed + OTHER_SEEDS > 9999
    header, _ = read_block(reply(settings, tale(now=clicks(4), ask=[12.0, 8.0])))
    assert header["answers"] == [-1, 1]  # left of D1's line is +1, below it -1; of D2's flatter one it is above
    np.testing.assert_allclose(header["next"], [d1.X[5], d2.X[5], d2.X[5]], atol=1e-4)
    again, _ = read_block(reply(settings, tale(now=clicks(5))))
    assert again["next"][:2] == header["next"][:2]


def test_window_changes_only_for_examples_outside():
    settings = Settings().change(n_tasks=5, n_examples=20)
    still = read_block(reply(settings, tale()))[0]["box"]
    left, right, bottom, top = still
    inside = [left, bottom, 1, right, top, -1]
    assert read_block(reply(settings, tale(now=inside)))[0]["box"] == still
    far = read_block(reply(settings, tale(now=[left - 10, bottom, 1], ask=[right, top + 3])))[0]["box"]
    assert far[0] < left - 10 and far[3] > top + 3 and far[1:3] == [right, bottom]


def test_finished_tasks_are_cached():
    settings = Settings().change(n_tasks=5, n_examples=20)
    kept = tale(tasks=[clicks(3)], now=clicks(2))
    assert past(settings, kept.tasks) is past(settings, tale(tasks=[clicks(3)]).tasks)
    assert past(settings, kept.tasks) is not past(settings.change(lam=0.1), kept.tasks)


def test_unreadable_story_gives_a_note():
    found, note = sandbox_story.read({"serial": 4, "now": [1, 2, 7]})
    header, _ = read_block(reply(Settings().change(n_tasks=3, n_examples=9), found, note))
    assert header["serial"] == 4 and "label" in header["note"] and header["n"] == 1


def test_longest_story_is_accepted():
    kept = tale(tasks=[clicks(200, k) for k in range(3)], now=clicks(sandbox_story.IN_A_TASK), ask=[1.0, 1.0])
    header, _ = read_block(reply(Settings().change(n_tasks=3, n_examples=9), kept))
    assert header["n"] == sandbox_story.IN_A_TASK + 1
