"""The lessons' page without a browser: every lesson to its end; and controls that a link leaves out, on every page."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from aklo import handin
from aklo.lab.compute.block import read_header
from aklo.lab.content import lesson_answers, lessons
from aklo.lab.frame import lesson_pictures
from aklo.lab.frame.navigation import PAGES
from aklo.lab.session import visible_controls
from aklo.lab.session.guesses import empty_record
from aklo.lab.settings.schema import FIELDS, Settings
from tests.pages import all_controls, control, opened, report, report_move, sound, told

ALL, _ = lessons.load(lesson_answers.check)


def guess(at: AppTest, value: object) -> AppTest:
    widget = at.slider[0] if at.slider else at.radio[0]
    return sound(widget.set_value(value).run())


def click(at: AppTest, key: str) -> AppTest:
    return sound(at.button(key=key).click().run())


def texts(at: AppTest) -> str:
    return "\n".join(element.value for element in [*at.markdown, *at.caption, *at.info])


def pictures(at: AppTest) -> list:
    kinds = ("aklo_player", "aklo_chart", "aklo_reveal")
    return [c for c in at.get("bidi_component") if c.proto.component_name.endswith(kinds)]


def answered(at: AppTest, value: object) -> AppTest:
    """Run the page after a guess was made, committed to, and its answer shown."""
    guess(at, value)
    click(at, "commit")
    return click(at, "skip")


@pytest.mark.parametrize("number", range(1, len(ALL) + 1))
def test_lesson_reveals_its_answer_after_the_commitment_when_it_was_played(number):
    lesson = ALL[number - 1]
    answer = lesson_answers.ANSWERS[lesson.answer]
    at = opened("lessons", lesson=str(number))
    facts = lesson_answers.facts(lesson)
    assert lessons.fill(lesson.question, facts) in texts(at)
    assert lesson.keep not in texts(at) and lessons.fill(lesson.look, facts) not in texts(at)
    assert len(pictures(at)) == (lesson.answer in lesson_pictures.BEFORE)
    assert at.button(key="commit").disabled, "a guess has to be made first"
    value = 3 if answer.choices is None else next(iter(answer.choices(lesson.settings)))
    guess(at, value)
    assert lesson.keep not in texts(at), "moving is not committing"
    click(at, "commit")
    assert f"Your guess  \n:blue[**{answer.say(value, lesson.settings)}**]" in texts(at)
    assert len(pictures(at)) == 1 and not at.slider and not at.radio, "a committed guess cannot be changed"
    for answered_by in (facts["outcome"], lesson.keep, lessons.fill(lesson.look, facts)):
        assert answered_by not in texts(at), "the answer is played, not printed before"
    click(at, "skip")
    assert f"What happened  \n:blue[**{facts['outcome']}**]" in texts(at)
    assert lesson.keep in texts(at) and lessons.fill(lesson.look, facts) in texts(at)
    assert lesson_answers.difference(value, answer.outcome(lesson.settings)) in texts(at)
    click(at, "anew")
    assert lesson.keep not in texts(at) and (at.slider or at.radio)
    assert at.query_params["lesson"] == str(number)


@pytest.mark.parametrize(("number", "picture"), [("2", "aklo_reveal"), ("1", "aklo_player"), ("6", "aklo_player")])
def test_answer_that_was_played_to_its_end_is_told(number, picture):
    at = opened("lessons", lesson=number)
    guess(at, 7)
    click(at, "commit")
    assert "To keep." not in texts(at)
    report_move(at, picture, {"ended": True})  # as the browser reports it
    assert "To keep." in texts(at)


def test_player_of_a_lesson_reports_its_end_and_no_other_step():
    """A step that it reported would be taken back by the next run of the page, whose view begins at the first step."""
    at = opened("lessons", lesson="1")
    guess(at, 7)
    click(at, "commit")
    (header,) = [read_header(one.proto.bytes) for one in pictures(at)]
    assert header["reportsEnd"] and not header["report"] and header["autoplay"]
    assert (header["guess"], header["lines"], header["view"]["step"]) == (7, ["ITOL"], 1)
    (header,) = [read_header(one.proto.bytes) for one in pictures(click(at, "skip"))]
    assert header["view"]["step"] == 100 and not header["autoplay"]


def test_guess_is_drawn_into_the_picture_and_nothing_of_the_answer_before():
    at = opened("lessons", lesson="7")
    before = told(at, "aklo_reveal")
    assert before["still"] and before["n"] == 100 and len(before["panels"][0]["lines"][0]["y"]) == 100
    assert before["panels"][0]["marks"] == []
    guess(at, 42)
    click(at, "commit")
    marks = {mark["kind"]: mark for mark in told(at, "aklo_reveal")["panels"][0]["marks"]}
    outcome = lesson_answers.ANSWERS[ALL[6].answer].outcome(ALL[6].settings)
    assert (marks["guess"]["at"], marks["outcome"]["at"]) == (42, outcome)


def test_commit_is_disabled_until_a_guess_is_made():
    for number, value in (("5", "step:at=50"), ("2", 0)):
        at = opened("lessons", lesson=number)
        assert at.button(key="commit").disabled
        if number == "2":
            guess(at, 9)  # a guess of 0 is made by moving away and back
        guess(at, value)
        assert not at.button(key="commit").disabled


def test_visit_to_another_page_keeps_guesses_lesson_and_settings():
    mine = Settings().change(dataset="syn2", n_tasks=20, seed=7)
    at = opened("lessons", mine, lesson="2")
    answered(at, 33)
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
    assert "Your guess  \n:blue[**33" in texts(at) and "To keep." in texts(at)
    click(at, "all")
    assert "lesson" not in at.query_params
    table = at.table[0].value
    assert list(table.index) == [ALL[1].title] and table.iloc[0]["Your guess"].startswith("33")


def test_cleared_guesses_can_be_brought_back():
    at = opened("lessons", lesson="2")
    answered(at, 33)
    click(at, "all")
    click(at, "all_anew")
    assert not at.table and told(at, "aklo_browser_store")["text"] == ""
    click(at, "restore")
    assert at.table[0].value.iloc[0]["Your guess"].startswith("33")


def test_first_commitment_is_kept():
    at = opened("lessons", lesson="1")
    guess(at, 10)
    click(at, "commit")
    at.session_state["drafts"]["1-alone"] = 5
    sound(at.run())
    assert [(entry.lesson, entry.guess) for entry in at.session_state["guesses"].entries] == [("1-alone", 10)]


# ------------------------------------------------------------------------------------------ what the browser has kept


STORE = {"name": "guesses", "heard": True, "longest": handin.LONGEST}


def kept(at: AppTest, text: object, *, works: bool = True, changed: bool = False) -> AppTest:
    """Run the page after the browser has said what it had kept."""
    return report(at, "aklo_browser_store", "kept", {"text": text, "works": works, "changed": changed})


def record(**guesses: object) -> handin.Record:
    """A record with guesses, by the names of their lessons, a minute apart."""
    new = empty_record()
    key = handin.Key.public()
    lessons_and_guesses = enumerate(guesses.items())
    return new.with_entries(
        handin.Entry.signed(new.id, name.replace("_", "-"), value, 1_700_000_000 + 60 * k, key)
        for k, (name, value) in lessons_and_guesses
    )


def test_what_the_browser_kept_does_not_bring_an_older_address_back():
    """The browser tells of it with the address of that moment; meanwhile the visitor has opened a lesson."""
    at = opened("lessons")
    older = dict(at.query_params)
    at = sound(at.button(key="open_1").click().run())
    assert at.query_params["lesson"] == "1"
    at.query_params.clear()
    for key, text in older.items():
        at.query_params[key] = text
    at = kept(at, None)
    assert at.query_params["lesson"] == "1"
    assert any("Lesson 1 of" in caption.value for caption in at.caption)


def test_kept_record_is_taken_and_nothing_is_written_before_it_was_heard():
    at = opened("lessons")
    assert told(at, "aklo_browser_store")["heard"] is False
    mine = record(**{"1_alone": 12, "5_alpha": "step:at=50"})
    kept(at, mine.to_json())
    assert told(at, "aklo_browser_store") == STORE | {"text": mine.to_json()}
    assert list(at.table[0].value["Your guess"]) == ["12 mistakes", "C · Step, last step 50"]
    click(at, "open_1")
    assert "To keep." in texts(at), "it was answered in an earlier visit, and need not be played again"


def test_guess_of_this_visit_is_joined_with_the_kept_record_and_signed_for_it():
    at = opened("lessons", lesson="3")
    answered(at, 20)
    mine = record(**{"1_alone": 12})
    kept(at, mine.to_json())
    joined = handin.Record.from_json(told(at, "aklo_browser_store")["text"])
    assert joined.id == mine.id and [entry.lesson for entry in joined.entries] == ["1-alone", "3-wrong-friend"]
    assert all(entry.is_signed(joined.id, handin.Key.public()) for entry in joined.entries)


def test_other_tab_that_clears_or_adds_is_followed():
    at = opened("lessons")
    mine = record(**{"1_alone": 12})
    kept(at, mine.to_json())
    kept(at, record(**{"2_together": 50}).to_json(), changed=True)
    assert list(at.table[0].value["Your guess"]) == ["50\N{NO-BREAK SPACE}%"]
    kept(at, None, changed=True)
    assert not at.table


def test_browser_that_keeps_nothing_is_said():
    at = opened("lessons", lesson="2")
    kept(at, None, works=False)
    answered(at, 33)
    click(at, "all")
    assert "does not keep anything" in texts(at)


HOSTILE = {
    "not a text": 7,
    "a list": ["x"],
    "no JSON": "{",
    "deep": "[" * 15_000,
    "long": "x" * 1_000_000,
    "another format": '{"format": "aklo9", "id": "0123456789abcdef", "guesses": []}',
    "markup": '{"format": "<script>alert(1)</script>"}',
    "no list": '{"format": "aklo1", "id": "0123456789abcdef", "guesses": {}}',
    "bad id": '{"format": "aklo1", "id": "../../x", "guesses": []}',
    "huge number": '{"format": "aklo1", "id": "0123456789abcdef", "guesses": [["1-alone", ' + "9" * 5000 + ', 1, ""]]}',
    "bad time": record(**{"1_alone": 5}).to_json().replace("1700000000", "-1"),
    "out of range": record(**{"1_alone": 101}).to_json(),
    "no choice": record(**{"5_alpha": "linear:end=99"}).to_json(),
    "a number for a choice": record(**{"5_alpha": 3}).to_json(),
    "a choice for a number": record(**{"1_alone": "step:at=50"}).to_json(),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_record_gives_one_sentence_and_no_guess(text):
    at = opened("lessons")
    kept(at, text)
    assert not at.table and told(at, "aklo_browser_store") == STORE | {"text": ""}
    notes = [caption.value for caption in at.caption if "was left out" in caption.value]
    assert len(notes) == 1 and "<" not in notes[0]


def test_record_with_a_changed_guess_is_shown_and_marked_in_what_is_handed_in():
    at = opened("lessons")
    kept(at, record(**{"1_alone": 12, "2_together": 50}).to_json().replace('"1-alone",12', '"1-alone",5'))
    made = handin.HandIn.from_line(at.code[0].value)
    rows = [(row.lesson, row.guess, row.vouched) for row in made.rows]
    assert rows == [("1-alone", 5, False), ("2-together", 50, True)]
    assert "Guesses that this lab has not signed: 1." in texts(at)


def test_hand_in_is_signed_with_the_secret_and_has_the_name(monkeypatch):
    monkeypatch.setenv(handin.VARIABLE, "a secret of the host")
    at = opened("lessons", lesson="2")
    answered(at, 33)
    click(at, "all")
    sound(at.text_input[0].set_value("Ada <b>L</b>").run())
    made = handin.HandIn.from_line(at.code[0].value)
    key = handin.Key.secret("a secret of the host")
    assert made.check(key) == handin.VALID and made.name == "Ada <b>L</b>"
    outcome = lesson_answers.ANSWERS[ALL[1].answer].outcome(ALL[1].settings)
    rows = [(row.lesson, row.guess, row.outcome, row.vouched) for row in made.rows]
    assert rows == [("2-together", 33, outcome, True)]
    assert "Signed by this lab" in texts(at)
    monkeypatch.setenv(handin.VARIABLE, "short")
    assert "The secret has 5 characters" in texts(sound(at.run()))
    monkeypatch.delenv(handin.VARIABLE)
    assert "is a checksum" in texts(sound(at.run()))


# ------------------------------------------------------------------------------------------------------ the list of all


@pytest.mark.parametrize("bad", ["0", "9", "-1", "1e3", "two", "1" * 500, "**x**", "²"])
def test_unknown_lesson_gives_a_note_and_the_list(bad):
    at = opened("lessons", lesson=bad)
    assert "does not exist" in texts(at)
    assert at.button(key="open_1")
    assert "lesson" not in at.query_params


def test_back_and_next_go_through_the_lessons():
    at = opened("lessons")
    click(at, "open_1")
    assert at.button(key="back").disabled and not at.button(key="next").disabled
    for number in range(2, len(ALL) + 1):
        click(at, "next")
        assert at.query_params["lesson"] == str(number)
        assert f"Lesson {number} of {len(ALL)}" in texts(at)
    assert at.button(key="next").disabled


def test_go_on_takes_the_settings_of_the_lesson_and_undo_brings_back_the_others():
    mine = Settings().change(dataset="syn2", n_tasks=20, seed=7)
    at = opened("lessons", mine, lesson="4")
    answered(at, 9)
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
    answered(at, "TOL")
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
    headings = {f"setting_{name}" for name, field in FIELDS.items() if field.heading}
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


@pytest.mark.parametrize("show", [None, "none", "seed"])
@pytest.mark.parametrize("page", ["watch", "alpha", "transfer", "compare", "theory"])
def test_share_offers_the_same_controls_whatever_a_link_hides(page, show):
    """Also those of a component, and both of the switch between the readings; what chooses a part of a page cannot be
    hidden."""
    at = opened(page, T="5", N="10", R="1", **({} if show is None else {"show": show}))
    offered = [one["name"] for one in told(at, "aklo_share")["controls"]]
    assert offered == [name for name in FIELDS if name in offered and not FIELDS[name].heading]
    assert {"dataset", "n_tasks", "lam", "alpha", "clip"} <= set(offered)
    assert ("method" in offered) == (page in ("watch", "alpha", "transfer"))


def test_asking_whether_a_control_is_shown_does_not_offer_it(monkeypatch):
    monkeypatch.setattr(visible_controls.st, "session_state", {})
    visible_controls.begin()
    assert visible_controls.is_shown("task") and visible_controls.offered() == ()
    visible_controls.offer("task", "race_part")
    assert visible_controls.offered() == ("task",)


def test_show_none_hides_every_control():
    at = opened("watch", T="8", show="none")
    assert keys(at) == set()
    assert at.query_params["show"] == "none"
    click(at, "show_all")
    assert {"preset", "setting_task", "setting_alpha"} <= keys(at)


def test_show_with_unknown_names_only_shows_every_control():
    at = opened("watch", T="8", show="foo,<script>")
    assert "preset" in keys(at) and "show" not in at.query_params
