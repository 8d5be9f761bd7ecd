"""Random moves of all controls of every page: whatever is moved, in whatever order, ends in a page and an address."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from aklo.lab.compute import paper
from aklo.lab.frame.navigation import PAGES
from aklo.lab.server import work_rate
from aklo.lab.settings.schema import Settings, read_address, waiting_sentence
from tests.pages import Control, assert_controls_are_true, charts, lab_controls, opened, sound

STEPS = 8
RUNS = int(os.environ.get("AKLO_RANDOM_RUNS", "2"))  # on each page; more of them find more, and take longer
SMALL = Settings().change(n_tasks=5, n_examples=12, task=2, repetitions=2)

Move = Callable[[], object]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer repetitions of the paper, and what begins unasked does not depend on how busy this machine is."""
    monkeypatch.setattr(paper, "REPETITIONS", 2)
    monkeypatch.setattr(work_rate, "rate", lambda kind, guess: guess)


def some_value(control: Control, dice: int) -> object:
    """One of the values that a control can be set to."""
    kind = control.told["kind"]
    if kind == "switch":
        return not control.value
    if kind == "pills":
        return [name for k, name in enumerate(control.options) if dice >> k & 1]
    if kind in ("list", "segments"):
        return control.options[dice % len(control.options)]
    step = control.told.get("step", 1)
    number = control.min + step * (dice % (round((control.max - control.min) / step) + 1))
    words = control.told.get("words")
    return float(words[int(number)]) if words else min(number, control.max)


def moves(at: AppTest, dice: int) -> list[tuple[str, Move]]:
    """All that can be moved on the page, each with one of its values. A move runs the page."""
    found: list[tuple[str, Move]] = []
    for one in lab_controls(at):
        value = some_value(one, dice)
        found.append((one.key, lambda w=one, v=value: w.set_value(v).run()))
    for widget in at.slider:  # of the lessons
        steps = round((widget.max - widget.min) / widget.step)
        value = widget.min + widget.step * (dice % (steps + 1))
        found.append((widget.key, lambda w=widget, v=value: w.set_value(min(v, w.max)).run()))
    for widget in at.number_input:
        value = int(widget.min + dice % (widget.max - widget.min + 1))
        found.append((widget.key, lambda w=widget, v=value: w.set_value(v).run()))
    for widget in [*at.selectbox, *at.radio, *at.button_group]:
        option = widget.options[dice % len(widget.options)]
        if widget.type == "button_group":
            found.append((widget.key, lambda w=widget, v=option: w.set_value(v).run()))
        else:
            found.append((widget.key, lambda w=widget, v=option: w.select_index(w.options.index(v)).run()))
    for widget in [*at.toggle, *at.checkbox]:
        found.append((widget.key, lambda w=widget: w.set_value(not w.value).run()))
    for widget in at.button:
        if not widget.disabled:
            found.append((widget.label, lambda w=widget: w.click().run()))
    return found


def reads_back(at: AppTest) -> None:
    """The address is that of the settings, and of nothing else."""
    if "settings" not in at.session_state:
        return
    now = at.session_state["settings"]
    query = {name: value[0] if isinstance(value, list) else value for name, value in at.query_params.items()}
    again, notes = read_address(query)
    assert again.address() == now.address()
    assert notes == ([waiting_sentence(now)] if now.alpha_waits else [])


@pytest.mark.parametrize("stem", PAGES)
@given(st.lists(st.tuples(st.integers(0, 999), st.integers(0, 9999)), min_size=STEPS, max_size=STEPS))
@settings(
    max_examples=RUNS, derandomize=True, phases=[Phase.generate], database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
def test_random_moves_keep_page_controls_and_address_consistent(stem: str, steps: list[tuple[int, int]]) -> None:
    at = opened(None if stem == "app" else stem, SMALL)
    for which, dice in steps:
        possible = moves(at, dice)
        if not possible:  # a page to read
            return
        name, move = possible[which % len(possible)]
        try:
            move()
            sound(at)
            charts(at)
            reads_back(at)
            if "settings" in at.session_state:
                assert_controls_are_true(at)
        except AssertionError as error:
            error.add_note(f"after {name!r} with {dice}, on {stem}")
            raise
