"""Home and the page "Watch it learn", run without a browser: every preset, both ends of every setting shown."""

import contextlib
import io

import numpy as np
import pytest

import aklo
from aklo.lab.compute import runs
from aklo.lab.export.python_script import script
from aklo.lab.session.exports import Picture
from aklo.lab.settings.presets import PRESETS
from aklo.lab.settings.schema import FIELDS, SECTIONS, Settings
from aklo.regrets import CLASSIFIER, EXPERT
from tests.pages import all_controls, both_ends, control, moved, opened, player, report_move, sound
from tests.sent import read_block

PARTS = ("View", "Alpha", "Knowledge", "Stream", "Learner")
SHOWN = [*(name for section in PARTS for name in SECTIONS[section]), "follow"]
PLANE = [name for name in FIELDS["dataset"].choices if name != "own"]


@pytest.mark.parametrize("name", list(PRESETS))
def test_link_to_a_preset_opens_it_and_selects_it(name):
    test = opened("watch", PRESETS[name])
    assert test.session_state["settings"] == PRESETS[name]
    assert control(test, "preset").value == name


@pytest.mark.parametrize("dataset", PLANE)
def test_page_opens_at_both_ends_of_every_setting(dataset):
    for settings in both_ends(dataset, SHOWN):
        opened("watch", settings)


def test_largest_stream_opens():
    opened("watch", Settings().change(n_tasks=200, n_examples=1000, task=199))


def test_first_task_shown_is_one_where_aklo_sum_has_the_fewest_mistakes():
    """Watch opens on what the paper reports: AKLO Sum ahead of every other method."""
    test = opened("watch")
    shown = next(c.proto for c in test.get("bidi_component") if c.proto.component_name.endswith("aklo_player"))
    mistakes = dict(zip(aklo.METHODS, read_block(shown.bytes)[1]["errors"].reshape(6, -1).sum(axis=1), strict=True))
    ours = mistakes.pop("AKLO Sum")
    assert ours < min(mistakes.values()), (ours, mistakes)


@pytest.mark.parametrize(
    ("sent", "task"), [(3, 3), (1e300, 49), (-7, 0), ("x", 14), ([1], 14), (True, 14), (np.inf, 14)]
)
def test_task_that_a_browser_asks_for_is_checked(sent, task):
    assert report_move(opened("watch"), "aklo_player", {"task": sent}).session_state["settings"].task == task


@pytest.mark.parametrize("page", ["watch", None])
def test_task_is_mixed_once_for_all_that_a_page_says_of_it(page, monkeypatch):
    runs._replay.clear()
    mixed: list[int] = []
    replay = aklo.LearnedStream.replay

    def count(learned, task, **options):
        mixed.append(task)
        return replay(learned, task, **options)

    monkeypatch.setattr(aklo.LearnedStream, "replay", count)
    opened(page)
    assert 14 in mixed and len(mixed) == len(set(mixed))  # the stories of Home look at other tasks


def test_home_opens_with_one_title():
    test = opened(None, Settings())
    assert len(test.title) == 1


def test_control_changes_the_address():
    test = opened("watch", Settings())
    moved(control(test, "setting_task").set_value(3))
    assert test.query_params["t"] == "3"
    moved(control(test, "setting_alpha").set_value("Power"))
    assert test.query_params["a"].startswith("power")
    moved(control(test, "setting_follow").set_value(True))
    assert test.query_params["fo"] == "1"


def test_dataset_decides_which_controls_there_are():
    test = opened("watch", Settings())
    moved(control(test, "setting_dataset").set_value("conflict"))
    assert control(test, "setting_angle").value == 90
    assert control(test, "preset").value is None
    moved(control(test, "preset").set_value("syn2, as tabulated"))
    assert test.session_state["settings"] == PRESETS["syn2, as tabulated"]
    assert not [slider.key for slider in test.slider if slider.key.startswith("setting_angle-")]


def test_preset_keeps_the_view_and_can_be_undone():
    test = opened("watch", fo="1", k="power:k=1")
    moved(control(test, "preset").set_value("Same rule for all tasks"))
    assert test.session_state["settings"] == PRESETS["Same rule for all tasks"].change(follow=True, kept="power:k=1")
    moved(next(button for button in test.button if button.label == "Undo").click())
    assert test.session_state["settings"].dataset == "syn1"


def test_unknown_horizon_offers_no_schedule_that_needs_it():
    test = opened("watch", Settings().change(horizon="unknown"))
    assert "Linear" not in control(test, "setting_alpha").options
    assert control(test, "setting_alpha").value is aklo.Power
    assert test.session_state["settings"].schedule == aklo.Power(0.5)


def test_reading_is_chosen_only_while_its_schedule_is_in_force():
    """With an unknown horizon the linear schedules wait; choosing a reading brings the known horizon back."""
    at = opened("watch", T="6", N="20", t="3", h="unknown")
    assert control(at, "reading").value is None
    sound(control(at, "reading").set_value("as printed").run())
    assert control(at, "reading").value == "as printed"
    assert at.session_state["settings"].horizon == "known" and "h" not in at.query_params


def test_sentence_does_not_tell_the_outcome_while_labels_are_guessed():
    said = {guess: player(opened("watch", Settings(guess=guess)))["about"] for guess in (False, True)}
    assert "fewest mistakes" in said[False] and "Guess each label" in said[True]
    assert not any(method in said[True] for method in aklo.METHODS)


@pytest.mark.parametrize("task", [0, 14])
def test_regret_is_against_the_chosen_competitor(task):
    """The player's race, and the exported script, have the numbers of `aklo.regret`; the first task has no expert."""
    settings = Settings().change(task=task, regret=True)
    test = opened("watch", settings)
    run = aklo.run(aklo.syn1(seed=0), lam=1e-3, alpha=settings.schedule, clip=settings.clip)
    for competitor in (EXPERT, CLASSIFIER):
        moved(control(test, "setting_competitor").set_value(competitor))
        exports = test.session_state["exports"]
        header, arrays = read_block(exports.of(Picture)["watch"].data)
        assert header["competitor"] == competitor and test.query_params.get("rc", EXPERT) == competitor
        found = aklo.regret(run).curve(task, competitor)["AKLO Sum"].to_numpy()
        assert ("best" in arrays) == (not np.isnan(found).any()) == (task > 0 or competitor == CLASSIFIER)
        if "best" in arrays:
            shown = np.cumsum(arrays["errors"].reshape(6, -1)[5].astype(int) - arrays["best"])
            np.testing.assert_array_equal(shown, found)
        text = script("watch", "Watch it learn", exports.settings)
        assert (f".curve({task}, {competitor!r})" in text) == ("best" in arrays)
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(text, "script", "exec"), {"__name__": "__main__"})
        if "best" in arrays:
            assert f"Regret against the {competitor}" in out.getvalue()
            assert int(out.getvalue().split()[-1]) == found[-1]
    assert "setting_competitor" not in "".join(all_controls(opened("watch", Settings())))  # without regret
