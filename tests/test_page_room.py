"""The room's page without a browser: doors, teachers and students, and what cannot be done said in a sentence."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from streamlit.testing.v1 import AppTest

from aklo.lab.charts import room as charts_of_rooms
from aklo.lab.content import lab_links, lesson_answers, room_questions
from aklo.lab.export.room_csv import COLUMNS, room_csv
from aklo.lab.frame import room_calls
from aklo.lab.frame.navigation import PAGES
from aklo.lab.frame.room_steering import ASKABLE
from aklo.lab.server import room_status
from aklo.lab.server.room_records import Guess, Question
from aklo.lab.server.rooms import LIFETIME, Rooms, rooms
from aklo.lab.server.rooms_database import Refused, Unavailable, prepare
from aklo.lab.settings.schema import Settings, read_address
from tests.pages import charts, control, opened, report, sound

STUDENTS = count(1)


def texts(at: AppTest) -> str:
    return "\n".join(element.value for element in [*at.markdown, *at.caption, *at.info, *at.warning, *at.subheader])


def token() -> str:
    return f"{next(STUDENTS):032x}"


def client(at: AppTest) -> dict:
    """What the browser's part was told."""
    (found,) = [c.proto for c in at.get("bidi_component") if c.proto.component_name.endswith("aklo_room_client")]
    return json.loads(found.bytes)


def come(code: str, student: str, secret: str | None = None, **query: str) -> AppTest:
    """A page of the room, after the browser has said who it is."""
    at = opened("room", room=code, **query)
    assert client(at)["asks"]
    return report(at, "aklo_room_client", "who", {"student": student, "secret": secret})


def press(at: AppTest, key: str) -> AppTest:
    return sound(at.button(key=key).click().run())


@pytest.fixture
def room():
    return rooms().open()


def test_a_teacher_and_a_student_go_through_two_questions(room):
    code, secret = room
    wall = opened("room", room=code, teacher=secret)
    assert "teacher" not in wall.query_params and secret not in str(wall.query_params)  # others look at the address bar
    told = client(wall)
    assert told["code"] == code and told["secret"] == secret and told["size"] == "large"

    seat = come(code, token())
    assert f"You are in the room {code}" in texts(seat) and rooms().counts(code).joined == 1
    wall = press(wall, "room_ask")
    seat = sound(seat.run())
    assert "1 · Learning alone" in texts(seat) and seat.button(key="send").disabled
    assert set(charts(seat)) == set(charts(wall)) == {"room_before_1"}  # the picture that the guess needs
    guess = control(seat, f"guess_{code}_1") if seat.get("button_group") else seat.slider[0]
    seat = press(sound(guess.set_value(17).run()), "send")
    assert "Your guess is in: :blue[**17 mistakes**]" in texts(seat) and seat.button(key="send").disabled
    assert rooms().counts(code).answered == 1
    wall = sound(wall.run())
    assert client(wall)["counts"]["answered"] == 1 and "17" not in texts(wall)
    assert "room_guesses" not in charts(wall)

    wall = press(wall, "room_reveal")
    seat = sound(seat.run())
    for at in (wall, seat):
        assert (
            "17" in charts(at)["room_guesses"]["alt"] and "**5 mistakes**" in texts(at) and "**To keep.**" in texts(at)
        )
        players = [c for c in at.get("bidi_component") if c.proto.component_name.endswith("aklo_player")]
        assert len(players) == 1 and b'"autoplay":true' in players[0].proto.bytes
    assert "Your guess: :blue[**17 mistakes**]. **It was 12 too high.**" in texts(seat)
    assert [trace["name"] for trace in charts(seat)["room_guesses"]["data"]] == [
        "guesses",
        "what happens",
        "your guess",
    ]

    wall = press(wall, "room_hide")
    assert "The guessing has ended" in texts(sound(seat.run())) and "room_guesses" not in charts(wall)
    wall = press(wall, "room_reopen")
    assert "Your guess is in" in texts(sound(seat.run()))
    wall = press(wall, "room_ask")
    assert "2 · One learner" in texts(sound(seat.run()))
    wall = press(wall, "room_close")
    assert "This room is closed" in texts(sound(seat.run())) and "The room is closed" in texts(wall)


def test_a_new_session_asks_the_browser_again_and_finds_the_guess(room):
    code, secret = room
    rooms().ask(code, secret, Question(lesson="1-alone", high=100, outcome=5))
    me = token()
    seat = come(code, me)
    press(sound(seat.slider[0].set_value(3).run()), "send")
    again = come(code, me)  # a reload, or another process
    assert "**3 mistakes**" in texts(again) and again.slider[0].value == 3
    assert rooms().counts(code).joined == 1
    wall = come(code, token(), secret)  # the browser of the teacher
    assert client(wall)["secret"] == secret and rooms().counts(code).joined == 1


def test_the_door_leads_back_to_the_room(room):
    seat = press(come(room[0], token()), "room_leave")
    assert "room" not in seat.query_params
    assert seat.button(key="room_back").label == f"Back to the room {room[0]}"
    assert f"You are in the room {room[0]}" in texts(press(seat, "room_back"))


@pytest.mark.parametrize("forged", ["", "x" * 43, "KXBDT", "<script>", "é" * 500])
def test_a_forged_teacher_link_gets_a_sentence_and_a_seat(room, forged):
    code, secret = room
    at = opened("room", room=code, teacher=forged)
    if forged:
        assert "does not give a teacher's rights" in texts(at).replace("\\", "")
    at = report(at, "aklo_room_client", "who", {"student": token(), "secret": forged})
    assert "You are in the room" in texts(at) and not [one for one in at.button if one.key == "room_ask"]
    assert secret not in str(at.session_state["room_secrets"])


@pytest.mark.parametrize(
    "told", [None, 7, [], {}, {"student": 5}, {"student": "'; DROP TABLE aklo_room"}, {"secret": "x"}]
)
def test_a_browser_that_says_nonsense_is_asked_again(room, told):
    at = report(opened("room", room=room[0]), "aklo_room_client", "who", told)
    assert client(at)["asks"] and rooms().counts(room[0]).joined == 0


@pytest.mark.parametrize("code", ["", "ABCDE", "KXBDTT", "<b>x</b>", "../..", "%00", "x" * 5000])
def test_a_hostile_code_gets_a_sentence_and_the_door(code):
    at = opened("room", room=code)
    if code:
        assert "A room's code has 5 letters" in texts(at).replace("\\", "")
    assert at.text_input(key="room_code").value == ""
    at.text_input(key="room_code").set_value(code)
    at = sound(next(one for one in at.button if one.label == "Join").click().run())
    assert "A room's code has 5 letters" in texts(at).replace("\\", "")


def test_a_room_that_has_expired_gets_a_sentence(room, monkeypatch):
    code, secret = room
    seat, wall = come(code, token()), opened("room", room=code, teacher=secret)
    monkeypatch.setattr(rooms(), "clock", lambda: time.time() + LIFETIME)
    for at in (seat, wall):
        assert f"There is no room {code}" in texts(sound(at.run()))
    assert f"There is no room {code}" in texts(press(wall, "room_ask") if "room_ask" in str(wall.button) else wall)


def test_a_button_opens_a_room_for_its_visitor_alone():
    at = opened("room")
    at = press(at, "open_room")
    code = at.query_params["room"]
    code = code[0] if isinstance(code, list) else code
    assert client(at)["code"] == code and at.session_state["room_secrets"][code] == client(at)["secret"]
    assert not rooms().view(code).teacher


def test_a_fault_of_the_database_gets_a_sentence_and_the_page_goes_on_by_itself(room, tmp_path, monkeypatch):
    """A full disk: the guess is not confirmed, the one before is, and a second try succeeds."""
    code, secret = room
    rooms().ask(code, secret, Question(lesson="1-alone", high=100, outcome=5))
    seat = come(code, token())
    seat = press(sound(seat.slider[0].set_value(3).run()), "send")
    seat = sound(seat.slider[0].set_value(9).run())

    def full(*_: object, **options: object) -> None:
        raise Unavailable("The rooms cannot be reached just now: the disk is full.")

    monkeypatch.setattr(Rooms, "guess", full)
    seat = press(seat, "send")
    assert "the disk is full" in texts(seat) and "**3 mistakes**" in texts(seat)
    monkeypatch.setattr(Rooms, "view", full)
    seat = sound(seat.run())
    assert "the disk is full" in texts(seat) and client(seat)["revision"] == -1  # so that any answer is news
    monkeypatch.undo()
    seat = sound(seat.run())
    assert "**3 mistakes**" in texts(seat)
    assert "**9 mistakes**" in texts(press(sound(seat.slider[0].set_value(9).run()), "send"))


def test_rooms_that_cannot_be_opened_get_a_sentence(monkeypatch):
    monkeypatch.setattr(room_calls, "rooms", lambda: Rooms(prepare(sa.create_engine("sqlite:////dev/null/x"))))
    at = press(opened("room"), "open_room")
    assert "The rooms cannot be reached just now" in texts(at)


@given(st.integers(-50, 50), st.integers(1, 300), st.sampled_from([1, 0.5, 0.01]), st.data())
def test_the_histogram_counts_every_guess_in_the_bar_that_names_it(low, steps, step, data):
    """Compared with a count by hand, from the first and last guess that each bar says it holds."""
    high = low + steps * step
    guesses = [low + step * at for at in data.draw(st.lists(st.integers(0, steps), max_size=30))]
    figure = charts_of_rooms.numbers(guesses, low, high, step, outcome=low, own=high, title="Guess", height=300)
    bars = figure.data[0]
    spans = [[float(end) for end in span.split(" to ")] for span in bars["customdata"]]
    assert len(spans) <= charts_of_rooms.MOST_BARS and spans[0][0] == pytest.approx(low)
    counted = [sum(first - step / 3 < guess < last + step / 3 for guess in guesses) for first, *_, last in
               ([*span, span[-1]] for span in spans)]  # fmt: skip
    assert bars["y"].tolist() == counted and sum(counted) == len(guesses)


# ------------------------------------------------------------------------------------------------ questions and exports


def test_every_lesson_makes_a_question_that_can_be_answered_and_said():
    for lesson in lesson_answers.all_lessons():
        question = room_questions.of_lesson(lesson)
        shown = room_questions.shown(question)
        assert question.outcome is not None and question.takes(question.outcome)
        assert shown.say(question.outcome) and shown.title == lesson.title and "{{" not in shown.text + shown.look
        assert question.choices == () or shown.say(question.low) == question.choices[0]


def test_own_questions_are_checked():
    number, here = {"low": 0, "high": 10, "outcome": 4}, ("watch", Settings(task=7))
    question = room_questions.own_number("How many?", *here, **number)
    assert (question.page, question.step, question.outcome) == ("watch", 1, 4) and "t=7" in question.query
    assert room_questions.own_number("x", *here, low=0, high=1, outcome=None).step == 0.01
    choice = room_questions.own_choice("Which?", *here, choices="a\n\n b \nc", outcome=2)
    assert choice.choices == ("a", "b", "c") and choice.outcome == 1
    wrong = [
        ("", number), ("x" * 301, number),
        ("x", number | {"low": 10}), ("x", number | {"high": 1e9}), ("x", number | {"outcome": 11}),
        ("x", number | {"high": float("nan")}), ("x", number | {"outcome": float("nan")}),
    ]  # fmt: skip
    for text, limits in wrong:
        with pytest.raises(Refused):
            room_questions.own_number(text, *here, **limits)
    for choices, outcome in (
        ("a", None),
        ("a\na", None),
        ("\n".join("abcdefghi"), None),
        ("a\n" + "b" * 61, None),
        ("a\nb", 3),
    ):
        with pytest.raises(Refused):
            room_questions.own_choice("x", *here, choices=choices, outcome=outcome)


@pytest.mark.parametrize("stem", ASKABLE)
@pytest.mark.parametrize(
    "query",
    [
        "T=6&N=20&d=conflict&an=180",
        *(
            pytest.param(query, marks=pytest.mark.thorough)
            for query in (
                "",
                "T=1&N=1&R=1",
                "d=digits&T=3&N=10",
                "T=200&N=1000",
                "T=6&N=20&ch=One pool&m=One pool",
                "T=6&N=20&k=none&po=Counterexamples",
                "T=6&N=20&h=unknown&a=linear:end=0",
            )
        ),
    ],
)
def test_an_own_question_about_any_state_of_any_page_is_asked_and_answered(room, stem, query):
    code, secret = room
    wall = opened("room", room=code, teacher=secret)
    wall.text_input(key="own_number_link").set_value(f"/{'' if stem == 'app' else stem}?{query}&room=XXXXX&embed=true")
    wall.text_area(key="own_number_text").set_value("![x](http://a/b) <b>How many?</b>")
    wall.number_input(key="own_number_outcome").set_value(42.5)
    wall = sound(next(one for one in wall.button if one.label == "Ask the room").click().run())
    question = rooms().view(code).question
    assert question is not None and question.text == "![x](http://a/b) <b>How many?</b>", texts(wall)
    expected = read_address(dict(parse_qsl(query)))[0] if query else PAGES[stem].opening(Settings())
    assert question.page == stem and question.query == urlencode(expected.address())  # and nothing else of the link
    wall = press(wall, "room_reveal")
    assert "\\!\\[x\\]" in texts(wall) and "42.5" in charts(wall)["room_guesses"]["alt"]
    frames = [one.proto.src for one in wall.get("iframe")]
    if frames:
        (source,) = map(urlsplit, frames)
        assert (source.netloc, source.path) == ("", "/" if stem == "app" else f"/{stem}")
        assert dict(parse_qsl(source.query)) == expected.address() | {"embed": "true"}
    else:
        drawn = [one.proto.component_name for one in wall.get("bidi_component")]
        assert any(name.endswith(("aklo_player", "aklo_reveal")) for name in drawn)
    played = {"watch", "compare", "transfer", "theory"} & {stem} and "po=Counterexamples" in query
    assert not (played and frames) and (frames or stem in ("watch", "compare", "transfer", "theory", "alpha"))


LAB = "https://school.example/lab"


@pytest.mark.parametrize(
    ("link", "page"),
    [
        (f"{LAB}/watch?t=7", "watch"),
        (f"  {LAB.upper().replace('LAB', 'lab')}/watch/?t=7#x\n", "watch"),
        ("http://school.example/lab/glossary?t=7&show=alpha", "glossary"),
        ("/lab/world?t=7&room=KXBDT&teacher=secret", "world"),
        ("tasks?t=7", "tasks"),
        ("/tasks?t=7", "tasks"),
        (f"{LAB}?t=7", "app"),
        (f"{LAB}/?t=7", "app"),
    ],
)
def test_a_link_gives_its_page_and_its_settings(link, page):
    assert lab_links.read_link(link, lab=LAB, openings=ASKABLE) == (page, Settings(task=7))
    again = lab_links.link_to(LAB, page, Settings(task=7))
    assert lab_links.read_link(again, lab=LAB, openings=ASKABLE) == (page, Settings(task=7))


def test_a_link_without_settings_means_those_that_the_page_opens_with():
    assert lab_links.read_link("transfer", lab=LAB, openings=ASKABLE)[1].dataset == "conflict"
    assert lab_links.read_link("watch", lab=LAB, openings=ASKABLE)[1] == Settings()


FOREIGN = "does not lead to this lab"


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("", "The link is missing"),
        (" \n", "The link is missing"),
        ("https://evil.example/lab/watch?t=7", FOREIGN),
        ("https://school.example.evil.example/lab/watch", FOREIGN),
        ("https://school.example@evil.example/lab/watch", FOREIGN),
        ("https://user@school.example/lab/watch", FOREIGN),
        ("https://school.example:8080/lab/watch", FOREIGN),
        ("//evil.example/lab/watch", FOREIGN),
        ("https://school.example/watch", FOREIGN),
        ("https://school.example/lab/other/watch", FOREIGN),
        ("/lab/../watch", FOREIGN),
        ("javascript:alert(1)//watch", FOREIGN),
        ("data:text/html,<script>alert(1)</script>", FOREIGN),
        ("file:///lab/watch", FOREIGN),
        ("\\\\evil.example\\watch", "no question can be asked"),
        ("http://[", "cannot be read"),
        (f"{LAB}/room?room=KXBDT", "leads to 'room', about which no question"),
        (f"{LAB}/app", FOREIGN),
        (f"{LAB}/<script>", "no question can be asked"),
        (f"{LAB}/{'x' * 1900}", "leads to 'x{40}'"),
        (f"{LAB}/watch?" + "x" * 2000, "has at most 2000 characters"),
        (f"{LAB}/watch?T=abc", "not a valid one. Tasks: 'abc' is not a number"),
        (f"{LAB}/watch?T=9&t=9", "not a valid one. Task 9 does not exist"),
        (f"{LAB}/watch?a=linear:end=7", "not a valid one. Alpha schedule"),
        (f"{LAB}/watch?d=own", "tasks of your own"),
    ],
)
def test_a_hostile_or_foreign_link_gets_one_sentence(link, reason):
    with pytest.raises(Refused, match=reason) as refused:
        lab_links.read_link(link, lab=LAB, openings=ASKABLE)
    assert len(str(refused.value)) < 200 and "\n" not in str(refused.value)


@given(st.text(max_size=80))
def test_any_text_is_read_as_a_link_or_refused(text):
    for link in (text, f"{LAB}/{text}", f"{LAB}/watch?{text}"):
        try:
            page, settings = lab_links.read_link(link, lab=LAB, openings=ASKABLE)
        except Refused:
            continue
        assert page in ASKABLE and read_address(settings.address())[0] == settings


def test_a_wrong_own_question_gets_a_sentence(room):
    code, secret = room
    wall = opened("room", room=code, teacher=secret)
    for link, said in (("/nowhere", "about which no question"), ("http://localhost:8501/watch", FOREIGN)):
        wall.text_input(key="own_number_link").set_value(link)
        wall = sound(next(one for one in wall.button if one.label == "Ask the room").click().run())
        assert said in texts(wall) and rooms().view(code).question is None


def test_the_table_has_a_line_for_each_guess_and_no_formula():
    own = Question(text="=1+1", page="watch", choices=("=A", "B"), high=1)
    lesson = room_questions.of_lesson(lesson_answers.all_lessons()[0])
    written = room_csv([lesson, own], [Guess(1, 1, 8, 0), Guess(1, 2, 5, 1), Guess(2, 2, 0, 2)])
    rows = list(csv.reader(io.StringIO(written)))
    outcome = f"{lesson.outcome:g}"
    assert rows[0] == list(COLUMNS)
    assert rows[1][2:7] == ["1", "8", "8 mistakes", outcome, f"{outcome} mistakes"]
    assert rows[2][2:5] == ["2", "5", "5 mistakes"] and rows[2][7] == "1970-01-01T00:00:01+00:00"
    assert rows[3] == ["2", "'=1+1", "2", "0", "'=A", "", "", "1970-01-01T00:00:02+00:00"]


# ------------------------------------------------------------------------------------------------- the route of screens


def get(path: str) -> tuple[dict, dict]:
    """Ask the route, as a browser does: the answer, and its headers."""
    sent = []

    async def ask() -> None:
        async def receive() -> dict:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: dict) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "GET", "path": path, "headers": [], "query_string": b"", "root_path": ""}
        await Starlette(routes=[room_status.room_route()])(scope, receive, send)

    with ThreadPoolExecutor(1) as thread:  # in this one a browser's loop may be running
        thread.submit(lambda: asyncio.run(ask())).result()
    start, *bodies = sent
    assert start["status"] == 200
    return json.loads(b"".join(part["body"] for part in bodies)), dict(start["headers"])


def test_screens_hear_of_revision_and_counts_and_nothing_else(room, monkeypatch):
    code, secret = room
    monkeypatch.setattr(room_status, "FRESH", 0.0)
    answer, headers = get(f"/rooms/{code}")
    assert answer == {"revision": 0, "joined": 0, "answered": 0, "wait": 1.0}
    assert headers[b"cache-control"] == b"no-store"
    rooms().ask(code, secret, Question(high=9, outcome=4))
    assert get(f"/rooms/{code}")[0]["revision"] == 1
    assert "There is no room" in get("/rooms/ZZZZZ")[0]["gone"]
    for hostile in ("x", "\0", "'--", "x" * 2000):
        assert "has 5 letters" in get(f"/rooms/{hostile}")[0]["gone"]

    def broken(_: object, code: str) -> None:
        raise Unavailable("The rooms cannot be reached just now: x.")

    monkeypatch.setattr(Rooms, "counts", broken)
    assert get(f"/rooms/{code}")[0] == {"fault": "The rooms cannot be reached just now: x."}


def test_many_screens_ask_the_database_once(room, monkeypatch):
    code, _ = room
    asked = []
    found = Rooms.counts
    monkeypatch.setattr(Rooms, "counts", lambda store, code: asked.append(code) or found(store, code))
    monkeypatch.setattr(room_status, "FRESH", 60.0)
    assert all(get(f"/rooms/{code}")[0]["joined"] == 0 for _ in range(100))
    assert asked == [code]
