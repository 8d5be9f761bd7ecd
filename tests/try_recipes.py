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

import pandas as pd
from streamlit.testing.v1 import AppTest

import aklo
from aklo.lab.charts.palette import LIGHT
from aklo.lab.export import menu
from aklo.lab.export.python_script import script
from aklo.lab.frame.navigation import PAGES
from aklo.lab.session.exports import Chart
from aklo.lab.settings.schema import Settings, read_address
from tests.pages import charts, control, moved, opened, told

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
    for method in aklo.METHODS:
        shown = re.search(rf"\b{method} (\d+)", race["alt"])
        printed = re.search(rf"^{method}: (\d+)", out.getvalue(), re.M)
        assert shown and printed and shown[1] == printed[1], (method, race["alt"], out.getvalue())


def schedule() -> None:
    assert check_command_line("--alpha", "harmonic:rate=4")["alpha"] == "harmonic:rate=4"
    values = aklo.Schedule.parse("harmonic:rate=4").values(5)
    assert values.round(6).tolist() == [1, 0.8, 0.666667, 0.571429, 0.5]
    harmonic = aklo.SCHEDULES["harmonic"]
    for page in ("watch", "alpha"):
        at = opened(page, Settings().change(**SMALL))
        kind = control(at, "setting_alpha")
        assert "Harmonic" in kind.options
        kind.set_value(harmonic)
        moved(at)
        rate = control(at, "alpha_Harmonic_rate")
        assert (rate.min, rate.max, rate.value) == (0.5, 200.0, 20.0)
        rate.set_value(5.0)
        moved(at)
        assert address(at, "a") == "harmonic:rate=5"
    check_script(Settings().change(alpha="harmonic:rate=5", **SMALL), "Harmonic(rate=5.0)")


def dataset() -> None:
    small = Settings().change(dataset="drift").change(turn=5.0, **SMALL)
    assert check_command_line("--dataset", "drift", "--turn", "5")["dataset"] == "drift n_tasks=4 n_examples=9 turn=5.0"
    at = opened("watch", Settings().change(**SMALL))
    datasets = control(at, "setting_dataset")
    assert "drift" in datasets.options
    datasets.set_value("drift")
    moved(at)
    turn = control(at, "setting_turn")
    assert (turn.min, turn.max, turn.value) == (0.0, 30.0, 2.0)
    turn.set_value(5.0)
    moved(at)
    assert (address(at, "d"), address(at, "tu")) == ("drift", "5")
    assert read_address(small.address()) == (small, [])
    for page in ("tasks", "alpha", "transfer", "world", "theory", "data", "lessons"):
        opened(page, small)
    check_script(small, "drift, n_tasks=6, n_examples=12, turn=5.0")


def page() -> None:
    at = opened("harm", Settings().change(**SMALL))
    assert at.title[0].value == PAGES["harm"].name == "Harmed tasks"
    assert set(charts(at)) == {"harmed"} and len(at.table) == 1
    links = [link.proto.label for link in at.sidebar.get("page_link")]
    assert "Harmed tasks" in links
    shown = at.session_state["exports"]
    assert set(shown.of(Chart)) == {"harmed"} and set(shown.of(pd.DataFrame)) == {"Harmed tasks"}
    assert 'data-name="harmed"' in menu.pictures("Harmed tasks", shown, LIGHT)
    assert menu.read_settings(menu.settings_json("Harmed tasks", shown.settings)) == (shown.settings, [])


if __name__ == "__main__":
    assert Path(aklo.__file__).is_relative_to(Path.cwd()), f"{aklo.__file__} is not in the copy"
    {"schedule": schedule, "dataset": dataset, "page": page}[sys.argv[1]]()
