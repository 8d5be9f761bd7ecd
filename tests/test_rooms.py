"""The store of rooms, on SQLite and on PostgreSQL: what is stored, who may do what, limits, and failures in words."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa

from aklo.lab.server import rooms as rooms_module
from aklo.lab.server import rooms_database
from aklo.lab.server.room_records import ASKING, CLOSED, HIDDEN, LETTERS, REVEALED, WAITING, Question, Room, read_code
from aklo.lab.server.rooms import LIFETIME, UNUSED, Rooms
from aklo.lab.server.rooms_database import TABLES, Refused, Unavailable, prepare
from tests.needs import end_without
from tests.postgres import Postgres, programs

NUMBER = Question(lesson="1-alone", high=20, outcome=8)
CHOICE = Question(text="Which?", choices=("A", "B", "C"), high=2, outcome=1)
NOBODY = "There is no room"


@pytest.fixture(scope="module")
def postgres():
    """A PostgreSQL server. Without its programs tests skip; on the build machine they fail."""
    if programs() is None:
        end_without("these tests need PostgreSQL (Debian: postgresql)")
    server = Postgres()
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/rooms.sqlite"
    return request.getfixturevalue("postgres").url


class Clock:
    """A time that a test sets."""

    now = 1e9

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(url, clock):
    engine = rooms_database.connection(url)  # Streamlit's own
    yield Rooms(engine, clock)
    TABLES.drop_all(engine)
    engine.dispose()


def token(number: int) -> str:
    """What the browser of a student has made up."""
    return f"{number:032x}"


def test_a_lesson_from_opening_to_closing(store, clock):
    code, secret = store.open()
    assert len(code) == 5 and set(code) <= set(LETTERS) and len(secret) >= 43
    view = store.view(code)
    assert (view.room, view.question) == (Room(code, WAITING, 0, 0), None)
    for one in (1, 2, 3):
        clock.now += 1
        store.join(code, token(one))
        store.join(code, token(one))  # a reload
    store.ask(code, secret, NUMBER)
    clock.now += 1
    store.guess(code, token(1), 1, 3)
    store.guess(code, token(2), 1, 9)
    store.guess(code, token(1), 1, 5)  # changed
    counts, view = store.counts(code), store.view(code, token=token(1))
    assert (counts.joined, counts.answered, counts.revision) == (3, 2, view.room.revision) and view.counts == counts
    assert view.guesses == ()  # not before the reveal
    assert view.own == 5 and view.joined and not view.teacher
    assert store.view(code, token=token(3)).own is None and not store.view(code, token=token(4)).joined

    store.reveal(code, secret)
    view = store.view(code)
    assert view.room.state == REVEALED and view.guesses == (5, 9) and view.question == NUMBER
    with pytest.raises(Refused, match="too late"):
        store.guess(code, token(3), 1, 4)
    store.hide(code, secret)
    view = store.view(code, secret=secret)
    assert view.room.state == HIDDEN and view.guesses == () and view.teacher
    with pytest.raises(Refused, match="too late"):
        store.guess(code, token(3), 1, 4)
    store.reopen(code, secret)
    store.guess(code, token(3), 1, 4)
    assert store.counts(code).answered == 3

    store.ask(code, secret, CHOICE)
    with pytest.raises(Refused, match="too late"):
        store.guess(code, token(3), 1, 4)  # the question before
    store.guess(code, token(3), 2, 1)
    assert store.counts(code).answered == 1
    store.close(code, secret)
    assert store.view(code).room.state == CLOSED
    for action in (store.reveal, store.reopen, store.close):
        with pytest.raises(Refused, match="closed"):
            action(code, secret)
    with pytest.raises(Refused, match="closed"):
        store.join(code, token(4))
    questions, guesses = store.table(code, secret)
    assert questions == [NUMBER, CHOICE]
    assert [(g.number, g.student, g.value) for g in guesses] == [(1, 1, 5), (1, 2, 9), (1, 3, 4), (2, 3, 1)]


def test_a_second_press_does_nothing(store):
    """The teacher has pressed twice, or on a phone as well: the room has gone on once."""
    code, secret = store.open()
    store.ask(code, secret, NUMBER, at=0)
    for action in (store.reveal, store.hide, store.reopen, store.close):
        with pytest.raises(Refused, match="is at question 1 by now"):
            action(code, secret, at=0)
    with pytest.raises(Refused, match="is at question 1 by now"):
        store.ask(code, secret, CHOICE, at=0)
    assert store.view(code).room == Room(code, ASKING, 1, 1)
    store.reveal(code, secret, at=1)


def test_only_the_secret_gives_a_teachers_rights(store):
    (one, mine), (_, theirs) = store.open(), store.open()
    store.ask(one, mine, NUMBER)
    before = store.view(one).room
    for wrong in ("", one, theirs, mine[:-1], mine + "x", mine.upper(), "ü", rooms_module._hash(mine)):
        assert not store.view(one, secret=wrong).teacher
        for action in (store.reveal, store.hide, store.reopen, store.close, store.table):
            with pytest.raises(Refused, match="does not give a teacher's rights"):
                action(one, wrong)
        with pytest.raises(Refused, match="does not give a teacher's rights"):
            store.ask(one, wrong, NUMBER)
    assert store.view(one).room == before and store.view(one, secret=mine).teacher
    with store.engine.connect() as connection:  # the secret itself is stored nowhere, nor is a student's token
        store.join(one, token(7))
        for table in TABLES.tables.values():
            text = str(connection.execute(sa.select(table)).all())
            assert mine not in text and token(7) not in text


def test_rooms_share_nothing(store):
    (one, mine), (two, theirs) = store.open(), store.open()
    for code, secret, value in ((one, mine, 3), (two, theirs, 7)):
        store.ask(code, secret, NUMBER)
        store.join(code, token(1))
        store.guess(code, token(1), 1, value)
    store.join(two, token(2))
    assert (store.counts(one).joined, store.counts(two).joined) == (1, 2)
    with pytest.raises(Refused, match="Join the room first"):
        store.guess(one, token(2), 1, 4)
    store.reveal(one, mine)
    assert store.view(one).guesses == (3,) and store.view(two).guesses == ()
    assert [g.value for g in store.table(two, theirs)[1]] == [7]
    with store.engine.connect() as connection:  # and nothing says that one browser was in both
        found = connection.scalars(sa.select(rooms_database.STUDENT.c.student)).all()
    assert len(set(found)) == len(found) == 3


@pytest.mark.parametrize("value", [-1, 21, 1e300, float("inf"), float("nan")])
def test_a_guess_outside_of_the_question_is_refused(store, value):
    code, secret = store.open()
    store.join(code, token(1))
    store.ask(code, secret, NUMBER)
    with pytest.raises(Refused, match="is not an answer"):
        store.guess(code, token(1), 1, value)
    store.ask(code, secret, CHOICE)
    with pytest.raises(Refused, match="is not an answer"):
        store.guess(code, token(1), 2, 0.5)
    assert store.counts(code).answered == 0


@pytest.mark.parametrize(
    "text", ["", "KXBD", "KXBDTT", "KXBDA", "'; DROP TABLE aklo_room; --", "ΚΧΒDT", "KX\0DT", "x" * 9999]
)
def test_hostile_codes_get_a_sentence(text):
    with pytest.raises(Refused, match="A room's code has 5 letters"):
        read_code(text)
    assert read_code("kxb dt") == "KXBDT"


@pytest.mark.parametrize("one", ["", "0" * 31, "0" * 33, "G" * 32, "0" * 32 + "\n", "'; --"])
def test_hostile_tokens_get_a_sentence(store, one):
    code, _ = store.open()
    with pytest.raises(Refused, match="has not said who it is"):
        store.join(code, one)


def test_a_room_is_gone_after_a_day(store, clock):
    code, secret = store.open()
    store.join(code, token(1))
    store.ask(code, secret, NUMBER)
    clock.now += LIFETIME - 1
    store.guess(code, token(1), 1, 3)
    clock.now += 1
    for attempt in (store.view, store.counts):
        with pytest.raises(Refused, match=NOBODY):
            attempt(code)
    with pytest.raises(Refused, match=NOBODY):
        store.guess(code, token(1), 1, 4)
    with pytest.raises(Refused, match=NOBODY):
        store.join(code, token(2))
    store.open()  # which tidies up
    with store.engine.connect() as connection:
        sizes = [connection.scalar(sa.select(sa.func.count()).select_from(table)) for table in TABLES.tables.values()]
    assert sum(sizes) == 1  # the new room


def test_a_flood_fills_a_room_and_no_more(store, monkeypatch):
    """Many at once: the limit holds to the last one, and who is in stays in."""
    monkeypatch.setattr(rooms_module, "MOST_STUDENTS", 20)
    code, secret = store.open()
    store.ask(code, secret, NUMBER)

    def come(number: int) -> str:
        try:
            store.join(code, token(number))
            store.guess(code, token(number), 1, number % 21)
        except Refused as refused:
            return str(refused)
        return ""

    with ThreadPoolExecutor(8) as crowd:
        said = list(crowd.map(come, range(40)))
    assert said.count("") == 20 and {text for text in said if text} == {
        f"The room {code} is full: it has 20 students. Look on with a neighbour."
    }
    counts = store.counts(code)
    assert counts.joined == counts.answered == 20
    other, _ = store.open()
    store.join(other, token(1))  # nobody else is hurt


def test_the_number_of_rooms_and_questions_is_limited(store, clock, monkeypatch):
    monkeypatch.setattr(rooms_module, "MOST_ROOMS", 3)
    monkeypatch.setattr(rooms_module, "MOST_QUESTIONS", 2)
    code, secret = store.open()
    store.join(code, token(1))
    store.open(), store.open()
    assert (UNUSED, LIFETIME) == (3600, 24 * 3600)  # as the sentence says
    with pytest.raises(Refused, match=r"There are 3 rooms already.* an hour after .* any other after a day: try again"):
        store.open()
    clock.now += UNUSED  # two of them have stayed empty
    store.open()
    assert store.counts(code).joined == 1
    store.ask(code, secret, NUMBER)
    store.ask(code, secret, NUMBER)
    with pytest.raises(Refused, match="takes 2 questions"):
        store.ask(code, secret, NUMBER)
    assert store.view(code).room.number == 2


PROCESS = """
import sys
import sqlalchemy as sa
from aklo.lab.server.rooms import Rooms
from aklo.lab.server.rooms_database import prepare
store = Rooms(prepare(sa.create_engine(sys.argv[1])))
print("ready", flush=True)
code, first = sys.stdin.readline().split()
for number in range(int(first), int(first) + 25):
    store.join(code, f"{number:032x}")
    store.guess(code, f"{number:032x}", 1, number % 21)
    print(number, flush=True)
"""


def test_processes_start_together_and_lose_no_confirmed_guess_when_they_are_killed(url, tmp_path):
    """Two begin on an empty database, and write to one room; one of them is killed on the way."""
    kept = [
        subprocess.Popen([sys.executable, "-c", PROCESS, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    engine = sa.create_engine(url)
    try:
        assert [one.stdout.readline() for one in kept] == ["ready\n"] * 2
        store = Rooms(prepare(engine))
        code, secret = store.open()
        store.ask(code, secret, NUMBER)
        for place, one in enumerate(kept):
            one.stdin.write(f"{code} {100 * place}\n")
            one.stdin.flush()
        confirmed = {int(kept[0].stdout.readline())}
        kept[0].kill()
        for one in kept:  # not communicate(), which leaves out what was read ahead with the first line
            confirmed |= {int(line) for line in one.stdout if line.strip()}
        assert len(confirmed) >= 26
        assert all(store.view(code, token=token(number)).own == number % 21 for number in confirmed)
        assert store.counts(code).answered - len(confirmed) in (0, 1)  # one that was written, and not yet confirmed
        TABLES.drop_all(engine)
    finally:
        engine.dispose()
        for one in kept:
            one.kill()
            one.communicate()


def test_tables_that_another_process_makes_at_the_same_moment_are_no_fault(tmp_path):
    """The other one is ahead by a moment with every table: it was missing when it was looked for."""
    engine, other = (sa.create_engine(f"sqlite:///{tmp_path}/rooms.sqlite") for _ in range(2))
    made = []

    def ahead(connection, cursor, statement, *_):
        if "CREATE TABLE" in statement:
            with other.begin() as its:
                its.execute(sa.text(statement))
            made.append(statement)

    sa.event.listen(engine, "before_cursor_execute", ahead)
    prepare(engine)
    assert len(made) == len(TABLES.tables)
    code, _ = Rooms(engine).open()
    assert Rooms(other).counts(code).joined == 0
    engine.dispose(), other.dispose()


# ------------------------------------------------------------------------------------- what fails is said in a sentence


def _limited(engine: sa.Engine, pragma: str) -> sa.Engine:
    sa.event.listen(engine, "connect", lambda connection, _: connection.execute(f"PRAGMA {pragma}").close())
    return engine


def test_a_full_disk_gets_a_sentence_and_keeps_what_is_there(tmp_path):
    """SQLite's own limit on a file's pages fails as a full disk does: SQLITE_FULL."""
    url = f"sqlite:///{tmp_path}/rooms.sqlite"
    store = Rooms(prepare(sa.create_engine(url)))
    code, secret = store.open()
    store.ask(code, secret, NUMBER)
    store.join(code, token(0))
    store.guess(code, token(0), 1, 3)
    full = Rooms(prepare(_limited(sa.create_engine(url), "max_page_count = 1")))
    with pytest.raises(
        Unavailable, match=r"cannot be reached just now: the disk is full\. Guesses that were confirmed"
    ):
        any(full.join(code, token(number)) for number in range(1, 500))
    assert full.view(code, token=token(0)).own == 3
    store.join(code, token(999))  # there is room again
    store.engine.dispose(), full.engine.dispose()


def test_a_locked_database_gets_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(rooms_database, "PATIENCE", 0.05)
    store = Rooms(prepare(sa.create_engine(f"sqlite:///{tmp_path}/rooms.sqlite")))
    code, _ = store.open()
    other = sa.create_engine(store.engine.url)
    with other.begin() as connection:
        connection.execute(sa.text("UPDATE aklo_room SET writes = 0"))
        assert store.counts(code).joined == 0  # reading goes on
        with pytest.raises(Unavailable, match="others are writing to it"):
            store.join(code, token(1))
    store.join(code, token(1))
    store.engine.dispose(), other.dispose()


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("sqlite:////dev/null/rooms.sqlite", "its file cannot be opened"),
        (f"sqlite:///{Path(__file__).resolve()}", "its file is damaged"),
        ("postgresql+psycopg://aklo:secret@127.0.0.1:9/rooms", "it does not answer"),
        ("nosuch://aklo", "its driver is not known"),
        ("no address", "the address in AKLO_ROOMS is not valid"),
    ],
)
def test_a_database_that_cannot_be_used_gets_a_sentence_without_its_address(url, reason):
    with pytest.raises(Unavailable, match=reason) as refused:
        rooms_database.connection(url)
    assert "secret" not in str(refused.value) and "/" not in str(refused.value)


def test_the_database_is_a_file_of_the_users_own_unless_the_host_says_otherwise(tmp_path, monkeypatch):
    monkeypatch.delenv("AKLO_ROOMS", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert rooms_database.address() == f"sqlite:///{tmp_path}/aklo/rooms.sqlite"
    assert (tmp_path / "aklo").stat().st_mode & 0o777 == 0o700
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
    with pytest.raises(Unavailable, match="folder cannot be made"):
        rooms_database.address()
    monkeypatch.setenv("AKLO_ROOMS", "sqlite:////srv/rooms.sqlite")
    assert rooms_database.address() == "sqlite:////srv/rooms.sqlite"
