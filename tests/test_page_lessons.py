"""The lessons' page without a browser: every lesson to its end; and controls that a link leaves out, on every page."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from aklo.lab.content import lesson_answers, lessons
from aklo.lab.frame.navigation import PAGES
from aklo.lab.session import visible_controls
from aklo.lab.settings.schema import Settings
from tests.pages import all_controls, charts, control, opened, sound

ALL, _ = lessons.load(lesson_answers.check)


def guess(at: AppTest, value: object) -> AppTest:
    widget = at.slider[0] if at.slider else at.radio[0]
    return sound(widget.set_value(value).run())


def click(at: AppTest, key: str) -> AppTest:
    return sound(at.button(key=key).click().run())


def texts(at: AppTest) -> str:
    return "\n".join(element.value for element in [*at.markdown, *at.caption, *at.info])


def pictures(at: AppTest) -> list:
    players = [c for c in at.get("bidi_component") if c.proto.component_name.endswith("player")]
    return [*charts(at), *players]


@pytest.mark.parametrize("number", range(1, 7))
def test_lesson_reveals_its_answer_after_the_commitment(number):
    lesson = ALL[number - 1]
    answer = lesson_answers.ANSWERS[lesson.answer]
    at = opened("lessons", lesson=str(number))
    facts = lesson_answers.facts(lesson)
    assert lessons.fill(lesson.question, facts) in texts(at)
    assert lesson.keep not in texts(at) and lessons.fill(lesson.look, facts) not in texts(at)
    assert not pictures(at)
    value = 3 if answer.choices is None else next(iter(answer.choices(lesson.settings)))
    guess(at, value)
    assert lesson.keep not in texts(at), "moving is not committing"
    click(at, "commit")
    assert f"Your guess  \n:blue[**{answer.say(value, lesson.settings)}**]" in texts(at)
    assert f"What happened  \n:blue[**{facts['outcome']}**]" in texts(at)
    assert lesson.keep in texts(at) and lessons.fill(lesson.look, facts) in texts(at)
    assert pictures(at)
    assert not at.slider and not at.radio, "a committed guess cannot be changed"
    assert lesson_answers.difference(value, answer.outcome(lesson.settings)) in texts(at)
    click(at, "anew")
    assert lesson.keep not in texts(at) and (at.slider or at.radio)
    assert at.query_params["lesson"] == str(number)


def test_commit_is_disabled_until_a_choice_is_made():
    at = opened("lessons", lesson="5")
    assert at.radio[0].value is None and at.button(key="commit").disabled
    guess(at, "step:at=50")
    assert not at.button(key="commit").disabled


def test_visit_to_another_page_keeps_guesses_lesson_and_settings():
    mine = Settings().change(dataset="syn2", n_tasks=20, seed=7)
    at = opened("lessons", mine, lesson="2")
    guess(at, 33)
    click(at, "commit")
    click(at, "next")
    guess(at, 44)
    assert at.query_params["lesson"] == "3"
    for key, value in mine.address().items():
        assert at.query_params[key] == value
    sound(at.switch_page("pages/watch.py").run())
    assert at.session_state["settings"] == mine
    assert "lesson" not in at.query_params
    for key in list(at.query_params):
        del at.query_params[key]
    for key, value in mine.address().items():  # as the menu's link does
        at.query_params[key] = value
    sound(at.switch_page("pages/lessons.py").run())
    assert at.query_params["lesson"] == "3" and at.slider[0].value == 44
    click(at, "back")
    assert "You said: 33" in texts(at)
    click(at, "all")
    assert "lesson" not in at.query_params
    table = at.table[0].value
    assert list(table.index) == [ALL[1].title] and table.iloc[0]["Your guess"].startswith("33")
    click(at, "all_anew")
    assert not at.table


def test_first_commitment_is_kept():
    at = opened("lessons", lesson="1")
    guess(at, 10)
    click(at, "commit")
    at.session_state["drafts"]["1-alone"] = 5
    sound(at.run())
    assert at.session_state["guesses"] == {"1-alone": 10}


@pytest.mark.parametrize("bad", ["0", "7", "-1", "1e3", "two", "1" * 500, "**x**", "²"])
def test_unknown_lesson_gives_a_note_and_the_list(bad):
    at = opened("lessons", lesson=bad)
    assert "does not exist" in texts(at)
    assert at.button(key="open_1")
    assert "lesson" not in at.query_params


def test_back_and_next_go_through_the_lessons():
    at = opened("lessons")
    click(at, "open_1")
    assert at.button(key="back").disabled and not at.button(key="next").disabled
    for number in range(2, 7):
        click(at, "next")
        assert at.query_params["lesson"] == str(number)
        assert f"Lesson {number} of 6" in at.get("progress")[0].proto.text
    assert at.button(key="next").disabled


def test_go_on_takes_the_settings_of_the_lesson_and_undo_brings_back_the_others():
    mine = Settings().change(dataset="syn2", n_tasks=20, seed=7)
    at = opened("lessons", mine, lesson="4")
    click(at, "commit")
    click(at, "try")
    assert at.title[0].value == "Watch it learn"
    assert at.session_state["settings"] == ALL[3].settings
    sound(next(button for button in at.button if button.label == "Undo").click().run())
    assert at.session_state["settings"] == mine


def test_added_lesson_is_shown_and_broken_one_is_reported(tmp_path, monkeypatch):
    own = (
        (lessons.FOLDER / "2-together.md").read_text(encoding="utf-8").replace("errors over the stream", "best method")
    )
    (tmp_path / "a.md").write_text(own, encoding="utf-8")
    (tmp_path / "b.md").write_text("nothing", encoding="utf-8")
    monkeypatch.setattr(lessons.load, "__defaults__", (tmp_path,))
    at = opened("lessons", lesson="1")
    assert "a lesson begins with one title" in texts(at).replace("\\", "")
    guess(at, "TOL")
    click(at, "commit")
    assert "What happened  \n:blue[**AKLO Sum**]" in texts(at)
    monkeypatch.setattr(lessons.load, "__defaults__", (tmp_path / "none",))
    assert "There are no lessons" in texts(opened("lessons"))


# ------------------------------------------------------------------------------------ controls that a link leaves out


def keys(at: AppTest) -> set[str]:
    """The names of all settings' controls on a page."""
    return {key for key in all_controls(at) if key.startswith(("setting_", "alpha_")) or key in ("preset", "reading")}


@pytest.mark.parametrize("page", [page for page in PAGES if page != "reproduce"])  # it has no settings, and is slow
def test_show_leaves_only_the_named_controls_on_every_page(page):
    page = None if page == "app" else page
    at = opened(page, T="5", N="10", R="1", show="alpha,task")
    headings = {f"setting_{name}" for name in visible_controls.HEADINGS}
    left = {key for key in keys(at) - headings if not key.startswith("alpha_")}  # those are the schedule's own
    assert left <= {"setting_alpha", "setting_task"}
    assert at.query_params["show"] == "alpha,task"
    before = keys(at)
    click(at, "show_all")
    assert "show" not in at.query_params and at.query_params["T"] == "5"
    assert keys(at) >= before
    assert not [button for button in at.button if button.key == "show_all"]


def test_hidden_settings_keep_their_values():
    at = opened("watch", T="8", t="3", l="0.1", show="task,nonsense")
    assert "nonsense" in texts(at)
    sound(control(at, "setting_task").set_value(5).run())
    now = at.session_state["settings"]
    assert (now.task, now.lam, now.n_tasks) == (5, 0.1, 8)
    assert at.query_params["show"] == "task" and at.query_params["t"] == "5"
    assert "preset" not in keys(at) and not [button for button in at.button if button.key == "reset"]


def test_show_none_hides_every_control():
    at = opened("watch", T="8", show="none")
    assert keys(at) == set()
    assert at.query_params["show"] == "none"
    click(at, "show_all")
    assert {"preset", "setting_task", "setting_alpha"} <= keys(at)


def test_show_with_unknown_names_only_shows_every_control():
    at = opened("watch", T="8", show="foo,<script>")
    assert "preset" in keys(at) and "show" not in at.query_params
