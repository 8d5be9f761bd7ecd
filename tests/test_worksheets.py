"""Worksheets: their numbers are the library's for any seed, their HTML is safe, and the command writes a class set."""

from __future__ import annotations

import dataclasses
import re
from urllib.parse import parse_qsl

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

import aklo
from aklo.lab.content import lesson_answers, worksheets
from aklo.lab.content.lessons import Lesson
from aklo.lab.export.worksheet_html import answer_key_html, class_set_html, lab_link, worksheet_html
from aklo.lab.settings.schema import Settings, read_address
from tests.test_cli import cli, said_no

ALL = lesson_answers.all_lessons()
ROOT = "http://lab.example"
seeds = st.integers(0, 9999)


def number_of(lesson: Lesson) -> int:
    return ALL.index(lesson) + 1


# ----------------------------------------------------- each answer once more, by the library alone, from the settings


def library_stream(s: Settings) -> aklo.TaskStream:
    assert s.dataset == "conflict"
    return aklo.conflict(s.angle, s.n_tasks, s.n_examples, sd=s.sd, seed=s.seed)


def library_run(s: Settings, alpha: str = "") -> aklo.Run:
    schedule = aklo.Schedule.parse(alpha or s.alpha)
    return aklo.run(library_stream(s), lam=s.lam, alpha=schedule, clip=s.clip, horizon=s.horizon, seed=s.seed)


def mistakes(s: Settings) -> int:
    return int(library_run(s).errors[s.method][s.task].sum())


def share(s: Settings) -> int:
    return round(100 * np.mean([errors.mean() for errors in library_run(s).errors[s.method]]))


def hurt(s: Settings) -> int:
    run = library_run(s)
    return sum(a.sum() > b.sum() for a, b in zip(run.errors[s.method], run.errors["ITOL"], strict=True))


def steps(s: Settings) -> int:
    """The first step before which friends have nine tenths, on average over the tasks with friends and strangers."""
    run, shares = library_run(s), []
    groups = np.array(library_stream(s).task_groups)
    for task in range(s.n_tasks):
        friends = groups[:task] == groups[task]
        if friends.any() and not friends.all():
            shares.append(run.replay(task).weights[:, friends].sum(axis=1))
    return int(np.argmax(np.mean(shares, axis=0) >= 0.9))


def best(s: Settings) -> str:
    """The schedule with the least ACE, in one stream, or on average over repetitions if the lesson speaks of these."""
    repeated = "repetitions" in lesson_answers.ANSWERS["best schedule"].names

    def ace(spec: str) -> float:
        if not repeated:
            return float(library_run(s, spec).ace[s.method])
        found = aklo.repeat(
            lambda seed: library_stream(s.change(seed=seed)), s.repetitions, lam=s.lam, seed=s.seed,
            alpha=aklo.Schedule.parse(spec), clip=s.clip, horizon=s.horizon,
        )  # fmt: skip
        return float(found.moments[0][aklo.METHODS.index(s.method)])

    return min(s.kept.split(";"), key=ace)


def liar(s: Settings) -> int:
    signs = np.where(np.arange(s.liar_n) % 2 == 0, 1.0, -1.0)
    replay = aklo.play(
        np.column_stack([signs, np.zeros(s.liar_n)]), signs, experts=np.array([[1.0, 0.0], [-(10.0**s.loudness), 0.0]]),
        lam=1.0, alpha=aklo.Constant(1.0), clip=s.case_clip, horizon="known", seed=0,
    )  # fmt: skip
    return int(replay.errors["AKLO Sum"].sum())


BY_LIBRARY = {
    "mistakes in the task": mistakes,
    "errors over the stream": share,
    "tasks that it hurts": hurt,
    "steps to find friends": steps,
    "best schedule": best,
    "mistakes against a promise": liar,
}


@pytest.mark.parametrize("lesson", [lesson for lesson in ALL if lesson.answer in BY_LIBRARY], ids=lambda x: x.name)
@examples(max_examples=4, deadline=None)
@given(seed=seeds)
def test_answer_is_the_librarys_for_any_seed(lesson: Lesson, seed: int):
    sheet = worksheets.worksheet(number_of(lesson), lesson, seed)
    changed = sheet.lesson.settings
    assert changed.seed == seed == sheet.seed
    outcome = BY_LIBRARY[lesson.answer](changed)
    said = lesson_answers.ANSWERS[lesson.answer].say(outcome, changed)
    assert sheet.facts["outcome"] == said
    assert f'<p class="answer">{said}</p>' in answer_key_html([sheet])
    assert f"<td>answer</td><td>{said}</td>" in answer_key_html([sheet])
    assert f"<td>{seed}</td><td>{said}</td>" in answer_key_html([sheet, sheet])


def test_library_knows_the_answers_of_the_first_six_lessons():
    assert {lesson.answer for lesson in ALL[:6]} <= set(BY_LIBRARY)


# ------------------------------------------------------------------------------------------------------- every lesson


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.name)
def test_every_lesson_has_a_worksheet_with_all_its_parts(lesson: Lesson):
    sheet = worksheets.worksheet(number_of(lesson), lesson, 17)
    html, key = worksheet_html(sheet, ROOT), answer_key_html([sheet], "http://lab.example/teachers?s=17")
    assert "{{" not in html + key
    assert f"worksheet {sheet.number} · seed 17" in html and "My reasons" in html and "QR code" in html
    assert bool(sheet.range) != bool(sheet.choices)
    assert (sheet.range and sheet.range in html) or all(choice in html for choice in sheet.choices)
    assert "http://lab.example/teachers?s=17" in key
    for name in sheet.names:
        assert f"<td>{sheet.facts[name]}</td>" in key and f"<td>{sheet.own_facts[name]}</td>" in key
    answer = lesson_answers.ANSWERS[lesson.answer]
    assert sheet.facts["outcome"] == answer.say(answer.outcome(sheet.lesson.settings), sheet.lesson.settings)
    # The link holds all that the worksheet is about, and opens without a note.
    path, _, query = lab_link(sheet, ROOT).partition("?")
    assert path == f"{ROOT}/{lesson.page}"
    assert read_address(dict(parse_qsl(query))) == (sheet.lesson.settings, [])


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.name)
def test_own_seed_gives_the_lessons_own_numbers(lesson: Lesson):
    sheet = worksheets.worksheet(number_of(lesson), lesson, lesson.settings.seed)
    assert sheet.facts == sheet.own_facts == lesson_answers.facts(lesson)


def test_counterexample_breaks_its_bound_for_every_seed_and_has_many_answers():
    (lesson,) = [lesson for lesson in ALL if lesson.answer == "mistakes against a promise"]
    found = [worksheets.worksheet(6, lesson, seed).facts for seed in range(0, worksheets.LENGTHS, 4)]
    made = [int(facts["outcome"].split()[0]) for facts in found]
    assert all(n > float(facts["promise"]) for n, facts in zip(made, found, strict=True))
    assert len(set(made)) > 10


def test_table_of_errors_by_alpha_is_the_librarys():
    lesson = dataclasses.replace(
        ALL[1], settings=Settings().change(dataset="conflict", n_tasks=6, n_examples=20, seed=3)
    )
    head, beside, own = worksheets.errors_by_alpha(lesson).rows
    assert head[1:] == ("0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1")
    for row, settings in ((beside, lesson.beside), (own, lesson.settings)):
        for alpha, said in zip(head[1:], row[1:], strict=True):
            ace = library_run(settings, f"constant:value={alpha}").ace["AKLO Sum"]
            assert said == f"{100 * ace:.1f}\N{NO-BREAK SPACE}%"


def test_class_set_has_a_page_for_each_seed_and_one_key():
    lesson = ALL[1]
    sheets = [worksheets.worksheet(2, lesson, seed) for seed in (3, 5, 8)]
    html = class_set_html(sheets, ROOT, key=True)
    assert re.findall(r"worksheet 2 · seed (\d+)", html) == ["3", "5", "8"]
    assert html.count("answer key · worksheet 2") == 1
    for sheet in sheets:
        assert f"<td>{sheet.seed}</td><td>{sheet.facts['outcome']}</td>" in html
    assert "answer key" not in class_set_html(sheets, ROOT)
    assert "<script" not in html and not re.search(r'(?:src|href)="(?!data:)', html), "nothing is fetched"


def test_markup_in_a_lesson_is_shown_as_text():
    evil = "<script>alert(1)</script>"
    lesson = dataclasses.replace(ALL[1], title=evil, question=evil, guess=f"{evil}?", look=evil, keep=evil)
    sheet = worksheets.worksheet(2, lesson, 1)
    html = class_set_html([sheet], ROOT, key=True)
    assert "<script" not in html and html.count("&lt;script&gt;") == 8


@pytest.mark.parametrize(
    ("text", "words"), [("", "1-30"), ("x", "1-30"), ("3-", "1-30"), ("-3", "1-30"), ("9-3", "9-3"), ("²", "1-30"),
                        ("1-10000", "10000"), ("0-9999", "10000 seeds"), ("1,,2", "1-30")],
)  # fmt: skip
def test_bad_seeds_are_refused_with_one_sentence(text: str, words: str):
    said_no(*cli("worksheets", "--lesson", 1, "--seeds", text, "--html", "-"), words)


def test_command_writes_the_class_set(tmp_path):
    file = tmp_path / "class.html"
    code, out, _ = cli("worksheets", "--lesson", 3, "--seeds", "7,9", "--key", "--address", ROOT + "/", "--html", file)
    assert (code, out) == (0, "")
    sheets = [worksheets.worksheet(3, ALL[2], seed) for seed in (7, 9)]
    assert file.read_text(encoding="utf-8") == class_set_html(sheets, ROOT, key=True)
    said_no(*cli("worksheets", "--lesson", 99, "--html", file), "--lesson is 99", str(len(ALL)))
    said_no(*cli("worksheets", "--lesson", 1, "--html", tmp_path / "no" / "x.html"), "cannot be written")
