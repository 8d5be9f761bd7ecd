"""Pages run without a browser: how the tests open one, and read what it was drawn with."""

from __future__ import annotations

import base64
import json

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from aklo.lab.server import work_rate
from aklo.lab.settings.schema import FIELDS, Settings

KINDS = ("slider", "select_slider", "selectbox", "button_group", "toggle", "number_input", "radio")  # of controls


@pytest.fixture
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is cheap, and so done unasked, does not depend on how busy this machine is."""
    monkeypatch.setattr(work_rate, "rate", lambda kind, guess: guess)


def opened(page: str | None, settings: Settings | None = None, **query: str) -> AppTest:
    """A page, such as "alpha", or home for None, with settings or an address; it has no exception."""
    at = AppTest.from_file("../app.py", default_timeout=60)
    for key, value in {**(settings.address() if settings else {}), **query}.items():
        at.query_params[key] = value
    if page is not None:
        at.switch_page(f"pages/{page}.py")
    return sound(at.run())


def sound(at: AppTest) -> AppTest:
    assert not at.exception, at.exception[0].message
    return at


def control(at: AppTest, name: str):
    """A control by the name of its key, which ends with a number: `control(at, "setting_task").set_value(3).run()`."""
    found = [one for kind in KINDS for one in at.get(kind) if (one.key or "").rpartition("-")[0] == name]
    assert len(found) == 1, f"{len(found)} controls are called {name}"
    return found[0]


def assert_controls_are_true(at: AppTest) -> None:
    """Every control of a setting on the page shows the value in force."""
    settings = at.session_state["settings"]
    widgets = [one for kind in KINDS for one in at.get(kind) if (one.key or "").startswith("setting_")]
    for widget in widgets:
        name = widget.key.removeprefix("setting_").rpartition("-")[0]
        if name == "alpha":  # the sandbox has an unknown horizon always
            assert widget.value in (type(settings.schedule), type(settings.change(horizon="unknown").schedule))
        else:
            assert widget.value == getattr(settings, name), widget.key


def moved(at: AppTest) -> AppTest:
    """Run the page after something was moved."""
    return sound(at.run())


def charts(at: AppTest) -> dict[str, dict]:
    """Key -> the figure, in which Plotly finds nothing wrong; with its words as "alt"."""
    drawn = [c.proto for c in at.get("bidi_component") if c.proto.component_name.endswith("aklo_chart")]
    found = {told["name"]: told for told in (json.loads(proto.bytes) for proto in drawn)}
    for figure in found.values():
        assert figure["alt"]
        go.Figure(
            {"data": figure["data"], "layout": figure["layout"]}
        )  # the lab draws without this check, which takes its time
    return found


def told(at: AppTest, component: str) -> dict | None:
    """What a component was told, where that is JSON; None where it is not on the page."""
    found = [c.proto for c in at.get("bidi_component") if c.proto.component_name.endswith(component)]
    assert len(found) <= 1
    return json.loads(found[0].bytes) if found else None


def table_of(markdown: str) -> pd.DataFrame:
    """A table that is written in Markdown, by the words of its first column."""
    heading, _, *rows = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in markdown.splitlines()]
    return pd.DataFrame(rows, columns=heading).set_index(heading[0])


def standing(at: AppTest) -> pd.DataFrame:
    """The compare page's table."""
    return table_of(next(text.value for text in at.markdown if text.value.startswith("| Method")))


def values(array: object) -> np.ndarray:
    """A Plotly array, which may be written as base64."""
    if not isinstance(array, dict):
        return np.asarray(array)
    data = np.frombuffer(base64.b64decode(array["bdata"]), dtype=array["dtype"])
    return data.reshape([int(n) for n in array["shape"].split(",")]) if "shape" in array else data


def ends(name: str, dataset: str) -> list:
    """The values at both ends of a setting; larger streams have tests of their own."""
    f = FIELDS[name]
    if f.kind == "choice":
        return [f.choices[0], f.choices[-1]]
    if f.kind == "schedule":
        return ["constant:value=0", "logistic:middle=1,width=0.5"]
    if f.kind == "schedules":
        return ["none", "constant:value=0;constant:value=1;power:k=5;step:at=1"]
    if f.kind == "flag":
        return [False, True]
    high = {"n_tasks": 60, "n_examples": 200}.get(name, f.highs.get(dataset, f.high))
    return [f.clamp(f.low, dataset)[0], f.clamp(high, dataset)[0]]


def both_ends(dataset: str, names: list[str], **small: object) -> list[Settings]:
    """Settings that bring each named setting to both its ends: all low, all high, then the sizes each by itself."""
    base = Settings().change(dataset=dataset).change(**small)
    sizes = ("n_tasks", "n_examples")
    meant = [name for name in dict.fromkeys(names) if name != "dataset" and dataset in FIELDS[name].datasets]
    found = [base.change(**{name: ends(name, dataset)[at] for name in meant if name not in sizes}) for at in (0, 1)]
    return found + [base.change(**{name: value}) for name in meant if name in sizes for value in ends(name, dataset)]
