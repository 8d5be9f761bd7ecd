"""Tables of several classes, of words, and in Parquet; workbooks are named for what they are."""

import io
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aklo
from aklo.lab.server import reader
from aklo.readers import categories
from aklo.readers.outline import columns_of, labels_of

from .test_bad_input import refused

PETS = (
    b"task,y,size,colour\n"
    b"a,cat,1,red\na,dog,2,blue\na,fish,3,red\nb,dog,4,green\nb,cat,5,red\nb,dog,6,blue\n"
)  # fmt: skip


def parquet(frame: pd.DataFrame, **options) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), buffer, **options)
    return buffer.getvalue()


def parquet_of(csv: bytes) -> bytes:
    return parquet(pd.read_csv(io.BytesIO(csv)))


def same(one: aklo.Collection, other: aklo.Collection) -> None:
    np.testing.assert_array_equal(one.X, other.X)
    np.testing.assert_array_equal(one.y, other.y)
    for name in ("names", "labels", "features", "groups", "group_names"):
        assert getattr(one, name) == getattr(other, name)
    assert one.offsets.tolist() == other.offsets.tolist()


# ---------------------------------------------------------------------------------------------------------- classes


def test_a_third_label_is_refused_with_the_way_out():
    refused(lambda: aklo.read_csv(PETS), "Row 4", "'fish'", "third label", "each class")


@pytest.mark.parametrize("positive", ["cat", "dog", "fish"])
def test_one_label_against_the_rest(positive):
    found = aklo.read_csv(PETS, positive=positive)
    words = [line.split(b",")[1].decode() for line in PETS.splitlines()[1:]]
    np.testing.assert_array_equal(found.y, np.where(np.array(words) == positive, 1, -1))
    assert found.labels == ("the rest", positive) and found.names == ("a", "b")
    refused(lambda: aklo.read_csv(PETS, positive="cow"), "'cat', 'dog', 'fish'", "'cow'")


def test_a_task_for_each_class():
    found = aklo.read_csv(PETS, each_class=True)
    assert found.names == ("a: cat", "a: dog", "a: fish", "b: cat", "b: dog")  # b has no fish
    assert found.y.tolist() == [1, -1, -1, -1, 1, -1, -1, -1, 1, -1, 1, -1, 1, -1, 1]
    assert found.X[:, 0].tolist() == 3 * [1, 2, 3] + 2 * [4, 5, 6] and found.lengths.tolist() == [3] * 5
    assert found.groups == (0, 1, 2, 0, 1) and found.group_names == ("cat", "dog", "fish")


def test_groups_of_the_file_stay_with_a_task_for_each_class():
    found = aklo.read_csv(PETS.replace(b"colour", b"group").replace(b"blue", b"red").replace(b"green", b"red"),
                          each_class=True)  # fmt: skip
    assert found.groups == (0,) * 5 and found.group_names == ("red",)


def test_a_table_without_a_column_of_tasks_is_one_task_or_one_for_each_class():
    table = PETS.replace(b"task,", b"n,").replace(b"a,", b"1,").replace(b"b,", b"2,")
    assert aklo.read_csv(table, task=None, positive="dog").names == ("all rows",)
    assert aklo.read_csv(table, task=None, each_class=True).names == ("cat", "dog", "fish")


def test_more_classes_than_are_read_are_refused():
    rows = b"".join(b"a,%d,1\n" % i for i in range(200))
    for call in (
        lambda: aklo.read_csv(b"task,y,x\n" + rows, each_class=True),
        lambda: labels_of(b"task,y,x\n" + rows),
    ):
        refused(call, "Row 102", "100", "'y'")


def test_tasks_for_each_class_beyond_the_limits_are_refused(monkeypatch):
    monkeypatch.setattr("aklo.readers.classes.MOST_NUMBERS", 10)
    refused(lambda: aklo.read_csv(PETS, each_class=True), "15", "10")
    monkeypatch.undo()
    monkeypatch.setattr("aklo.readers.classes.MOST_TASKS", 4)
    refused(lambda: aklo.read_csv(PETS, each_class=True), "5 tasks", "4")


def test_labels_and_columns_are_listed():
    for source in ([("a.csv", PETS)], [("a.parquet", parquet_of(PETS))]):
        assert columns_of(source) == ["task", "y", "size", "colour"]
        assert labels_of(source) == ["cat", "dog", "fish"] and labels_of(source, y="task") == ["a", "b"]
        refused(lambda source=source: labels_of(source, y="z"), "'z'")
    assert labels_of(b"task,y,x\na,1,1\na,1.0,1\na,,1\na,0\n") == ["0", "1"]  # gaps and short rows are no labels
    refused(lambda: labels_of(b"task,y,x\na," + b"l" * 300 + b",1\n"), "300 characters")


# ------------------------------------------------------------------------------------------------------------ words


def test_words_are_left_out_or_read_one_hot():
    plain, hot = aklo.read_csv(PETS, positive="cat"), aklo.read_csv(PETS, positive="cat", one_hot=True)
    assert plain.features == ("size",) and "'colour' was left out" in plain.notes[0]
    assert hot.features == ("size", "colour=blue", "colour=green", "colour=red")
    words = pd.read_csv(io.BytesIO(PETS))["colour"]
    np.testing.assert_array_equal(hot.X[:, 1:], pd.get_dummies(words).to_numpy(float))
    np.testing.assert_array_equal(hot.X[:, :1], plain.X)
    assert "read as 3 columns" in hot.notes[0]


def test_a_table_of_words_alone_can_be_read_one_hot():
    table = b"task,y,colour\na,1,red\na,0,blue\n"
    refused(lambda: aklo.read_csv(table), "No column has numbers", "one-hot")
    assert aklo.read_csv(table, one_hot=True).X.tolist() == [[0, 1], [1, 0]]


def test_a_gap_in_a_column_of_words_is_a_gap():
    table = PETS.replace(b"2,blue", b"2,")
    refused(lambda: aklo.read_csv(table, positive="cat", one_hot=True), "Row 3", "'colour'", "no value")
    assert len(aklo.read_csv(table, positive="cat", one_hot=True, drop_gaps=True).y) == 5


def test_a_column_of_too_many_words_is_left_out(monkeypatch):
    monkeypatch.setattr(categories, "MOST_CATEGORIES", 2)
    found = aklo.read_csv(PETS, positive="cat", one_hot=True)
    assert found.features == ("size",) and "more than" in found.notes[0]


def test_one_hot_beyond_the_limit_is_refused(monkeypatch):
    monkeypatch.setattr("aklo.readers.table.MOST_NUMBERS", 10)
    refused(lambda: aklo.read_csv(PETS, positive="cat", one_hot=True), "24", "10")


# ---------------------------------------------------------------------------------------------------------- parquet


@pytest.mark.parametrize(
    "options", [{"positive": "dog"}, {"each_class": True, "one_hot": True}, {"task": "colour", "positive": "cat"}]
)
def test_parquet_is_read_as_the_same_table_in_csv(options):
    same(aklo.read_parquet(parquet_of(PETS), **options), aklo.read_csv(PETS, **options))


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.booleans(), st.floats(-1e9, 1e9), st.integers(-5, 5), st.sampled_from("uvw")),
        min_size=2, max_size=30,
    ).filter(lambda rows: len({row[1] for row in rows}) == 2)
)  # fmt: skip
def test_any_table_in_parquet_equals_csv(rows):
    frame = pd.DataFrame(rows, columns=["task", "y", "real", "whole", "word"])
    options = {"one_hot": True}
    csv = aklo.read_csv(frame.to_csv(index=False).encode(), **options)
    same(aklo.read_parquet(parquet(frame, row_group_size=7), **options), csv)
    same(aklo.read_parquet(parquet(frame.astype({"word": "category"})), **options), csv)


def test_gaps_in_parquet_are_named():
    frame = pd.read_csv(io.BytesIO(PETS)).astype({"size": float})
    for gap in (None, np.nan):
        frame.loc[2, "size"] = gap
        refused(lambda: aklo.read_parquet(parquet(frame), positive="cat"), "Row 4", "'size'", "no value")
        assert len(aklo.read_parquet(parquet(frame), positive="cat", drop_gaps=True).y) == 5
    frame.loc[2, "size"] = np.inf
    refused(lambda: aklo.read_parquet(parquet(frame), positive="cat"), "Row 4", "'inf'")


def test_bad_parquet_is_refused_in_one_sentence(monkeypatch):
    good = parquet_of(PETS)
    refused(lambda: aklo.read_parquet(b"task,y\n"), "not a Parquet file")
    refused(lambda: aklo.read_parquet(good[:-1]), "cut short")
    lists = parquet(pd.DataFrame({"task": [1], "y": [1], "x": [[1, 2]]}))
    refused(lambda: aklo.read_parquet(lists), "'x'", "type")
    monkeypatch.setattr("aklo.readers.parquet.MOST_ROWS", 5)
    refused(lambda: aklo.read_parquet(good), "6 rows", "5")


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.integers(4, 2000), st.integers(0, 255)), min_size=1, max_size=6))
def test_a_damaged_parquet_file_is_read_or_refused(changes):
    """The same damages in every run; where one crashes pyarrow, the lab's reader process is ended with a sentence."""
    text = "."
    data = bytearray(parquet_of(PETS))
    for at, value in changes:
        data[4 + at % (len(data) - 8)] = value
    try:
        aklo.read_parquet(bytes(data), positive="cat")
    except ValueError as error:
        text = str(error)
    assert text.endswith(".") and "\n" not in text


@pytest.mark.thorough
def test_hostile_parquet_ends_in_a_sentence_in_the_reader_process():
    """Rows by the million in 150 kB, texts of 180 MB in some kB, and a file that is none."""
    text = "a" * 60_000_000
    hostile = {
        "2,000,000 rows": parquet(pd.DataFrame({"task": np.zeros(2_000_000), "y": np.zeros(2_000_000)})),
        "memory|MB": parquet(pd.DataFrame({"task": [text] * 3, "y": [1, 2, 3], "x": [1, 2, 3]}), compression="zstd"),
        "cannot be read": b"PAR1" + bytes(100) + b"PAR1",
    }
    del text
    for words, data in hostile.items():
        assert len(data) < 200_000
        with pytest.raises(ValueError, match=words):
            reader.read("any", [("a.parquet", data)], room=lambda size: None)


def test_parquet_is_read_in_the_reader_process():
    found = reader.read("any", [("pets.parquet", parquet_of(PETS))], room=lambda size: None, positive="cat")
    same(found, aklo.read_csv(PETS, positive="cat"))


# -------------------------------------------------------------------------------------------------------- workbooks


@pytest.mark.parametrize(("member", "words"), [("xl/workbook.xml", "Excel workbook"), ("content.xml", "OpenDocument")])
def test_a_workbook_is_named_and_its_way_out_said(member, words):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("[Content_Types].xml", "<x/>")
        archive.writestr(member, "<x/>")
    refused(lambda: aklo.read_any([("a.xlsx", buffer.getvalue())]), "a.xlsx", words, "CSV")
    with pytest.raises(ValueError, match="save the sheet as CSV"):
        reader.read("columns", [("a.xlsx", buffer.getvalue())], room=lambda size: None)


def test_an_old_workbook_is_named():
    refused(lambda: aklo.read_any([("a.xls", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600))]), "a.xls", "CSV")
