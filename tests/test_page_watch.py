"""Home and the watch page, as scripts: every preset, both ends of every setting that they show."""

import pytest
from streamlit.testing.v1 import AppTest

from aklo.lab.settings import FIELDS, PRESETS, Settings
from aklo.lab.shell import SECTIONS

SHOWN = [name for section in ("View", "Knowledge", "Stream", "Learner") for name in SECTIONS[section]]


def opened(settings: Settings, page: str | None = "pages/watch.py") -> AppTest:
    test = AppTest.from_file("../app.py", default_timeout=60)
    for key, value in settings.address().items():
        test.query_params[key] = value
    test.run()
    if page is not None:
        test.switch_page(page).run()
    assert not test.exception, test.exception
    return test


def ends(name: str, dataset: str) -> list:
    """The values at both ends of a setting."""
    f = FIELDS[name]
    if f.kind == "choice":
        return [f.choices[0], f.choices[-1]]
    if f.kind == "schedule":
        return ["constant:value=0", "logistic:middle=1,width=0.5"]
    high = {"n_tasks": 60, "n_examples": 200}.get(name, f.highs.get(dataset, f.high))  # larger ones have their own test
    return [f.clamp(f.low, dataset)[0], f.clamp(high, dataset)[0]]


@pytest.mark.parametrize("name", list(PRESETS))
def test_presets(name):
    test = opened(PRESETS[name])
    assert test.session_state["settings"] == PRESETS[name]
    assert test.sidebar.selectbox(key="preset").value == name


@pytest.mark.parametrize("dataset", FIELDS["dataset"].choices)
def test_both_ends_of_every_setting(dataset):
    for name in SHOWN:
        if name != "dataset" and dataset in FIELDS[name].datasets:
            for value in ends(name, dataset):
                opened(Settings().change(dataset=dataset).change(**{name: value}))


def test_the_largest_stream():
    opened(Settings().change(n_tasks=200, n_examples=1000, task=199))


def test_home_leads_everywhere():
    test = opened(Settings(), page=None)
    assert len(test.title) == 1


def test_moving_a_widget_moves_the_address():
    test = opened(Settings())
    test.slider(key="setting_task").set_value(3).run()
    assert test.query_params["t"] == "3"
    test.selectbox(key="setting_alpha").set_value("Power").run()
    assert not test.exception
    assert test.query_params["a"].startswith("power")


def test_an_unknown_horizon_takes_away_what_needs_it():
    test = opened(Settings().change(horizon="unknown"))
    assert "Linear" not in test.selectbox(key="setting_alpha").options
    assert test.session_state["settings"].alpha == "power:k=0.5"
