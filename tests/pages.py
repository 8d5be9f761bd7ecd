"""Pages run without a browser: how the tests open one, and read what it was drawn with."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

import aklo
from aklo.lab.compute.block import read_header
from aklo.lab.frame.setting_controls import NAMES
from aklo.lab.server import work_rate
from aklo.lab.settings.field import challengers, in_order
from aklo.lab.settings.schema import FIELDS, Settings
from aklo.schedules import SCHEDULES

MOVES = count(1)
KINDS = ("selectbox", "button_group", "toggle", "number_input", "radio")  # of Streamlit's controls


@pytest.fixture
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is cheap, and so done unasked, does not depend on how busy this machine is."""
    monkeypatch.setattr(work_rate, "rate", lambda kind, guess: guess)


def closed(page: str | None) -> AppTest:
    """A page, such as "alpha", or home for None, which has not run yet."""
    at = AppTest.from_file("../app.py", default_timeout=60)
    # Each would look through all installed packages for components, which takes longer than most pages.
    at._bidi_component_manager = _components()
    return at if page is None else at.switch_page(f"pages/{page}.py")


@cache
def _components() -> BidiComponentManager:
    return BidiComponentManager()


def opened(page: str | None, settings: Settings | None = None, **query: str) -> AppTest:
    """A page that has run, with settings or an address; it has no exception."""
    at = closed(page)
    for key, value in {**(settings.address() if settings else {}), **query}.items():
        at.query_params[key] = value
    return sound(at.run())


def sound(at: AppTest) -> AppTest:
    assert not at.exception, at.exception[0].message
    return at


@dataclass
class Control:
    """A control of the lab on a page: what it was told, and a move as the browser sends it.

    id: of the component that it stands in; live: whether that one reports while it is dragged; heard: its last move.
    """

    at: AppTest
    id: str
    told: dict
    live: bool
    heard: int | None
    moved: Any = None
    number: int = 0  # of the last move

    @property
    def key(self) -> str:
        return self.told["name"]

    @property
    def options(self) -> list[str]:
        """The options as they are named, or the words of a slider."""
        return self.told.get("options") or self.told["words"]

    @property
    def value(self) -> Any:
        """The value that it shows, as the settings hold it."""
        told, shown = self.told, self.told["value"]
        if told["kind"] == "slider":
            return float(told["words"][shown]) if told["words"] else shown
        if told["kind"] == "pills":
            return [told["options"][number] for number in shown]
        return shown if told["kind"] in ("switch", "number") else None if shown is None else self._meant(shown)

    @property
    def min(self) -> float:
        return self.told["low"]

    @property
    def max(self) -> float:
        return self.told["high"]

    def set_value(self, value: Any) -> Control:
        """Move it to a value, as the settings hold it or as a visitor reads it."""
        if self.told["kind"] == "slider" and self.told["words"]:
            self.moved = [float(word) for word in self.told["words"]].index(value)
        elif self.told["kind"] == "pills":
            self.moved = [self.told["options"].index(name) for name in value]
        elif "options" in self.told:
            names = self.told["options"]
            self.moved = next(k for k, name in enumerate(names) if value in (name, self._meant(k)))
        else:
            self.moved = value
        return self

    def run(self, *, again: bool = False) -> AppTest:
        """Run the page after the control was moved and released. again: the same move is sent once more."""
        if not again:
            self.number = next(MOVES)
        value = {"control": self.key, "value": self.moved}
        move = {"id": self.number, "value": value, "drag": self.number, "done": True}
        states = self.at._tree.get_widget_states()
        event = json.dumps([{"event": "move", "value": [move]}])
        states.widgets.append(WidgetState(id=_make_trigger_id(self.id, "events"), json_trigger_value=event))
        return self.at._run(states)

    def _meant(self, number: int) -> Any:
        """The value behind an option."""
        name = self.told["options"][number]
        kinds = {kind.__name__: kind for kind in SCHEDULES.values()} if self.key == "setting_alpha" else {}
        return kinds.get(name, {named: value for value, named in NAMES.items()}.get(name, name))


def lab_controls(at: AppTest) -> list[Control]:
    """The lab's own controls on a page."""
    found = [c.proto for c in at.get("bidi_component") if c.proto.component_name.endswith("aklo_controls")]
    panels = [(proto.id, json.loads(proto.bytes)) for proto in found]
    return [
        Control(at, id_, told, panel["live"], panel["heard"])
        for id_, panel in panels
        for group in panel["groups"]
        for told in group["controls"]
    ]


def all_controls(at: AppTest) -> dict[str, Any]:
    """Name -> control. Keys of Streamlit's controls end with a number."""
    found = {(one.key or "").rpartition("-")[0]: one for kind in KINDS for one in at.get(kind)}
    return found | {one.key: one for one in lab_controls(at)}


def control(at: AppTest, name: str) -> Any:
    """A control by its name: `control(at, "setting_task").set_value(3).run()`."""
    return all_controls(at)[name]


def assert_controls_are_true(at: AppTest) -> None:
    """Every control of a setting on the page shows the value in force."""
    settings = at.session_state["settings"]
    for key, widget in all_controls(at).items():
        if not key.startswith("setting_"):
            continue
        name = key.removeprefix("setting_")
        if name == "alpha":  # the sandbox has an unknown horizon always
            assert widget.value in (type(settings.schedule), type(settings.change(horizon="unknown").schedule))
        elif name == "challengers":
            assert in_order(widget.value) == settings.challengers
        else:
            assert widget.value == getattr(settings, name), widget.key


def moved(control: Any) -> AppTest:
    """Run the page after a control was moved."""
    return sound(control.run())


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


def mixing(at: AppTest) -> dict[str, object]:
    """The schedule, clip and horizon in force, as the core's functions take them: `aklo.run(stream, **mixing(at))`."""
    settings = at.session_state["settings"]
    return {"alpha": settings.schedule, "clip": settings.clip, "horizon": settings.horizon}


def told(at: AppTest, component: str) -> dict | None:
    """What a component was told, where that is JSON; None where it is not on the page."""
    found = [c.proto for c in at.get("bidi_component") if c.proto.component_name.endswith(component)]
    assert len(found) <= 1
    return json.loads(found[0].bytes) if found else None


def menu_links(at: AppTest) -> list[str]:
    """The names of the pages in the menu."""
    shown = told(at, "aklo_menu")
    assert shown is not None
    return [link["name"] for section in shown["sections"] for link in section["links"]]


def alpha_picture(at: AppTest) -> dict:
    """What the live picture of alpha was told, without the stream."""
    return read_header(_proto(at, "aklo_alpha_picture").bytes)


def player(at: AppTest) -> dict:
    """What the player was told, without its arrays."""
    return read_header(_proto(at, "aklo_player").bytes)


def shape_alpha(at: AppTest, **changed: Any) -> AppTest:
    """Run the page after a visitor has changed the live picture of alpha: `shape_alpha(at, alpha="step:at=9")`."""
    return report_move(at, "aklo_alpha_picture", {"view": changed})


def report_move(at: AppTest, component: str, *values: Any) -> AppTest:
    """Run the page after a visitor has moved a component, once for each value."""
    numbers = [next(MOVES) for _ in values]
    moves = [{"id": n, "value": value, "drag": n, "done": True} for n, value in zip(numbers, values, strict=True)]
    return report(at, component, "move", moves)


def report(at: AppTest, component: str, event: str, value: Any) -> AppTest:
    """Run the page after a component has reported something, as the browser sends it."""
    states = at._tree.get_widget_states()
    events = json.dumps([{"event": event, "value": value}])
    widget = _make_trigger_id(_proto(at, component).id, "events")
    states.widgets.append(WidgetState(id=widget, json_trigger_value=events))
    return sound(at._run(states))


def _proto(at: AppTest, component: str) -> Any:
    (found,) = [c.proto for c in at.get("bidi_component") if c.proto.component_name.endswith(component)]
    return found


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
    if f.kind == "method":
        return [aklo.METHODS[0], aklo.METHODS[-1]]
    if f.kind == "challengers":
        return [(), challengers()]
    high = {"n_tasks": 60, "n_examples": 200}.get(name, f.highs.get(dataset, f.high))
    return [f.clamp(f.low, dataset)[0], f.clamp(high, dataset)[0]]


def both_ends(dataset: str, names: list[str], **small: object) -> list[Settings]:
    """Settings that bring each named setting to both its ends: all low, all high, then the sizes each by itself."""
    base = Settings().change(dataset=dataset).change(**small)
    sizes = ("n_tasks", "n_examples")
    meant = [name for name in dict.fromkeys(names) if name != "dataset" and dataset in FIELDS[name].datasets]
    found = [base.change(**{name: ends(name, dataset)[at] for name in meant if name not in sizes}) for at in (0, 1)]
    return found + [base.change(**{name: value}) for name in meant if name in sizes for value in ends(name, dataset)]
