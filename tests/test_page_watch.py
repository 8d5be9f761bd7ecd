"""Home and the watch page, as scripts: every preset, both ends of every setting that they show."""

import pytest

from aklo.lab.settings.schema import FIELDS, PRESETS, SECTIONS, Settings
from tests.pages import both_ends, moved, opened

SHOWN = [*(name for section in ("View", "Knowledge", "Stream", "Learner") for name in SECTIONS[section]), "follow"]
PLANE = [name for name in FIELDS["dataset"].choices if name != "own"]


@pytest.mark.parametrize("name", list(PRESETS))
def test_presets(name):
    test = opened("watch", PRESETS[name])
    assert test.session_state["settings"] == PRESETS[name]
    assert test.sidebar.selectbox(key="preset").value == name


@pytest.mark.parametrize("dataset", PLANE)
def test_both_ends_of_every_setting(dataset):
    for settings in both_ends(dataset, SHOWN):
        opened("watch", settings)


def test_the_largest_stream():
    opened("watch", Settings().change(n_tasks=200, n_examples=1000, task=199))


def test_home_leads_everywhere():
    test = opened(None, Settings())
    assert len(test.title) == 1


def test_moving_a_widget_moves_the_address():
    test = opened("watch", Settings())
    moved(test.slider(key="setting_task").set_value(3))
    assert test.query_params["t"] == "3"
    moved(test.selectbox(key="setting_alpha").set_value("Power"))
    assert test.query_params["a"].startswith("power")
    moved(test.toggle(key="setting_follow").set_value(True))
    assert test.query_params["fo"] == "1"


def test_what_depends_on_a_setting_is_drawn_with_it():
    test = opened("watch", Settings())
    moved(test.selectbox(key="setting_dataset").set_value("conflict"))
    assert test.slider(key="setting_angle").value == 90
    assert test.sidebar.selectbox(key="preset").value is None
    moved(test.sidebar.selectbox(key="preset").set_value("syn2, as tabulated"))
    assert test.session_state["settings"] == PRESETS["syn2, as tabulated"]
    assert "setting_angle" not in [slider.key for slider in test.slider]


def test_a_preset_leaves_what_one_looks_at():
    test = opened("watch", fo="1", k="power:k=1")
    moved(test.sidebar.selectbox(key="preset").set_value("One family"))
    assert test.session_state["settings"] == PRESETS["One family"].change(follow=True, kept="power:k=1")
    moved(next(button for button in test.button if button.label == "Undo").click())
    assert test.session_state["settings"].dataset == "syn1"


def test_an_unknown_horizon_takes_away_what_needs_it():
    test = opened("watch", Settings().change(horizon="unknown"))
    assert "Linear" not in test.selectbox(key="setting_alpha").options
    assert test.session_state["settings"].alpha == "power:k=0.5"
