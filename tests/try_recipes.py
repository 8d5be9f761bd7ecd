"""Try what a recipe of CONTRIBUTING.md adds, in a copy that it was applied to.

`python -m tests.try_recipes dataset`: tests/test_contributing.py does this for every recipe.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from streamlit.testing.v1 import AppTest

import aklo
from aklo.lab.charts.palette import LIGHT
from aklo.lab.export import menu
from aklo.lab.export.python_script import script
from aklo.lab.frame.navigation import PAGES
from aklo.lab.session.exports import Chart, Picture
from aklo.lab.settings.schema import Settings, read_address
from aklo.styles import STROKES
from tests.pages import alpha_picture, charts, control, menu_links, moved, opened, shape_alpha, told
from tests.sent import read_block, read_settings

SMALL = {"n_tasks": 6, "n_examples": 12, "task": 3, "repetitions": 2}


def address(at: AppTest, key: str) -> str:
    value = at.query_params[key]
    return value[0] if isinstance(value, list) else value


def check_command_line(*words: str) -> dict:
    """Run `aklo run` on a small stream; return what it writes as JSON."""
    size = ("--n-tasks", "4", "--n-examples", "9", "-R", "2", "--json")
    done = subprocess.run([sys.executable, "-m", "aklo", "run", *size, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check_script(settings: Settings, name: str) -> None:
    """The script of the compare page uses a name, and prints the errors that the page shows."""
    at = opened("compare", settings)
    text = script("compare", PAGES["compare"].name, at.session_state["exports"].settings)
    assert text is not None and name in text, text
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(text, "script", "exec"), {"__name__": "__main__"})
    race = told(at, "aklo_race")
    assert race is not None
    for method in settings.methods:
        shown = re.search(rf"\b{method} (\d+)", race["alt"])
        printed = re.search(rf"^{method}: (\d+)", out.getvalue(), re.M)
        assert shown and printed and shown[1] == printed[1], (method, race["alt"], out.getvalue())


def schedule() -> None:
    assert check_command_line("--alpha", "harmonic:rate=4")["alpha"] == "harmonic:rate=4"
    values = aklo.Schedule.parse("harmonic:rate=4").values(5)
    assert values.round(6).tolist() == [1, 0.8, 0.666667, 0.571429, 0.5]
    harmonic = aklo.SCHEDULES["harmonic"]
    at = opened("watch", Settings().change(**SMALL))
    kind = control(at, "setting_alpha")
    assert "Harmonic" in kind.options
    moved(kind.set_value(harmonic))
    rate = control(at, "alpha_Harmonic_rate")
    assert (rate.min, rate.max, rate.value) == (0.5, 200.0, 20.0)
    moved(rate.set_value(5.0))
    assert address(at, "a") == "harmonic:rate=5"
    # The picture of alpha does not know its formula, and takes the values of the server.
    at = shape_alpha(opened("alpha", Settings().change(**SMALL)), alpha="harmonic:rate=5")
    assert address(at, "a") == "harmonic:rate=5"
    values = aklo.Schedule.parse("harmonic:rate=5").values(SMALL["n_examples"])
    assert alpha_picture(at)["curves"] == {"harmonic:rate=5": values.tolist()}
    check_script(Settings().change(alpha="harmonic:rate=5", **SMALL), "Harmonic(rate=5.0)")


def dataset() -> None:
    small = Settings().change(dataset="drift").change(turn=5.0, **SMALL)
    assert check_command_line("--dataset", "drift", "--turn", "5")["dataset"] == "drift n_tasks=4 n_examples=9 turn=5.0"
    at = opened("watch", Settings().change(**SMALL))
    datasets = control(at, "setting_dataset")
    assert "drift" in datasets.options
    moved(datasets.set_value("drift"))
    turn = control(at, "setting_turn")
    assert (turn.min, turn.max, turn.value) == (0.0, 30.0, 2.0)
    moved(turn.set_value(5.0))
    assert (address(at, "d"), address(at, "tu")) == ("drift", "5")
    assert read_address(small.address()) == (small, [])
    for page in ("tasks", "alpha", "transfer", "world", "theory", "data", "lessons"):
        opened(page, small)
    check_script(small, "drift, n_tasks=6, n_examples=12, turn=5.0")


def page() -> None:
    at = opened("harm", Settings().change(**SMALL))
    assert at.title[0].value == PAGES["harm"].name == "Harmed tasks"
    assert set(charts(at)) == {"harmed"} and len(at.table) == 1
    assert "Harmed tasks" in menu_links(at)
    shown = at.session_state["exports"]
    assert set(shown.of(Chart)) == {"harmed"} and set(shown.of(pd.DataFrame)) == {"Harmed tasks"}
    assert 'data-name="harmed"' in menu.pictures("Harmed tasks", shown, LIGHT)
    assert read_settings(menu.settings_json("Harmed tasks", shown.settings)) == (shown.settings, [])


def method() -> None:
    name = "Follow the leader"
    assert list(aklo.RULES)[-1] == name and name not in aklo.METHODS and name in STROKES
    ace = check_command_line("--method", name, "--method", "ITOL")["ace"]
    assert list(ace) == [name, "ITOL"]
    stream = aklo.syn1(4, 9, seed=3)
    run = aklo.run(stream, lam=1e-3, methods=(*aklo.METHODS, name))
    for task in range(4):
        replay = run.replay(task)
        advice = np.column_stack([replay.confidence["ITOL"], replay.advice])
        losses = np.cumsum((advice - replay.y[:, None]) ** 2, axis=0) - (advice - replay.y[:, None]) ** 2
        leads = losses <= losses.min(axis=1, keepdims=True) + 1e-12
        np.testing.assert_allclose(replay.confidence[name], (leads * advice).sum(axis=1) / leads.sum(axis=1), atol=1e-9)
    check_script(Settings().change(**SMALL), "aklo")  # the lab shows the paper's six until it is asked for more
    small = Settings().change(challengers=(name,), method=name, **SMALL)
    assert read_address(small.address()) == (small, [])
    check_script(small, f"methods=(*aklo.METHODS, {name!r})")
    assert name in control(opened("compare", Settings().change(**SMALL)), "setting_challengers").options
    header, arrays = read_block(opened("watch", small).session_state["exports"].of(Picture)["watch"].data)
    assert header["methods"] == [*aklo.METHODS, name] and header["view"]["method"] == name
    assert header["rules"][name]["setsAlpha"] and header["rules"][name]["field"] == "mean"
    replay = aklo.run(aklo.syn1(6, 12, seed=0), lam=1e-3, methods=small.methods).replay(3)
    np.testing.assert_allclose(arrays["ruleAlpha"], replay.method_alpha[name])
    for stem in ("transfer", "world"):
        opened(stem, small)


if __name__ == "__main__":
    assert Path(aklo.__file__).is_relative_to(Path.cwd()), f"{aklo.__file__} is not in the copy"
    {"schedule": schedule, "dataset": dataset, "page": page, "method": method}[sys.argv[1]]()
