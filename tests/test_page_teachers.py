"""The page for teachers: a plan of fifty minutes, links to states that show what is claimed, and true controls."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from urllib.parse import parse_qsl

import numpy as np
import pytest

import aklo
from aklo.lab.compute import bounds, repetitions, runs
from aklo.lab.content import lesson_answers, ranking, teaching, worksheets
from aklo.lab.frame.navigation import PAGES
from aklo.lab.settings.schema import FIELDS, Settings, read_address
from tests.pages import assert_controls_are_true, control, opened, sound

ALL = lesson_answers.all_lessons()
TEXTS = ("goals", "plan", "misconceptions", "class")
LINKS = {link: name for name in TEXTS for link in teaching.links(name)}
STATES = [link for link in LINKS if not link.startswith("lessons?")]


def settings_of(link: str) -> Settings:
    found, notes = read_address(dict(parse_qsl(link.partition("?")[2])))
    assert notes == [], link
    return found


def test_plan_is_fifty_minutes_and_each_step_has_its_parts():
    steps = teaching.plan()
    assert steps[0].begins == 0 and steps[-1].ends == 50
    for before, after in pairwise(steps):
        assert before.ends == after.begins
    for step in steps:
        parts = re.findall(r"^\*\*(.+?)\*\*", step.text, re.MULTILINE)
        assert parts == ["Open", "Ask.", "They will say.", "Show."], step.title
        assert "](" in step.text.split("**Ask.**")[0], "a link to open"
    shown = [step.title for step in steps if "](" not in step.text.split("**Show.**")[1]]
    assert shown == [steps[0].title, steps[-1].title], "all others ask on a page that does not tell the answer"


def test_every_misconception_has_a_link():
    _, *entries = re.split(r"^\*\*“", teaching.text("misconceptions"), flags=re.MULTILINE)
    assert len(entries) >= 7
    assert all("](" in entry for entry in entries)


@pytest.mark.parametrize("link", LINKS)
def test_link_opens_without_a_note(link: str):
    stem, _, query = link.partition("?")
    if stem == "lessons":
        assert 1 <= int(dict(parse_qsl(query))["lesson"]) <= len(ALL)
    else:
        assert stem in PAGES
        found = settings_of(link)
        assert PAGES[stem].opening(found) == found, "the page does not take another stream"


# -------------------------------------------------------------------------- what the texts claim about each state


def ace(s: Settings) -> dict[str, float]:
    return runs.run(s).ace.to_dict()


def early_mistakes(s: Settings) -> None:
    wrong = runs.replay(s).errors["ITOL"]
    assert wrong.sum() < 10 and wrong[:25].sum() >= wrong.sum() / 2
    assert (s.n_examples, s.n_tasks) == (100, 50)


def covered(s: Settings) -> None:
    assert s.guess and not s.told and s.n_examples == 8
    assert np.flatnonzero(runs.replay(s).errors["ITOL"]).max() < 4
    assert runs.replay(s).errors["ITOL"].sum() == 2, "wrong twice in the first four"


def tol_wins(s: Settings) -> None:
    assert min(ace(s), key=ace(s).__getitem__) == "TOL"


def tol_loses(s: Settings) -> None:
    found = ace(s)
    assert max(found, key=found.__getitem__) == "TOL" and 0.37 < found["TOL"] < 0.43
    # It leans to the group that it has seen more of.
    signs = np.where(np.array(runs.stream(s).task_groups) == 0, 1, -1)
    lead = np.r_[0, np.cumsum(signs)[:-1]] * signs
    wrong = runs.run(s).task_errors[aklo.METHODS.index("TOL")]
    assert wrong[lead > 0].mean() < 0.25 and 0.5 < wrong[lead < 0].mean() < 0.7
    # With one task more of the other group it begins mostly wrong, and ends mostly right.
    errors = np.array(runs.run(s).errors["TOL"])[lead == -1]
    assert errors[:, :20].mean() > 0.6 and errors[:, -20:].mean() < 0.2


def nearly_all_hurt(s: Settings) -> None:
    gains = aklo.gains(runs.run(s).task_errors)[aklo.METHODS.index(s.method)]
    assert s.method == "Unif Sample" and (gains < 0).sum() >= 45


def late_task(s: Settings) -> None:
    groups, weights = np.array(runs.stream(s).task_groups), runs.replay(s).weights[10]
    heaviest = np.argsort(-weights)[:12]
    assert s.task == 30 and weights[heaviest].sum() >= 0.9
    assert set(heaviest) == set(np.flatnonzero(groups[:30] == groups[30]))


def ten_examples_later(s: Settings) -> None:
    assert s.step == 11
    late_task(s)


def friends_are_found(s: Settings) -> None:
    mean = aklo.friends(runs.run(s)).mean
    assert mean[0] < 0.5 and np.flatnonzero(mean >= 0.9)[0] == 10


def b_is_best(s: Settings) -> None:
    by_schedule = {spec: ace(s.change(alpha=spec))["AKLO Sum"] for spec in s.kept_schedules}
    assert list(by_schedule).index(min(by_schedule, key=by_schedule.__getitem__)) == 1
    assert s.alpha == s.kept_schedules[1], "B's right end can be dragged"


def final_alpha(s: Settings, best: str) -> None:
    assert s.kept_schedules == ("linear:end=0", "linear:end=0.5")
    found = {spec: ace(s.change(alpha=spec))["AKLO Sum"] for spec in s.kept_schedules}
    assert min(found, key=found.__getitem__) == best


def liar(s: Settings) -> None:
    assert s.theory_part == "Counterexamples" and s.case == "A loud liar" and s.case_clip == "sum"
    assert bounds.liars(s) == {"sum": 100, "advice": 0}
    assert round(bounds.case(s).bound().total) == 47 and s.liar_n == 100 and s.loudness == 6


def vacuous(s: Settings) -> None:
    assert s.theory_part == "On your task" and bounds.bound(s, bounds.replay(s)).total > s.n_examples


def paper(s: Settings) -> None:
    assert s == Settings() and min(ace(s), key=ace(s).__getitem__) == "AKLO Sum"
    assert ace(s)["Unif Sum"] > 2 * ace(s)["AKLO Sum"]


def could_be_chance(s: Settings) -> None:
    assert ace(s)["AKLO Sample"] < ace(s)["ITOL"] and s.repetitions == 10
    repetitions.compute(s)
    table = ranking.markdown(ranking.standings(repetitions.found(s), "ITOL"), "ITOL")
    assert re.search(r"\*\*AKLO Sample\*\*.*could be chance", table)


WORLD = "v=2&d=conflict&an=180&s=1&c=sum&a=linear:end%3D0"
WOBBLE = "v=2&d=conflict&an=90&e=0.3&s=0"
FOUR = "constant:value%3D1;linear:end%3D0;step:at%3D50;constant:value%3D0"
TWO = "k=linear:end%3D0;linear:end%3D0.5"
CLAIMS: dict[str, Callable[[Settings], None]] = {
    f"watch?{WORLD.replace('&c', '&T=1&N=8&c')}&t=0&m=ITOL&g=1&b=0": covered,
    f"watch?{WORLD}&t=0&m=ITOL": early_mistakes,
    f"compare?{WORLD.replace('180', '0')}&m=TOL": tol_wins,
    f"compare?{WORLD}&m=TOL": tol_loses,
    f"transfer?{WORLD}&m=Unif%20Sample": nearly_all_hurt,
    f"watch?{WORLD}&t=30": late_task,
    f"transfer?{WORLD}": friends_are_found,
    f"watch?{WORLD}&t=30&i=11": ten_examples_later,
    f"alpha?{WOBBLE}&c=sum&a=linear:end%3D0&k={FOUR}": b_is_best,
    "theory?v=2&s=0&po=Counterexamples&ca=A%20loud%20liar&lb=6&ln=100&lc=sum": liar,
    "compare?v=2&s=0": paper,
    "theory?v=2&s=0": vacuous,
    f"alpha?v=2&s=0&{TWO}": lambda s: final_alpha(s, "linear:end=0.5"),
    f"alpha?{WOBBLE}&a=linear:end%3D0.5&{TWO}": lambda s: final_alpha(s, "linear:end=0"),
    "compare?v=2&d=conflict&an=45&s=0": could_be_chance,
}


def test_every_state_has_its_claim_checked():
    assert set(STATES) == set(CLAIMS)


@pytest.mark.parametrize("link", CLAIMS)
def test_state_shows_what_the_text_claims(link: str):
    CLAIMS[link](settings_of(link))


# --------------------------------------------------------------------------------------------------------- the page


@pytest.mark.parametrize("part", FIELDS["teachers_part"].choices)
def test_each_part_opens_from_its_link(part: str):
    at = opened("teachers", Settings().change(teachers_part=part))
    assert control(at, "setting_teachers_part").value == part
    assert_controls_are_true(at)


def test_commands_are_shown_as_they_stand_in_the_file():
    at = opened("teachers", Settings().change(teachers_part="Running it"))
    shown = [code.value for code in at.code]
    assert len(shown) == 2 and all(f"```sh\n{text}\n```" in teaching.text("class") for text in shown)
    assert not any("<!--" in text.value or "```" in text.value for text in at.markdown)


def sheet_of(at) -> str:
    return next(html.proto.body for html in at.get("html") if "<article" in html.proto.body)


def test_worksheet_follows_its_controls_and_its_address():
    at = opened("teachers", Settings().change(teachers_part="Worksheets", seed=17), sheet="2")
    expected = worksheets.worksheet(2, ALL[1], 17)
    assert "worksheet 2 · seed 17" in sheet_of(at) and "answer key" not in sheet_of(at)
    sound(control(at, "setting_answer_key").set_value(True).run())
    assert f'<p class="answer">{expected.facts["outcome"]}</p>' in sheet_of(at)
    assert at.query_params["wk"] in ("1", ["1"])
    sound(control(at, "sheet_lesson").set_value(4).run())
    assert "worksheet 4 · seed 17" in sheet_of(at) and at.query_params["sheet"] in ("4", ["4"])
    sound(control(at, "setting_seed").set_value(23).run())
    assert "worksheet 4 · seed 23" in sheet_of(at) and at.query_params["s"] in ("23", ["23"])
    assert worksheets.worksheet(4, ALL[3], 23).facts["outcome"] in sheet_of(at)
    assert_controls_are_true(at)


@pytest.mark.parametrize("asked", ["0", "99", "x", "-1", "<b>", "1" * 5000, "２"])
def test_lesson_that_does_not_exist_gets_a_sentence_and_the_first(asked: str):
    at = opened("teachers", Settings().change(teachers_part="Worksheets"), sheet=asked)
    assert any("does not exist" in caption.value for caption in at.caption)
    assert "worksheet 1 · seed 0" in sheet_of(at) and control(at, "sheet_lesson").value == 1


def test_link_to_a_room_keeps_the_challengers():
    at = opened("teachers", pp="Running it", ch="One pool", m="One pool")
    (link,) = [link.proto for link in at.get("page_link") if link.proto.label == "Open a room"]
    query = dict(parse_qsl(link.query_string))
    assert (query["ch"], query["m"]) == ("One pool", "One pool")
