"""What CONTRIBUTING.md promises of a new schedule: one class in one file, and everything finds it by itself."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import aklo
from aklo import schedules
from aklo.lab.settings.schema import Settings, read_address
from tests.pages import control, moved, opened
from tests.test_cli import cli

SMALL = {"d": "syn1", "T": "4", "N": "12", "t": "2"}


@pytest.fixture
def harmonic():
    """The class of CONTRIBUTING.md's diff, as if it stood in aklo/schedules.py; gone again afterwards."""
    text = Path("CONTRIBUTING.md").read_text()
    diff = re.search(r"<!-- schedule -->\n```diff\n(.*?)```", text, re.DOTALL)[1]
    source = "\n".join(line[1:] for line in diff.splitlines() if line.startswith("+"))
    known = dict(schedules.SCHEDULES)
    exec(compile(source, "CONTRIBUTING.md", "exec"), vars(schedules))
    try:
        yield vars(schedules)["Harmonic"]
    finally:
        schedules.SCHEDULES.clear()
        schedules.SCHEDULES.update(known)
        del vars(schedules)["Harmonic"]


def test_the_core_finds_it(harmonic):
    assert schedules.Schedule.parse("harmonic:rate=4") == harmonic(rate=4.0)
    np.testing.assert_allclose(harmonic(rate=4.0).values(5), [1, 4 / 5, 4 / 6, 4 / 7, 4 / 8])
    run = aklo.run(aklo.syn1(n_tasks=3, n_examples=9), lam=0.1, alpha=harmonic(), horizon="unknown")
    assert len(run.ace) == 6


def test_the_command_line_finds_it(harmonic):
    size = ("--n-tasks", 3, "--n-examples", 9, "--repetitions", 2)
    code, out, _ = cli("run", *size, "--alpha", "harmonic:rate=4", "--json")
    assert code == 0 and json.loads(out)["alpha"] == "harmonic:rate=4"


def test_the_link_holds_it(harmonic):
    address = Settings().change(alpha=harmonic(rate=7.0).spec).address()
    settings, notes = read_address(address)
    assert settings.schedule == harmonic(rate=7.0) and not notes


@pytest.mark.parametrize("page", ["watch", "alpha"])
def test_the_pages_find_it(harmonic, page):
    """It is offered, chosen, and its parameter has a slider with the range and the help of its field."""
    app = opened(page, **SMALL)
    assert "Harmonic" in control(app, "setting_alpha").options
    moved(control(app, "setting_alpha").set_value(harmonic))
    slider = control(app, "alpha_Harmonic_rate")
    assert (slider.min, slider.max, slider.value) == (0.5, 200.0, 20.0) and "half of the trust" in slider.help
    moved(slider.set_value(5.0))
    assert app.query_params["a"] in ("harmonic:rate=5", ["harmonic:rate=5"])
