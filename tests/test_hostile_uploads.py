"""Uploads that mean no good: a sentence each, from a reader process under limits, and room for the other visitors."""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary

import numpy as np
import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

import aklo
from aklo.lab.export.menu import without_formulas
from aklo.lab.frame.table_options import EACH_CLASS
from aklo.lab.server import holdings, reader, reader_process, visit_end
from aklo.lab.session.uploads import Uploads
from aklo.readers.examples import EXAMPLE_FILES
from tests import coroutines
from tests.hostile_files import MB, PLAIN, UNPACKED, many_entries
from tests.pages import charts, sound
from tests.test_page_data import brought, drop, opened


def anything(size: int) -> None:
    """There is room for all."""


@pytest.mark.parametrize("name", [*PLAIN, *UNPACKED])
def test_hostile_file_is_refused_in_one_sentence(name):
    """Small versions, read here: the readers themselves count."""
    make = PLAIN.get(name) or UNPACKED[name]
    with pytest.raises(ValueError, match=r"\.$") as refused:
        aklo.read_any(make(150 * MB if name in UNPACKED else 8 * MB), drop_gaps=True)
    assert "\n" not in str(refused.value)


def test_archive_of_many_files_is_refused_before_its_directory_is_read():
    with pytest.raises(ValueError, match="21,000 files"):
        aklo.read_any(many_entries(21_000))


@pytest.mark.parametrize("name", list(EXAMPLE_FILES))
def test_reader_process_gives_what_the_reader_gives(name, monkeypatch):
    monkeypatch.setattr(reader, "SMALL", 0)
    files = [(name, EXAMPLE_FILES[name]())]
    found, wanted = reader.read("any", files, room=anything), aklo.read_any(files)
    assert (found.X != wanted.X).sum() == 0 and type(found.X) is type(wanted.X)
    np.testing.assert_array_equal(found.y, wanted.y)
    np.testing.assert_array_equal(found.offsets, wanted.offsets)
    for field in ("names", "labels", "groups", "group_names", "features", "notes"):
        assert getattr(found, field) == getattr(wanted, field), field


def test_reader_process_ends_by_memory_and_by_time_in_a_sentence(monkeypatch):
    monkeypatch.setattr(reader, "SMALL", 0)
    monkeypatch.setattr(reader, "MEMORY", 500 * MB)  # what Python and its libraries take, and no more
    with pytest.raises(ValueError, match="memory"):
        reader.read("any", UNPACKED["counts in a .zip"](150 * MB), room=anything)
    monkeypatch.setattr(reader, "SECONDS", 0)
    with pytest.raises(ValueError, match=r"longer to read|was ended by the system"):
        reader.read("any", [("a.csv", EXAMPLE_FILES["tastes.csv"]())], room=anything)


def test_only_few_short_texts_are_read_in_the_server(monkeypatch):
    def started(*_: object) -> None:
        raise ValueError("A process was started.")

    monkeypatch.setattr(reader, "_Reading", started)
    reader.read("any", [("a.csv", EXAMPLE_FILES["tastes.csv"]())], room=anything)
    for files in (
        [("a.csv", bytes(reader.SMALL + 1))],
        [(f"{k}.tf", b"1 1:1\n") for k in range(reader.FEW + 1)],
        [("a.csv", EXAMPLE_FILES["inboxes.zip"]()[: reader.SMALL])],
        [("a.mat", b"")],
    ):
        with pytest.raises(ValueError, match="process was started"):
            reader.read("any", files, room=anything)


def test_collection_without_room_is_not_fetched(monkeypatch):
    monkeypatch.setattr(reader, "SMALL", 0)
    sizes = []

    def full(size: int) -> None:
        sizes.append(size)
        raise ValueError("There is no room.")

    files = [("fields.mat", EXAMPLE_FILES["fields.mat"]())]
    with pytest.raises(ValueError, match="no room"):
        reader.read("any", files, room=full)
    assert sizes == [reader_process.wire_size(reader_process.to_wire(aklo.read_any(files))[0])]


def test_too_many_files_are_removed_with_a_sentence(monkeypatch):
    monkeypatch.setattr(holdings, "MOST_FILES", 1000)
    at = drop(opened(), ("tastes.csv", EXAMPLE_FILES["tastes.csv"]()))
    assert len(at.error) == 1 and "where one visit may bring" in at.error[0].value
    assert not at.get("file_uploader")[0].value
    monkeypatch.setattr(holdings, "MOST_FILES", MB)
    at = drop(at, ("tastes.csv", EXAMPLE_FILES["tastes.csv"]()))
    assert not at.error and at.button(key="use")


class FakeRuntime:
    """What of Streamlit's runtime these tests need. here: the sessions whose browser is connected."""

    def __init__(self, *here: str) -> None:
        self.here = here
        self.closed: list[str] = []
        self.uploaded_file_mgr = MemoryUploadedFileManager("/upload")

    def is_active_session(self, session: str) -> bool:
        return session in self.here

    def close_session(self, session: str) -> None:
        self.closed.append(session)

    def send(self, session: str, size: int) -> None:
        name = f"{len(self.uploaded_file_mgr.file_storage.get(session, {}))}"
        self.uploaded_file_mgr.add_file(session, UploadedFileRec(name, f"{name}.csv", "text/csv", bytes(size)))


@pytest.fixture
def fake_runtime(monkeypatch):
    """fake_runtime("session") puts a runtime with that session into the place of Streamlit's."""

    def put(*here: str) -> FakeRuntime:
        there = FakeRuntime(*here)
        monkeypatch.setattr(holdings.runtime, "exists", lambda: True)
        monkeypatch.setattr(holdings.runtime, "get_instance", lambda: there)
        return there

    return put


def test_files_that_come_faster_than_a_page_refuses_them_are_removed(monkeypatch, fake_runtime):
    there = fake_runtime("many", "few")
    monkeypatch.setattr(holdings, "MOST_SENT", 1000)
    monkeypatch.setattr(holdings, "_removed", {})
    for session, size in (("many", 600), ("many", 600), ("few", 400), ("gone", 1200)):
        there.send(session, size)
    holdings.drop_excess()
    assert set(there.uploaded_file_mgr.file_storage) == {"few"}
    assert holdings._removed == {"many": [600, 600]}  # of who has gone nothing is remembered


@pytest.mark.parametrize(
    ("sizes", "sentence"), [([60 * MB] * 8, "8 files of 480 MB"), ([MB], "Your files were removed")]
)
@pytest.mark.parametrize("page", ["data", "reproduce"])
def test_page_says_once_that_files_were_removed(page, sizes, sentence, monkeypatch):
    monkeypatch.setattr(holdings, "_removed", {"test session id": sizes})  # AppTest's name for its session
    at = opened(page)
    assert [sentence in error.value for error in at.error] == [True]
    assert not holdings._removed


def test_visit_and_lab_hold_no_more_than_they_may(monkeypatch):
    monkeypatch.setattr(holdings, "MOST_VISIT", 1000)
    with pytest.raises(ValueError, match="this visit holds"):
        holdings.check_room(500, 600)
    monkeypatch.setattr(holdings, "_visits", WeakValueDictionary())  # those of other tests may go at any time
    held = Uploads(own=np.zeros(1000))
    assert holdings.total() == 8000
    monkeypatch.setattr(holdings, "MOST_ALL", 7999)
    with pytest.raises(ValueError, match="visitors' data"):
        holdings.check_files([10])
    del held
    assert holdings.total() == 0  # with the session goes what it held


def test_session_is_closed_some_time_after_its_browser_has_gone(monkeypatch, fake_runtime):
    """Not while it is there, and not if it has come back."""
    there = fake_runtime()
    monkeypatch.setattr(visit_end.st, "get_option", lambda name: visit_end.EARLIER)

    async def leave(session: str, *, back: bool = False) -> None:
        visit_end._left(session)
        there.here = (session,) if back else ()
        await asyncio.sleep(0.05)

    coroutines.run(leave("gone"))
    coroutines.run(leave("back", back=True))
    assert there.closed == ["gone"] and not visit_end._closing


# ------------------------------------------------------------------------------------------------------------ names

IMAGE = "![l](http://127.0.0.1:9/x.png)"
SCRIPT = "</script><script>window.hacked = 1</script>"
HOSTILE = (
    f'task,group,y,x,z\n"<b>=1+1</b>",,{IMAGE},1,2\n"<b>=1+1</b>",,{SCRIPT},2,1\n'
    f'=cmd|calc,"<img src=x>&lt;",{IMAGE},3,1\n=cmd|calc,"<img src=x>&lt;",{SCRIPT},1,4\n'
).encode()
THREE_CLASSES = HOSTILE.replace(f",{SCRIPT},2,1".encode(), b",<b>two</b>,2,1")


@pytest.mark.parametrize("part", ["After each task", "Task by task", "The last task"])
def test_hostile_names_are_no_markup_in_charts_and_texts(part):
    at = brought(HOSTILE)
    at.session_state["settings"] = at.session_state["settings"].change(race_part=part)
    for page in ("compare", "transfer", "world", "watch"):
        sound(at.switch_page(f"pages/{page}.py").run())
        for figure in charts(at).values():
            assert "<img" not in str(figure["data"]) and "<b>=" not in str(figure["data"])
        for text in (*at.markdown, *at.caption):
            assert "<img" not in text.value and "<b>=" not in text.value, page


def test_hostile_classes_and_words_are_no_markup():
    """Three labels and a column of words, which become names of tasks, groups and features."""
    data = THREE_CLASSES.replace(b"x,z", b"x,<i>z</i>").replace(b",1,4", b",1,<u>4")
    data = data.replace(b",1,2", b",1,<u>2").replace(b",2,1", b",2,<u>1").replace(b",3,1", b",3,<u>3")
    at = drop(opened(), ("names.csv", data))
    sound(at.selectbox(key="positive_class").set_value(EACH_CLASS).run())
    sound(at.toggle(key="one_hot").set_value(True).run())
    sound(at.button(key="use").click().run())
    for page in ("data", "compare", "transfer", "watch"):
        sound(at.switch_page(f"pages/{page}.py").run())
        for figure in charts(at).values():
            assert not any(mark in str(figure["data"]) for mark in ("<img", "<b>", "<u>", "<i>")), page
        for text in (*at.markdown, *at.caption):
            assert not any(mark in text.value for mark in ("<img", "<b>", "<u>", "<i>", "![")), page


def test_hostile_labels_are_escaped_and_tables_hold_no_formula():
    at = drop(opened(), ("names.csv", HOSTILE))
    shown = at.segmented_control(key="plus").options
    assert len(shown) == 2 and not any("![" in str(option) for option in shown)
    tasks = list(at.dataframe[0].value.index)
    assert "'=cmd|calc" in tasks and not any(name.startswith("=") for name in tasks)
    exported = without_formulas(at.dataframe[0].value.rename(columns={"Examples": "=1+1"})).to_csv()
    assert not any(cell.startswith(("=", "+", "@")) for line in exported.splitlines() for cell in line.split(","))
