"""The lessons' files, and that what they tell is true with their settings; and which controls a link leaves."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import aklo
from aklo.lab.compute import bounds, runs
from aklo.lab.content import glossary, lesson_answers, lessons
from aklo.lab.frame.navigation import PAGES
from aklo.lab.session import visible_controls
from aklo.lab.settings.schema import FIELDS, Settings

ALL, FAULTS = lessons.load(lesson_answers.check)
GOOD = (lessons.FOLDER / "1-alone.md").read_text(encoding="utf-8")
BY_NAME = {lesson.name: lesson for lesson in ALL}


def test_six_lessons_without_a_fault():
    assert FAULTS == []
    assert [lesson.name[0] for lesson in ALL] == list("123456")
    for lesson in ALL:
        assert lesson.page in PAGES
        assert lesson.words and glossary.links(lesson.words)
        assert lesson.keep.count(".") == 1, "one sentence to keep"
        assert lesson.guess.endswith("?")


@pytest.mark.parametrize("lesson", ALL, ids=list(BY_NAME))
def test_lesson_files_hold_no_computed_numbers(lesson):
    answer = lesson_answers.ANSWERS[lesson.answer]
    facts = lesson_answers.facts(lesson)
    assert set(answer.facts(lesson.settings)) <= set(answer.names)
    for section in lessons.SECTIONS:
        text = getattr(lesson, section.lower())
        assert "{{" not in lessons.fill(text, facts)
        outcome = answer.outcome(lesson.settings)
        if isinstance(outcome, int):
            assert str(outcome) not in re.findall(r"\d+", text)
    if answer.choices is not None:
        assert answer.outcome(lesson.settings) in answer.choices(lesson.settings)
    else:
        assert 0 <= answer.outcome(lesson.settings) <= answer.high(lesson.settings)


def stream_of(name: str, **values: object) -> aklo.Run:
    return runs.run(BY_NAME[name].settings.change(**values))


def test_lesson_1_most_mistakes_come_early():
    lesson = BY_NAME["1-alone"]
    replay = runs.replay(lesson.settings)
    assert len(replay.experts) == 0
    wrong = replay.errors["ITOL"]
    assert all((wrong == replay.errors[method]).all() for method in aklo.METHODS), "all six are one learner"
    assert lesson_answers.ANSWERS[lesson.answer].outcome(lesson.settings) == wrong.sum() <= 15
    assert wrong[:25].sum() >= wrong.sum() / 2 > wrong[-25:].sum()
    swing = np.linalg.norm(np.diff(replay.learner, axis=0), axis=1)
    assert swing[:25].sum() > 3 * swing[-25:].sum(), "hardly moves later on"


def test_lesson_2_tol_is_best_with_one_group_and_worst_with_two():
    apart, together = stream_of("2-together").ace, stream_of("2-together", angle=0.0).ace
    assert apart.idxmax() == "TOL" and apart["TOL"] > 5 * apart["ITOL"]
    assert together.idxmin() == "TOL" and together["ITOL"] > 3 * together["TOL"]
    groups = runs.stream(BY_NAME["2-together"].settings).groups
    assert groups.count(0) == groups.count(1)


def test_lesson_3_unif_sample_is_worse_than_itol_in_nearly_every_task():
    lesson = BY_NAME["3-wrong-friend"]
    hurt, none = (lesson_answers.ANSWERS[lesson.answer].outcome(s) for s in (lesson.settings, lesson.beside))
    run = stream_of("3-wrong-friend")
    wrong = {method: np.array([e.sum() for e in run.errors[method]]) for method in aklo.METHODS}
    assert hurt == (wrong["Unif Sample"] > wrong["ITOL"]).sum() >= 45
    assert none == 0
    assert run.ace["Unif Sample"] > 3 * run.ace["ITOL"]


def test_lesson_4_weights_find_their_group_early_in_the_task():
    lesson = BY_NAME["4-weights"]
    found = aklo.friends(stream_of("4-weights"))
    seen = lesson_answers.ANSWERS[lesson.answer].outcome(lesson.settings)
    assert found.mean[seen] >= 0.9 > found.mean[seen - 1]  # the weight before example t = seen + 1
    assert seen <= 20 and found.mean[-1] > 0.99
    assert found.mean[0] == pytest.approx(found.uniform_mean)
    ace = stream_of("4-weights").ace
    assert ace["AKLO Sum"] < ace["ITOL"] < ace["Unif Sum"]


@pytest.mark.parametrize("seed", range(4))
def test_lesson_5_falling_alpha_is_best_for_several_seeds(seed):
    lesson = BY_NAME["5-alpha"]
    ace = {spec: stream_of("5-alpha", alpha=spec, seed=seed).ace["AKLO Sum"] for spec in lesson.settings.kept_schedules}
    assert min(ace, key=ace.get) == "linear:end=0"
    always, falling, _, never = ace.values()
    assert falling < never - 0.003 and falling < always - 0.005
    assert never == stream_of("5-alpha", seed=seed).ace["ITOL"]


def test_lesson_6_printed_rule_breaks_the_bound_and_clipped_advice_keeps_it():
    lesson = BY_NAME["6-promise"]
    case = bounds.case(lesson.settings)
    bound = case.bound()
    assert bound.applies and bound.broken
    outcome, beside = (lesson_answers.ANSWERS[lesson.answer].outcome(s) for s in (lesson.settings, lesson.beside))
    assert outcome == bound.mistakes[-1] > 2 * bound.total
    assert beside == bounds.case(lesson.beside).bound().mistakes[-1] < bound.total


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("# Learning", "Learning", "begins with one title"),
        ("- answer: mistakes in the task\n", "", "'answer' is missing"),
        ("- page: watch", "- page: watch\n- colour: red", "'colour' is not known"),
        ("## Look", "## See", "the sections are"),
        ("## Guess\n", "## Guess\n\n## Look\n", "the sections are"),
        ("d=conflict", "d=syn9", "'syn9' is not one of the choices"),
        ("Of {{examples}},", "Of {{outcome}},", "would give it away"),
        ("{{early}}", "{{earliest}}", "{{earliest}} is not computed here"),
        ("{{early}}", "{{beside}}", "{{beside}} is not computed here"),
        ("mistakes in the task", "the weather", "'the weather' is not an answer"),
        ("d=conflict&an=180&s=1&t=0", "d=own", "tasks that a visitor brings"),
        ("mistakes in the task\n- settings: v=1", "best schedule\n- settings: v=1&k=power", "two schedules or more"),
    ],
)
def test_broken_lesson_file_gives_one_sentence_and_leaves_the_others(tmp_path, old, new, says):
    assert old in GOOD
    text = GOOD.replace(old, new)
    if "best schedule" in new:
        text = re.sub(r"\{\{.*?\}\}", "some", text)
    (tmp_path / "1-broken.md").write_text(text, encoding="utf-8")
    (tmp_path / "2-good.md").write_text(GOOD, encoding="utf-8")
    found, faults = lessons.load(lesson_answers.check, tmp_path)
    assert [lesson.name for lesson in found] == ["2-good"]
    assert len(faults) == 1 and says in faults[0] and faults[0].startswith("1-broken: ")


@given(st.text(alphabet="# -abt:=&\n{}QuestionGuessLookKeep", max_size=300))
def test_any_text_is_a_lesson_or_a_value_error(text):
    try:
        lesson = lessons.read(text, "x")
    except ValueError:
        return
    assert isinstance(lesson.settings, Settings) and lesson.title and lesson.keep


def test_difference_of_guess_and_outcome_in_words():
    assert lesson_answers.difference(5, 5) == "You had it exactly."
    assert lesson_answers.difference(7, 5) == "Your guess was 2 too high."
    assert lesson_answers.difference(3, 5) == "Your guess was 2 too low."
    assert lesson_answers.difference("step:at=50", "linear:end=0") == "It went another way."


# -------------------------------------------------------------------------------------- which controls a link leaves


@given(st.lists(st.sampled_from([*FIELDS])))
def test_names_of_settings_are_shown(names):
    found, notes = visible_controls.read(",".join(names))
    assert notes == [] and (set(found) if found is not None else set()) == set(names)


@given(st.text(max_size=500))
def test_any_text_in_show_gives_settings_and_notes(text):
    found, notes = visible_controls.read(text)
    assert found is None or set(found) <= set(FIELDS)
    assert all("\n" not in note and note.startswith("Controls to show: ") for note in notes)


def test_unknown_names_are_noted_and_nothing_known_shows_all():
    assert visible_controls.read("alpha, lambda")[0] == ("alpha",)
    assert "'lambda' is not a setting" in visible_controls.read("alpha,lambda")[1][0]
    assert visible_controls.read("foo")[0] is None
    assert visible_controls.read("none") == ((), [])
    assert visible_controls.read("x" * 5000)[0] is None
