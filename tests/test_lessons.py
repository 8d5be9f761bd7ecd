"""The lessons' files, and that what they tell is true with their settings; and which controls a link leaves."""

from __future__ import annotations

import re
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtrit
from streamlit.testing.v1 import AppTest

import aklo
from aklo.lab.compute import bounds, runs
from aklo.lab.content import glossary, lesson_answers, lessons
from aklo.lab.frame.navigation import PAGES
from aklo.lab.session import visible_controls
from aklo.lab.settings.schema import FIELDS, Settings
from aklo.lab.settings.text import percent

ALL, FAULTS = lessons.load(lesson_answers.check)
GOOD = (lessons.FOLDER / "1-alone.md").read_text(encoding="utf-8")
BY_NAME = {lesson.name: lesson for lesson in ALL}


def test_eight_lessons_without_a_fault():
    assert FAULTS == []
    assert [lesson.name[0] for lesson in ALL] == list("12345678")
    for lesson in ALL:
        assert lesson.page in PAGES
        assert lesson.words and glossary.links(lesson.words)
        assert lesson.keep.count(".") == 1, "one sentence to keep"
        assert lesson.guess.endswith("?")


@pytest.mark.parametrize("lesson", ALL, ids=list(BY_NAME))
def test_lesson_files_hold_no_computed_numbers(lesson):
    answer = lesson_answers.ANSWERS[lesson.answer]
    facts = lesson_answers.facts(lesson)
    assert set(answer.facts(lesson.settings)) == set(answer.names)
    for section in lessons.SECTIONS:
        text = getattr(lesson, section.lower())
        assert "{{" not in lessons.fill(text, facts)
        outcome = answer.outcome(lesson.settings)
        if isinstance(outcome, int) and outcome > 1:  # 0 and 1 are values of alpha, too
            assert str(outcome) not in re.findall(r"\d+", text)
    assert lesson_answers.is_guess(lesson, answer.outcome(lesson.settings))


@pytest.mark.parametrize("lesson", ALL, ids=list(BY_NAME))
def test_lesson_does_not_give_its_answer_away_before_the_guess(lesson):
    facts = lesson_answers.facts(lesson)
    before = lessons.fill(f"{lesson.title} {lesson.question} {lesson.guess}", facts)
    assert facts["outcome"] not in before
    assert not {"late", "lead", "pool", "rate"} & (lesson.placeholders["Question"] | lesson.placeholders["Guess"])


@pytest.mark.parametrize("lesson", ALL, ids=list(BY_NAME))
def test_only_possible_guesses_are_guesses(lesson):
    answer = lesson_answers.ANSWERS[lesson.answer]
    for bad in (-1, 10**6, 1.0, True, None, "", "nonsense", [3], {}):
        assert not lesson_answers.is_guess(lesson, bad)
    good = [0, answer.high(lesson.settings)] if answer.choices is None else list(answer.choices(lesson.settings))
    assert all(lesson_answers.is_guess(lesson, value) for value in good)


def test_lesson_texts_define_what_they_use():
    """Nothing is left of terms that no lesson defines, and a method is named only when it has been met."""
    met: set[str] = set()
    for lesson in ALL:
        text = f"{lesson.question} {lesson.guess} {lesson.look} {lesson.keep}"
        assert "client" not in text and "ε" not in text
        for method in aklo.METHODS:
            if re.search(rf"(?<!Unif )(?<!AKLO )\b{method}\b", re.sub(r"\{\{.*?\}\}", "", text)):
                assert method in met or f"**{method}**" in text, f"{lesson.name}: {method}"
                met.add(method)
        assert set(lesson.methods) <= met


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


def test_lesson_2_tol_turns_round_within_a_task_and_so_is_below_a_half():
    wrong = np.stack(stream_of("2-together").errors["TOL"])
    facts = lesson_answers.facts(BY_NAME["2-together"])
    assert facts["early"] == f"{100 * wrong[:, :25].mean():.0f}\N{NO-BREAK SPACE}%"
    assert facts["late"] == f"{100 * wrong[:, 75:].mean():.0f}\N{NO-BREAK SPACE}%"
    assert 0.45 < wrong[:, :25].mean() < 0.5 and wrong[:, 75:].mean() < 0.35 < wrong.mean() < 0.45


def test_lesson_3_every_task_that_could_be_hurt_was():
    lesson = BY_NAME["3-wrong-friend"]
    hurt, none = (lesson_answers.ANSWERS[lesson.answer].outcome(s) for s in (lesson.settings, lesson.beside))
    run = stream_of("3-wrong-friend")
    wrong = {method: np.array([e.sum() for e in run.errors[method]]) for method in aklo.METHODS}
    assert hurt == (wrong["Unif Sample"] > wrong["ITOL"]).sum() == len(wrong["ITOL"]) - 1
    assert not wrong["Unif Sample"][0] > wrong["ITOL"][0], "the first task has no experts"
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


@pytest.mark.parametrize("seed", range(2))
def test_lesson_5_falling_alpha_is_best_and_the_lead_is_sure(seed):
    lesson = BY_NAME["5-alpha"]
    settings = lesson.settings.change(seed=seed)
    specs, answer = settings.kept_schedules, lesson_answers.ANSWERS[lesson.answer]
    source = partial(aklo.conflict, angle=90.0, sd=0.3)
    repeats = [
        aklo.repeat(source, 10, lam=0.1, alpha=aklo.Schedule.parse(spec), clip="sum", seed=seed) for spec in specs
    ]
    ace = np.stack([found.ace["AKLO Sum"] for found in repeats])  # (4, 10)
    assert answer.outcome(settings) == specs[int(ace.mean(axis=1).argmin())] == "linear:end=0"
    lead = ace[2] - ace[1]  # C is the next
    half = stdtrit(9, 0.975) * lead.std(ddof=1) / np.sqrt(10)
    facts = answer.facts(settings)
    assert facts["lead"] == f"{100 * lead.mean():.1f} ± {100 * half:.1f}"
    assert (facts["best"], facts["next"]) == ("B", "C") and lead.mean() > 2 * half
    assert ace[3] == pytest.approx(repeats[0].ace["ITOL"])


def test_lesson_7_regret_is_that_of_the_library_and_hardly_grows():
    lesson = BY_NAME["7-regret"]
    run = aklo.run(
        aklo.conflict(angle=90.0, n_examples=400, seed=1), lam=0.1, alpha=aklo.Constant(1.0), clip="advice", seed=1
    )
    found = aklo.regret(run)
    curves = np.mean([found.curve(task).to_numpy() for task in range(1, 50)], axis=0)
    mine, uniform = (curves[:, aklo.METHODS.index(name)] for name in ("AKLO Sum", "Unif Sum"))
    facts = lesson_answers.facts(lesson)
    assert lesson_answers.ANSWERS[lesson.answer].outcome(lesson.settings) == round(mine[-1])
    assert [facts[name] for name in ("early", "late", "Unif early", "Unif late")] == [
        f"{value:.1f}" for value in (mine[99], mine[-1], uniform[99], uniform[-1])
    ]
    assert mine[-1] < 1.5 * mine[99] and uniform[-1] > 3.5 * uniform[99]


@pytest.mark.parametrize("seed", range(3))
def test_lesson_8_no_constant_alpha_beats_one_pool(seed):
    lesson = BY_NAME["8-pool"]
    answer = lesson_answers.ANSWERS[lesson.answer]
    methods = (*aklo.METHODS, "One pool", "AKLO, rate 1/2")
    for settings, better in ((lesson.settings.change(seed=seed), 0), (lesson.beside.change(seed=seed), 3)):
        learned = aklo.learn(aklo.conflict(angle=settings.angle, sd=settings.sd, seed=seed), lam=0.1)
        ace = [
            aklo.mix(learned, alpha=aklo.Constant(k / 10), clip="advice", seed=seed, methods=methods).ace
            for k in range(11)
        ]
        pool, mine = ace[0]["One pool"], [one["AKLO Sum"] for one in ace]
        assert answer.outcome(settings) == sum(error < pool for error in mine) == better
        facts = answer.facts(settings)
        assert facts["pool"] == percent(pool) and facts["best"] == percent(min(mine))
        assert facts["best alpha"] == f"{int(np.argmin(mine)) / 10:g}"
        assert facts["rate"] == percent(min(one["AKLO, rate 1/2"] for one in ace))
        if settings.angle and seed == 0:  # as the lesson says
            assert min(mine) - pool > 0 and min(one["AKLO, rate 1/2"] for one in ace) - pool < (min(mine) - pool) / 2


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
        ("- methods: ITOL", "- methods: ITOL, Oracle", "'Oracle' is not a method"),
        ("mistakes in the task\n- settings: v=1", "regret at the end\n- settings: v=1&T=1", "has no experts"),
        ("mistakes in the task\n", "values of alpha that win\n", "'beside' is missing"),
        ("- methods: ITOL", "- methods: One pool", "'One pool' is not a method of these settings"),
        ("mistakes in the task\n- settings: v=1", "steps to find friends\n- settings: v=1&T=1", "give more tasks"),
        ("mistakes in the task\n- settings: v=1", "errors over the stream\n- settings: v=1&N=3", "give four examples"),
        ("mistakes in the task\n", "tasks that it hurts\n- beside: N=3\n", "give four examples"),
        ("d=conflict&an=180&s=1&t=0", "d=conflict&N=4", "give five examples"),
        ("d=conflict&an=180&s=1&t=0", "d=digits", "digits is not in the plane"),
        (
            "mistakes in the task\n- settings: v=1",
            "best schedule\n- settings: v=1&a=power&h=unknown&k=power;linear:end=0",
            "needs the number of examples N",
        ),
    ],
)
def test_broken_lesson_file_gives_one_sentence_and_leaves_the_others(tmp_path, old, new, says):
    assert old in GOOD
    text = GOOD.replace(old, new)
    if "mistakes in the task" in old:
        text = re.sub(r"\{\{.*?\}\}", "some", text)
    (tmp_path / "1-broken.md").write_text(text, encoding="utf-8")
    (tmp_path / "2-good.md").write_text(GOOD, encoding="utf-8")
    found, faults = lessons.load(lesson_answers.check, tmp_path)
    assert [lesson.name for lesson in found] == ["2-good"]
    assert len(faults) == 1 and says in faults[0] and faults[0].startswith("1-broken: ")


def _a_lesson() -> None:
    import streamlit as st

    from aklo.lab.content import lesson_answers
    from aklo.lab.frame import lesson_pictures

    lesson = st.session_state["lesson"]
    answer = lesson_answers.ANSWERS[lesson.answer]
    outcome = answer.outcome(lesson.settings)
    st.session_state["facts"] = lesson_answers.facts(lesson)
    st.session_state["can_be_guessed"] = lesson_answers.is_guess(lesson, outcome)
    if lesson.answer in lesson_pictures.BEFORE:
        lesson_pictures.BEFORE[lesson.answer](lesson, "before")
    lesson_pictures.draw(lesson, "after", guess=outcome)


@pytest.mark.parametrize(
    "query",
    [
        "T=1&N=1",
        "T=2&N=3&R=2",
        "T=5&N=4&R=2",
        "T=6&N=20&R=2&ch=One pool&m=One pool",
        "T=6&N=20&R=2&k=linear:end=0;power:k=1&ch=One pool",
        "T=6&N=20&R=2&h=unknown&a=power:k=0.5&k=linear:end=0;power:k=1",
        "d=digits&T=6&N=20&R=2",
        "d=conflict&T=6&N=20&R=2&sh=0",
    ],
)
def test_lesson_that_is_accepted_can_be_shown(query):
    """Of each kind of question, with settings at the edge of what it can be asked about."""
    shown = []
    for kind in lesson_answers.ANSWERS:
        text = f"# A\n- answer: {kind}\n- settings: v=2&{query}\n- beside: s=3\n- page: watch\n"
        lesson = lessons.read(text + "".join(f"## {name}\nSome.\n" for name in lessons.SECTIONS), "x")
        try:
            lesson_answers.check(lesson)
        except ValueError:
            continue
        at = AppTest.from_function(_a_lesson, default_timeout=60)
        at.session_state["lesson"] = lesson
        at.run()
        assert not at.exception, f"{kind}: {at.exception[0].message}"
        facts = at.session_state["facts"]
        assert at.session_state["can_be_guessed"] and not [name for name in facts if "nan" in facts[name]]
        shown.append(kind)
    assert "mistakes against a promise" in shown  # which needs nothing of the stream


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
