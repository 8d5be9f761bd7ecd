"""A rule that is defined in a script, without a change of the package, is found wherever methods are."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import aklo
from aklo.cli.main import cli
from aklo.lab.charts.palette import LIGHT
from aklo.lab.compute import repetitions
from aklo.lab.export import menu
from aklo.lab.export.python_script import script
from aklo.lab.frame.navigation import PAGES
from aklo.lab.server import own_rules
from aklo.lab.session.exports import Chart, Picture
from aklo.lab.settings.schema import Settings, read_address
from aklo.rules.files import RULES_VARIABLE
from aklo.styles import SPARE, STROKES
from tests.pages import charts, control, opened, standing, steady, told
from tests.sent import read_block, read_settings

from .test_bad_input import refused
from .test_rules import SCRIPT, clean_registry

ROOT = Path(__file__).parents[1]
pytestmark = [pytest.mark.usefixtures(clean_registry.__name__, steady.__name__)]
SMALL = Settings().change(n_tasks=6, n_examples=12, task=3, repetitions=3)


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clean_registry: None) -> Iterator[Path]:
    """The file of a researcher's rule, loaded by the server as `aklo lab --rules` has it do."""
    path = tmp_path / "leader.py"
    path.write_text(SCRIPT)
    monkeypatch.setenv(RULES_VARIABLE, str(path))
    own_rules.load.cache_clear()
    own_rules.load()
    yield path
    own_rules.load.cache_clear()


def test_library_and_command_line_find_it(rules: Path, tmp_path: Path):
    stream = aklo.syn1(5, 20)
    methods = (*aklo.METHODS, "Leader")
    run = aklo.run(stream, lam=1e-3, methods=methods)
    assert list(run.ace.index) == list(methods) and STROKES["Leader"] == SPARE[0]
    [part] = aklo.sweep(stream, aklo.grid([1e-3], [aklo.Linear()]), n=2, methods=methods)
    assert list(part["method"]) == 2 * list(methods)  # a row for each repetition
    small = ["--n-tasks", "4", "--n-examples", "9", "-R", "2", "--rules", str(rules), "--method", "Leader"]
    done = CliRunner().invoke(cli, ["run", *small, "--csv"])
    assert list(pd.read_csv(io.StringIO(done.stdout))["method"]) == ["Leader"]
    table = tmp_path / "sweep.csv"
    assert CliRunner().invoke(cli, ["sweep", *small, "--csv", str(table)]).exit_code == 0
    assert set(pd.read_csv(table)["method"]) == {"Leader"}


@pytest.mark.usefixtures("rules")
def test_compare_and_watch_show_it():
    assert "Leader" in control(opened("compare", SMALL), "setting_challengers").options
    chosen = SMALL.change(challengers=("Leader",), method="Leader")
    assert read_address(chosen.address()) == (chosen, [])
    at = opened("compare", chosen)
    wanted = aklo.repeat(
        partial(aklo.syn1, n_tasks=6, n_examples=12), 3, lam=1e-3, alpha=chosen.schedule, clip=chosen.clip,
        methods=chosen.methods,
    ).table.loc["Leader"]  # fmt: skip
    mean, deviation = 100 * wanted["mean"], 100 * wanted["std"]
    assert standing(at).loc["Leader", "Wrong"] == f"{mean:.1f} ± {deviation:.1f}\N{NO-BREAK SPACE}%"
    assert "Leader" in {trace.get("name") for trace in charts(at)["ace"]["data"]}
    assert re.search(r"Leader \d+", told(at, "aklo_race")["alt"])
    header, arrays = read_block(opened("watch", chosen).session_state["exports"].of(Picture)["watch"].data)
    assert header["methods"] == list(chosen.methods) and header["view"]["method"] == "Leader"
    replay = aklo.run(aklo.syn1(6, 12), lam=1e-3, methods=chosen.methods).replay(3)
    np.testing.assert_array_equal(arrays["errors"].reshape(7, -1)[-1], replay.errors["Leader"])
    np.testing.assert_allclose(arrays["ruleAlpha"], replay.method_alpha["Leader"])


@pytest.mark.usefixtures("rules")
def test_worker_process_computes_it():
    """It is sent to the worker, which has not loaded the file."""
    chosen = SMALL.change(challengers=("Leader",))
    here, there = repetitions._compute_here(chosen, [0, 1]), repetitions._in_worker(chosen, [0, 1], lambda: None)
    np.testing.assert_array_equal(here, there)


@pytest.mark.parametrize("page", ["compare", "watch"])
def test_exports_and_exported_script_hold_it(rules: Path, page: str):
    """The script loads the file, which lies beside it, and prints the page's numbers in a process of its own."""
    chosen = SMALL.change(challengers=("Leader",), method="Leader", repetitions=2)
    at = opened(page, chosen)
    exports = at.session_state["exports"]
    assert read_settings(menu.settings_json(PAGES[page].name, exports.settings)) == (exports.settings, [])
    assert "Leader" in menu.pictures(PAGES[page].name, exports, LIGHT)
    if page == "compare":
        assert "Leader" in str(exports.of(Chart)["ace"].figure)
    text = script(page, PAGES[page].name, exports.settings)
    assert "aklo.load_rules('leader.py')" in text and str(rules.parent) not in text
    (rules.parent / "script.py").write_text(text, encoding="utf-8")
    env = {key: value for key, value in os.environ.items() if key != RULES_VARIABLE} | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", "script.py"]
    done = subprocess.run(command, cwd=rules.parent, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    run = aklo.run(aklo.syn1(6, 12), lam=1e-3, alpha=chosen.schedule, clip=chosen.clip, methods=chosen.methods)
    errors = run.replay(3).errors["Leader"] if page == "watch" else np.concatenate(run.errors["Leader"])
    assert f"Leader: {errors.sum()}" in done.stdout


def test_bad_files_are_refused_in_a_sentence(tmp_path: Path):
    refused(lambda: aklo.load_rules(tmp_path / "none.py"), "none.py")
    bad = tmp_path / "bad.py"
    for text, said in (("1/0", "ZeroDivisionError"), ("import aklo", "defines no rule")):
        bad.write_text(text)
        refused(lambda: aklo.load_rules(bad), "bad.py", said)
    bad.write_text(SCRIPT)
    assert aklo.load_rules(bad) == aklo.load_rules(str(bad)) == ("Leader",)
