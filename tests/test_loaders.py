"""What people bring: every file gives the right data, or one sentence that names the row, the column or the value."""

from __future__ import annotations

import io
import os
import struct
import tracemalloc
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.io
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import dump_svmlight_file

import aklo
from aklo.datasets import PROTOCOLS, READERS, read_any
from aklo.lab.content import stream_summary
from aklo.readers import archive, collection
from aklo.readers import mat as mat_reader
from aklo.readers.collection import Collection
from aklo.readers.csv import read_csv
from aklo.readers.examples import EXAMPLE_FILES
from aklo.readers.mat import read_landmine
from aklo.readers.outline import columns_of
from aklo.readers.text import read_shoes, read_spam

from .test_bad_input import refused

# Landmine and Spam are not ours to ship: those who have them say where, or keep them beside the project.
DATA = Path(os.environ.get("AKLO_DATA", Path(__file__).parents[2] / "shared" / "data"))


def real(name: str) -> Path:
    if not (DATA / name).exists():
        pytest.skip(f"{name} is not there: set AKLO_DATA to the folder that holds landmine/ and spam/")
    return DATA / name


# ------------------------------------------------------------------------------------------------- making such files


def mat(tasks, compress=False, **more) -> bytes:
    """A MATLAB 5 file with cells `feature` and `label`."""
    cells = {name: np.empty((1, len(tasks)), dtype=object) for name in ("feature", "label")}
    for k, (X, y) in enumerate(tasks):
        cells["feature"][0, k], cells["label"][0, k] = X, np.asarray(y)[:, None]
    buffer = io.BytesIO()
    scipy.io.savemat(buffer, cells | more, do_compression=compress)
    return buffer.getvalue()


def mines(n_tasks=3, n=8, dtype=np.uint8):
    rng = np.random.default_rng(0)
    return [(rng.normal(size=(n, 9)), (np.arange(n) % 2).astype(dtype)) for _ in range(n_tasks)]


def zipped(files: dict[str, bytes], method=zipfile.ZIP_DEFLATED) -> bytes:
    """The same bytes at any hour: a test's name is made of them, and two workers must agree on it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, compress_type=method)
    return buffer.getvalue()


def mail(seed: int, n=6, d=40, labels=(-1, 1)) -> bytes:
    rng = np.random.default_rng(seed)
    X = sp.csr_array(rng.poisson(0.3, size=(n, d)).astype(float))
    buffer = io.BytesIO()
    dump_svmlight_file(X, np.array(labels)[np.arange(n) % 2], buffer, zero_based=False)
    return buffer.getvalue()


def shoe(seed: int, n=4, d=5) -> bytes:
    rows = np.random.default_rng(seed).normal(size=(n, d))
    return "\n".join(" ".join(f"{value:.6f}" for value in row) for row in rows).encode()


def same(a: aklo.TaskStream, b: aklo.TaskStream) -> bool:
    return a.names == b.names and a.X.tobytes() == b.X.tobytes() and a.y.tobytes() == b.y.tobytes()


# --------------------------------------------------------------------------------------------------------- sampling


def some(n=(10, 20, 7), d=3) -> Collection:
    rng = np.random.default_rng(1)
    return Collection.of(
        [(f"t{k}", rng.normal(3, 2, size=(m, d)), np.where(np.arange(m) % 3, -1.0, 1.0)) for k, m in enumerate(n)]
    )


def test_a_sample_is_of_the_tasks_own_rows_and_seeded():
    whole = some()
    one, again, other = (whole.sample(2, 6, seed=seed) for seed in (1, 1, 2))
    assert same(one, again) and not same(one, other)
    for task in one:
        rows = whole.X[slice(*whole.offsets[[k := whole.names.index(task.name), k + 1]])]
        places = [int(np.flatnonzero((rows == x[:3]).all(axis=1))[0]) for x in task.X]
        assert len(set(places)) == 6 and (task.X[:, 3] == 1).all()
        np.testing.assert_array_equal(task.y, whole.y[whole.offsets[k] + places])


@given(st.integers(1, 3), st.none() | st.integers(1, 40), st.booleans(), st.integers(0, 5))
@settings(max_examples=30)
def test_any_sample_has_the_size_asked_for(n_tasks, n, bias, seed):
    whole = some()
    stream = whole.sample(n_tasks, n, bias=bias, seed=seed)
    assert len(stream) == n_tasks and stream.d == 3 + bias
    for task in stream:
        has = whole.lengths[whole.names.index(task.name)]
        assert len(task) == (has if n is None else min(n, has))


def test_the_files_own_order_can_be_kept():
    whole = some()
    stream = whole.sample(shuffle=False, bias=False, seed=9)
    assert stream.names == whole.names and (stream.X == whole.X).all() and (stream.y == whole.y).all()
    assert stream.groups is None


@pytest.mark.parametrize("share", [0.0, 0.1, 0.25, 1 / 3])
def test_a_fixed_share_of_positives(share):
    stream = some((40, 60)).sample(n_examples=12, share=share, seed=3)
    assert [(task.y > 0).sum() for task in stream] == [round(12 * share + 1e-9)] * 2
    most = some((40, 60)).sample(share=share, seed=3)
    for task in most:
        assert abs((task.y > 0).mean() - share) <= 1 / len(task)


def test_a_share_of_a_task_that_is_shorter_than_asked_for():
    """As many as the share allows: 3 of +1 and 6 of −1 give 6 examples with one half each."""
    stream = some((9,)).sample(n_examples=20, share=0.5, seed=0)
    assert sorted(stream.y) == [-1, -1, -1, 1, 1, 1]


def test_a_share_that_a_task_cannot_give_names_it():
    refused(lambda: some((9, 9)).sample(n_examples=8, share=0.9), "t0", "0.9")
    refused(lambda: some().sample(share=1.5), "1.5")
    refused(lambda: some().sample(9), "9")
    refused(lambda: some().sample(2.5), "2.5")
    refused(lambda: some().sample(n_examples=0), "0")
    refused(lambda: some().sample(seed=-1), "-1")


def test_standardised_over_the_collection():
    stream = some((300, 200)).sample(standardise=True, bias=False, seed=0)
    np.testing.assert_allclose(stream.X.mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(stream.X.std(axis=0), 1)
    flat = Collection.of([("a", np.ones((4, 2)), [1, -1, 1, -1])])
    assert (flat.sample(standardise=True, bias=False).X == 0).all()


def test_sparse_is_scaled_and_stays_sparse():
    whole = read_spam([("a.tf", mail(0)), ("b.tf", mail(1))])
    stream = whole.sample(standardise=True, bias=True, seed=0)
    assert sp.issparse(stream.X) and stream.X.shape == (12, 41)
    sizes = np.sqrt((stream.X.toarray()[:, :-1] ** 2).mean(axis=0))
    assert np.isclose(sizes[sizes > 0], 1).all() and (stream.X.toarray()[:, -1] == 1).all()
    dense = whole.sample(bias=False, seed=4)
    np.testing.assert_array_equal(dense.y, whole.sample(seed=4).y)


def test_flipped_exchanges_the_labels():
    whole = some()
    assert (whole.flipped().y == -whole.y).all() and whole.flipped().labels == ("+1", "−1")


def test_names_are_shortened_and_printable():
    assert collection.clean("a\x00b\n\u202ec" + "x" * 99) == "ab c"[:1] + "bc" + "x" * 56 + "…"


# --------------------------------------------------------------------------------------------------------- landmine


def test_original_landmine_file_is_read():
    whole = read_landmine(real("landmine/LandmineData.mat"))
    assert (len(whole), whole.d, len(whole.y), whole.positive.sum()) == (29, 9, 14820, 904)
    stream = whole.sample(**PROTOCOLS["landmine"], share=0.1, seed=0)
    assert (len(stream), stream.d, set(stream.lengths.tolist())) == (29, 10, {150})
    assert {int((task.y > 0).sum()) for task in stream} == {15}


@pytest.mark.parametrize("compress", [False, True])
@pytest.mark.parametrize("dtype", [np.uint8, np.int8, float, bool])
def test_mat_labels_0_and_1(compress, dtype):
    whole = read_landmine(mat(mines(dtype=dtype), compress))
    assert whole.labels == ("0", "1") and whole.y.tolist() == [-1.0, 1.0] * 12
    np.testing.assert_allclose(whole.X, np.concatenate([X for X, _ in mines()]))


def test_mat_labels_minus_1_and_1():
    whole = read_landmine(mat([(X, 2.0 * y - 1) for X, y in mines()]))
    assert whole.labels == ("−1", "1") and whole.y.tolist() == [-1.0, 1.0] * 12


def test_mat_with_other_variables_besides():
    whole = read_landmine(mat(mines(), about="mines", other={"a": 1}))
    assert len(whole) == 3


def test_a_task_of_one_class_is_read():
    tasks = mines()
    tasks[1] = (tasks[1][0], np.ones(8, dtype=np.uint8))
    assert read_landmine(mat(tasks)).positive.tolist() == [4, 8, 4]


def spoilt(change) -> bytes:
    tasks = [(X.copy(), y.astype(float)) for X, y in mines()]
    change(tasks)
    return mat(tasks)


def cells(**variables) -> bytes:
    buffer = io.BytesIO()
    scipy.io.savemat(buffer, variables)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b"", ["empty"]),
        (b"x" * 500, ["MATLAB 5"]),
        (b"MATLAB 7.3 MAT-file" + b" " * 500, ["-v7"]),
        (b"\x89HDF\r\n\x1a\n" + b" " * 500, ["-v7"]),
        (cells(X=np.ones((3, 2)), y=np.ones(3)), ["'feature'", "'X'", "'y'"]),
        (cells(feature=np.ones((3, 2)), label=np.ones(3)), ["'feature'", "cell"]),
        (mat(mines(), extra=1)[:-40], ["cut short"]),
        (spoilt(lambda t: t[1][0].__setitem__((4, 2), np.nan)), ["field 2", "nan", "example 4", "feature 2"]),
        (spoilt(lambda t: t[1][0].__setitem__((4, 2), np.inf)), ["field 2", "inf"]),
        (spoilt(lambda t: t[2][1].__setitem__(3, 7.0)), ["cell 3", "7", "row 4"]),
        (spoilt(lambda t: t[2][1].__setitem__(3, -1.0)), ["−1", "0"]),
        (spoilt(lambda t: t.__setitem__(1, (t[1][0][:, :5], t[1][1]))), ["field 2", "5", "9"]),
        (spoilt(lambda t: t.__setitem__(1, (t[1][0][:5], t[1][1]))), ["field 2", "5", "8"]),
        (spoilt(lambda t: t.__setitem__(1, (t[1][0] * 1j, t[1][1]))), ["cell 2"]),
        (spoilt(lambda t: t.__setitem__(1, (np.array(["a", "b"]), t[1][1]))), ["cell 2"]),
        (spoilt(lambda t: t.__setitem__(1, ({"a": 1}, t[1][1]))), ["cell 2"]),
    ],
)  # fmt: skip
def test_bad_mat_files_are_refused_in_one_sentence(data, names):
    refused(lambda: read_landmine(data), *names)


@pytest.mark.parametrize("compress", [False, True])
def test_a_mat_cut_anywhere_is_refused(compress):
    whole = mat(mines(), compress)
    for at in [*range(0, 300), *range(300, len(whole) - 8, 37)]:
        refused(lambda at=at: read_landmine(whole[:at]))


@given(st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 255)), min_size=1, max_size=6), st.booleans())
@settings(max_examples=150)
def test_a_damaged_mat_is_read_or_refused(changes, compress):
    data = bytearray(mat(mines(), compress))
    for at, value in changes:
        data[at % len(data)] = value
    read_or_refused(read_landmine, bytes(data))


def test_blocks_of_a_wrong_kind_do_not_end_the_process():
    """Given to scipy as they are, some of these end Python itself, and with it everybody's lab."""
    whole = mat(mines(n_tasks=2, n=4))
    for at in range(len(whole) - 160, len(whole), 4):
        for kind in (0, 4, 8, 11, 14, 15, 17, 255):
            read_or_refused(read_landmine, whole[:at] + bytes([kind]) + whole[at + 1 :])


def read_or_refused(read, data):
    """Nothing but a ValueError of one line comes out; and what is read is sound."""
    said = ""
    try:
        whole = read(data)
    except ValueError as error:
        said = str(error)
    if said:
        assert "\n" not in said and said.endswith(".")
        return
    assert set(np.unique(whole.y)) <= {-1.0, 1.0} and len(whole.names) == len(whole)
    assert np.isfinite(whole.X.data if sp.issparse(whole.X) else whole.X).all()


def test_mat_with_wrong_sizes_is_refused():
    """A cell with no data whose outline speaks of 2^31 - 1 numbers, or of as many empty structs."""
    for kind in (6, 2, 1):
        inner = (
            struct.pack("<IIII", 6, 8, kind, 0) + struct.pack("<IIii", 5, 8, 2**31 - 1, 1) + struct.pack("<II", 1, 0)
        )
        cell = struct.pack("<II", 14, len(inner)) + inner
        blocks = b""
        for word in (b"feature\0", b"label\0\0\0"):
            name = struct.pack("<II", 1, len(word.rstrip(b"\0"))) + word
            head = struct.pack("<IIII", 6, 8, 1, 0) + struct.pack("<IIii", 5, 8, 1, 1) + name
            blocks += struct.pack("<II", 14, len(head + cell)) + head + cell
        refused(lambda blocks=blocks: read_landmine(mat(mines())[:128] + blocks))


def test_compressed_mat_beyond_the_limit_is_refused(monkeypatch):
    monkeypatch.setattr(mat_reader, "MOST_BYTES", 100_000)
    bomb = zlib.compress(b"\0" * 10_000_000)
    data = mat(mines())[:128] + struct.pack("<II", 15, len(bomb)) + bomb
    assert lean(lambda: refused(lambda: read_landmine(data), "unpacks")) < 2e6


def lean(call) -> int:
    """The most bytes that a call held at once."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# ------------------------------------------------------------------------------------------------------------- spam


def test_original_spam_files_are_read():
    whole = read_spam(real("spam"))
    assert (len(whole), whole.d, set(whole.lengths.tolist())) == (15, 152_543, {400})
    stream = whole.sample(**PROTOCOLS["spam"], seed=0)
    assert (len(stream), set(stream.lengths.tolist()), sp.issparse(stream.X)) == (14, {200}, True)
    assert len(set(stream.names)) == 14


def test_folder_zip_and_bytes_are_the_same(tmp_path):
    files = {f"task_b_u0{k}_eval_lab.tf": mail(k) for k in range(3)}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "readme.md").write_text("hello")
    packed = zipped({f"inboxes/{name}": data for name, data in files.items()} | {"inboxes/readme.md": b"hello"})
    (tmp_path / "mails.zip").write_bytes(packed)
    found = [read_spam(source) for source in (tmp_path, str(tmp_path / "mails.zip"), packed, list(files.items()))]
    for whole in found:
        assert whole.names == ("inbox 0", "inbox 1", "inbox 2") and whole.X.shape == (18, found[0].d)
        assert (whole.X != found[0].X).nnz == 0 and (whole.y == found[0].y).all()
    assert "readme.md" in found[1].notes[0] and found[3].notes == ()


def test_tf_labels_0_and_1_and_one_class():
    whole = read_spam([("a.tf", mail(0, labels=(0, 1))), ("b.tf", b"1 3:1\n1 4:2\n")])
    assert whole.labels == ("0", "1") and whole.positive.tolist() == [3, 2]


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b"", ["empty"]),
        (b"\n\n", ["mails"]),
        (b"1 3:1\nspam 4:1\n", ["line 2", "'spam'"]),
        (b"1 3:1\n-1 4:x\n", ["line 2", "'4:x'"]),
        (b"1 3:1\n-1 4:nan\n", ["line 2", "'4:nan'"]),
        (b"1 3:1\n-1 4:inf\n", ["line 2", "'4:inf'"]),
        (b"1 3:1\n-1 4\n", ["line 2", "'4'"]),
        (b"1 3:1\n-1 5:1 4:1\n", ["line 2", "'4'", "5"]),
        (b"1 3:1\n-1 0:1\n", ["line 2", "'0'"]),
        (b"1 3:1\n-1 -7:1\n", ["line 2", "'-7:1'"]),
        (b"1 3:1\n2 4:1\n", ["line 2", "'2'"]),
        (b"1 3:1\n-1 99999999999999999999:1\n", ["line 2"]),
        (b"1 3:1\n-1 2000000000:1\n", ["2,000,000,000"]),
        (b"1 3:1\n-1 4:1\n0 4:1\n", ["mixed"]),
        (b"\x00\x01\x02\x03", ["line 1"]),
        (b"1 3:1\n-1 4:" + b"9" * 400 + b"\n", ["line 2"]),
    ],
)
def test_bad_mails_are_refused_in_one_sentence(data, names):
    refused(lambda: read_spam([("a.tf", data)]), *names)


@given(st.binary(max_size=300) | st.text("01:-+. \n#ax9", max_size=120).map(str.encode))
@settings(max_examples=150)
def test_any_bytes_as_mail_are_read_or_refused(data):
    read_or_refused(lambda d: read_spam([("a.tf", d)]), data)


# -------------------------------------------------------------------------------------------------------------- zip


def test_a_zip_bomb_is_refused_without_being_unpacked(monkeypatch):
    monkeypatch.setattr(archive, "MOST_BYTES", 200_000)
    bomb = zipped({"a.tf": b"1 1:1\n" * 2_000_000})
    assert lean(lambda: refused(lambda: read_spam(bomb), "MB")) < 2e6


def test_zip_with_wrong_sizes_is_refused(monkeypatch):
    monkeypatch.setattr(archive, "MOST_BYTES", 200_000)
    packed = zipped({"a.tf": b"1 1:1\n" * 2_000_000})
    size = struct.pack("<I", 12_000_000)
    assert packed.count(size) == 2
    lying = packed.replace(size, struct.pack("<I", 600))
    assert lean(lambda: read_or_refused(read_spam, lying)) < 2e6


@pytest.mark.parametrize("name", ["../out.tf", "/etc/out.tf", "a/../../out.tf", "..\\out.tf", "C:/out.tf"])
def test_zip_with_a_path_outside_is_refused(name, tmp_path, monkeypatch):
    inside = tmp_path / "here"
    inside.mkdir()
    monkeypatch.chdir(inside)
    refused(lambda: read_spam(zipped({"ok.tf": mail(0), name: mail(1)})), "outside")
    assert not list(tmp_path.rglob("*.tf"))


def locked() -> bytes:
    """A .zip whose list says that its file is encrypted."""
    data = bytearray(zipped({"a.tf": mail(0)}))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(mark) + at] |= 1
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (zipped({}), ".tf"),
        (zipped({"a.doc": b"x"}), ".tf"),
        (zipped({"a.zip": zipped({"a.tf": mail(0)})}), ".tf"),
        (zipped({"a.tf": mail(0)}, zipfile.ZIP_LZMA), "deflate"),
        (zipped({"a.tf": b""}), "empty"),
        (locked(), "password"),
        (zipped({"a.tf": mail(0)})[:60], ".zip"),
    ],
    ids=["no file", "another kind", "a zip inside", "another packing", "empty file", "locked", "cut off"],
)
def test_bad_zips_are_refused_in_one_sentence(data, name):
    refused(lambda: read_spam([("mails.zip", data)]), name)


@given(st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), min_size=1, max_size=6))
@settings(max_examples=100)
def test_a_damaged_zip_is_read_or_refused(changes):
    data = bytearray(zipped({"a.tf": mail(0), "b.tf": mail(1)}))
    for at, value in changes:
        data[at % len(data)] = value
    read_or_refused(read_spam, bytes(data))


def test_missing_path_is_refused(tmp_path):
    for read in READERS.values():
        refused(lambda read=read: read(tmp_path / "nothing.csv"), "no such file")
    refused(lambda: read_spam(tmp_path), ".tf")


# ------------------------------------------------------------------------------------------------------------ shoes


def test_shoes_files_are_read():
    files = [(f"T{k}_{part}.txt", shoe(10 * k + (part == "train"))) for k in (1, 2, 10) for part in ("train", "test")]
    whole, train = read_shoes(files), read_shoes(files, part="train")
    assert whole.names == ("T1", "T2", "T10") and whole.y.tolist() == [1.0, 1.0, -1.0, -1.0] * 3
    assert not (whole.X == train.X).any() and "3 other files" in whole.notes[0]
    np.testing.assert_allclose(whole.X[:4], np.random.default_rng(10).normal(size=(4, 5)), atol=1e-6)
    stream = whole.sample(**PROTOCOLS["shoes"], seed=1)
    assert any((task.y != [1, 1, -1, -1]).any() for task in stream)  # never the file's order, which tells the labels
    assert read_shoes([("T1.txt", shoe(1).replace(b" ", b","))]).d == 5
    assert read_shoes(zipped(dict(files))).names == whole.names


def test_a_sample_can_be_drawn_from_some_tasks():
    whole = read_shoes([(f"T{k}.txt", shoe(k)) for k in range(1, 6)])
    assert same(whole.sample(seed=4), whole.sample(seed=4, tasks=whole.names))
    assert set(whole.sample(seed=4, tasks=["T5", "T2"]).names) == {"T2", "T5"}
    assert whole.sample(1, seed=4, tasks=["T5", "T2"], shuffle=False).names[0] in ("T2", "T5")
    refused(lambda: whole.sample(tasks=["T9"]), "'T9'")
    refused(lambda: whole.sample(tasks=[]), "at least one")
    refused(lambda: whole.sample(3, tasks=["T1", "T2"]), "n_tasks is 3", "2 tasks")


def test_shoes_of_the_papers_size_are_read():
    whole = read_shoes([(f"T{k}_train.txt", shoe(k, n=100, d=990)) for k in range(1, 11)])
    assert (len(whole), whole.d, set(whole.lengths.tolist())) == (10, 990, {100})


@pytest.mark.parametrize(
    ("files", "names"),
    [
        ([("T1.txt", b"1 2\n3 x\n")], ["line 2", "T1.txt", "'x'", "column 2"]),
        ([("T1.txt", b"1 2\n3 nan\n")], ["line 2", "'nan'"]),
        ([("T1.txt", b"1 2\n3\n")], ["line 2", "1", "2"]),
        ([("T1.txt", b"1 2\n3 4\n5 6\n")], ["3"]),
        ([("T1.txt", b" \n")], ["T1.txt"]),
        ([("T1.txt", b"")], ["empty"]),
        ([("notes.txt", b"1 2\n3 4\n")], ["notes.txt"]),
        ([("T1.txt", shoe(0)), ("T2.txt", shoe(0, d=7))], ["'T2'", "7", "5"]),
        ([("T1.txt", shoe(0)), ("t1.txt", shoe(0))], ["T1"]),
    ],
)
def test_bad_shoes_are_refused_in_one_sentence(files, names):
    refused(lambda: read_shoes(files), *names)
    refused(lambda: read_shoes([("T1_test.txt", shoe(0))], part="train"), "T1_train.txt")


# -------------------------------------------------------------------------------------------------------------- csv

GOOD = b"task,y,a,b\nu,1,1.5,2\nu,0,3,4\nv,0,5,6e1\n"


def changed(old: bytes, new: bytes) -> bytes:
    assert old in GOOD
    return GOOD.replace(old, new, 1)


@pytest.mark.parametrize(
    "data",
    [
        GOOD,
        GOOD.replace(b"\n", b"\r\n"),
        GOOD.replace(b",", b"\t"),
        GOOD.replace(b",", b"|"),
        GOOD.replace(b",", b";"),
        GOOD.replace(b",", b";").replace(b".", b","),
        b"sep=;\n" + GOOD.replace(b",", b";"),
        b"\xef\xbb\xbf" + GOOD,
        GOOD.decode().encode("utf-16"),
        b"\n\n" + GOOD + b"\n,,,\n",
        GOOD.replace(b"task", b" Task ").replace(b"y,", b'"Y",'),
        b'y,b,task,a\n1,2,"u",1.5\n0,4,u,3\n0,60,v,5\n',
    ],
)
def test_csv_dialects_are_read_alike(data):
    whole = read_csv(data)
    order = [whole.features.index(name) for name in ("a", "b")]
    assert whole.X[:, order].tolist() == [[1.5, 2], [3, 4], [5, 60]] and whole.y.tolist() == [1, -1, -1]
    assert whole.names == ("u", "v") and whole.labels == ("0", "1") and whole.lengths.tolist() == [2, 1]


@pytest.mark.parametrize(
    ("minus", "plus"),
    [("0", "1"), ("-1", "1"), ("-1", "+1"), ("ham", "spam"), ("no", "Yes"), ("False", "True"), ("2", "10"), ("A", "B")],
)
def test_any_two_labels_become_minus_and_plus_one(minus, plus):
    data = f"task,y,x\na,{plus},1\na,{minus},2\na,{plus},3\n".encode()
    assert read_csv(data).y.tolist() == [1, -1, 1]
    assert read_csv(data, positive=minus).y.tolist() == [-1, 1, -1]


def test_spellings_of_a_number_are_one_label():
    assert read_csv("task,y,x\na,1,1\na,1.0,2\na,+1,3\na,−1,4\na,-1,−5\n".encode()).y.tolist() == [1, 1, 1, -1, -1]


def test_latin_1_text_is_read():
    whole = read_csv("task,y,größe\nzürich,1,1\nbrüssel,0,2\n".encode("latin-1"))
    assert whole.names == ("zürich", "brüssel") and whole.features == ("größe",)


def test_tasks_may_be_interleaved():
    whole = read_csv(b"task,y,x\nb,1,1\na,0,2\nb,0,3\na,1,4\n")
    assert whole.names == ("b", "a") and whole.X.ravel().tolist() == [1, 3, 2, 4] and whole.y.tolist() == [1, -1, -1, 1]


def test_skipped_columns_and_rows_are_noted():
    data = b",task,y,name,x\n0,a,1,Anna,1\n1,a,0,Bob,2\n2,a,0,Cy,\n3,b,1,Di,NA\n4,b,1,Ed,5\n"
    refused(lambda: read_csv(data), "row 4", "'x'")
    whole = read_csv(data, drop_gaps=True)
    assert whole.features == ("x",) and whole.X.ravel().tolist() == [1, 2, 5]
    notes = " ".join(whole.notes)
    assert "'name'" in notes and "'Anna'" in notes and "2 rows" in notes and "row 4" in notes and "no name" in notes


def test_table_downloaded_from_the_lab_is_read():
    stream = aklo.syn1(n_tasks=4, n_examples=5, seed=3)
    whole = read_csv(stream_summary.csv(stream).encode())
    assert (whole.X == stream.X).all() and (whole.y == stream.y).all() and whole.groups == stream.groups
    assert whole.group_names == ("0", "1") and whole.features == ("x1", "x2")


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b"", ["empty"]),
        (b"\n \n", ["rows"]),
        (b"task,y,x\n", ["rows"]),
        (b"hello", ["'hello'"]),
        (b"\x00\x01\x02\xff\xfe", ["text"]),
        (b"\xff\xfea", ["UTF-16"]),
        (b"kind,y,x\na,1,1\n", ["'task'", "'kind'"]),
        (b"task,label,x\na,1,1\n", ["'y'", "'label'"]),
        (b"task,y,y,x\na,1,1,1\n", ["'y'", "2 times"]),
        (b"task,y\na,1\na,0\n", ["numbers"]),
        (b"task,y,x\na,1,hi\na,0,ho\n", ["numbers"]),
        (changed(b"6e1", b"six"), ["row 4", "'b'", "'six'"]),
        (changed(b"6e1", b"inf"), ["row 4", "'b'", "'inf'"]),
        (changed(b"6e1", b"1e999"), ["row 4", "'b'", "'1e999'"]),
        (changed(b"6e1", b"1e200"), ["'v'", "1e+200"]),
        (changed(b"6e1", b"nan"), ["row 4", "'b'"]),
        (changed(b"6e1", b""), ["row 4", "'b'"]),
        (changed(b"6e1", b"6,1"), ["row 4", "5 cells", "4"]),
        (changed(b"u,0", b"u,2").replace(b"v,0", b"v,3"), ["row 4", "'y'", "'3'", "'1'", "'2'"]),
        (changed(b"u,0", b"u,"), ["row 3", "'y'"]),
        (changed(b"v,0", b",0"), ["row 4", "'task'"]),
        (GOOD.replace(b",0,", b",1,"), ["'y'", "'1'"]),
        (b"task,y,x\na,1,x7\na,0,2\n", ["row 2", "'x'", "'x7'"]),
        (b"task;y;x\na;1;1,5\na;0;2.5\n", ["row 3", "'x'", "'2.5'", "comma"]),
        (b"task;y;x\na;1;1.5\na;0;2,5\n", ["row 3", "'x'", "'2,5'", "point"]),
        (b"task;y;x\na;1;1.234,5\na;0;2\n", ["row 2", "'x'", "'1.234,5'"]),
        (b"task,y,group,x\na,1,g,1\na,0,h,2\n", ["row 3", "'h'", "'g'"]),
        (b'task,y,x\na,1,"1\n' + b"a,1,2\n" * 30_000, ["row"]),
    ],
)
def test_bad_csvs_are_refused_in_one_sentence(data, names):
    refused(lambda: read_csv(data), *names)


def test_other_columns_may_be_the_task_and_the_label():
    data = b"user,junk,x\na,spam,1\na,ham,2\n"
    assert columns_of(data) == ["user", "junk", "x"]
    assert read_csv(data, task="user", y="junk").labels == ("ham", "spam")
    refused(lambda: read_csv(data, task="user", y="user"), "'user'")
    refused(lambda: read_csv(data, task="user", y="junk", positive="eggs"), "'eggs'")


def test_missing_value_is_reported_with_row_and_column():
    rows = [f"{k % 7},{k % 2},{k},{-k}" for k in range(6000)]
    rows[4709] = "3,1,5,NaN"
    refused(lambda: read_csv("\n".join(["task,y,a,b", *rows]).encode()), "row 4711", "'b'")


def test_files_beyond_the_limits_are_refused_early(monkeypatch):
    wide = ("task,y," + ",".join(f"x{i}" for i in range(100_000)) + "\n").encode()
    wide += b"a,1," + b",".join([b"0"] * 100_000) + b"\n"
    refused(lambda: read_csv(wide), "100,002 columns", "10,000")
    refused(lambda: read_csv("\n".join(["task,y,x", *(f"{k},{k % 2},1" for k in range(1200))]).encode()), "1,001")
    monkeypatch.setattr("aklo.readers.table_rows.MOST_NUMBERS", 1000)
    long = "\n".join(["task,y,x", *(f"a,{k % 2},1" for k in range(100_000))]).encode()
    assert lean(lambda: refused(lambda: read_csv(long), "row 1002", "1,000 numbers")) < 1e6
    monkeypatch.setattr(archive, "MOST_BYTES", 1000)
    refused(lambda: read_csv(long), "MB")


def test_a_table_is_held_as_numbers_only():
    rng = np.random.default_rng(0)
    rows = [
        "task,y,a,b,c,d",
        *(f"{k % 5},{k % 2}," + ",".join(f"{v:.5f}" for v in rng.normal(size=4)) for k in range(9000)),
    ]
    data = "\n".join(rows).encode()
    assert lean(lambda: read_csv(data)) < 6 * 8 * 4 * 9000  # a few copies of the numbers, on the way to a stream


def test_progress_rises_to_the_end():
    seen = []
    read_csv("\n".join(["task,y,x", *(f"a,{k % 2},{k}" for k in range(20_000))]).encode(), progress=seen.append)
    assert len(seen) > 10 and seen == sorted(seen) and 0 <= seen[0] < seen[-1] <= 1


@given(
    st.binary(max_size=200)
    | st.text("task,y;x\n\t\"'0123456789.-+ea", max_size=200).map(lambda t: b"task,y,x\n" + t.encode())
)
@settings(max_examples=200)
def test_any_bytes_as_csv_are_read_or_refused(data):
    read_or_refused(read_csv, data)


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from(["yes", "no"]), st.floats(-1e9, 1e9), st.floats(-1, 1)),
        min_size=2,
    ).filter(lambda rows: len({row[1] for row in rows}) == 2),
    st.sampled_from([",", ";", "\t"]),
)
@settings(max_examples=60)
def test_a_written_table_is_read_back(rows, separator):
    table = pd.DataFrame(rows, columns=["task", "y", "p", "q"])
    whole = read_csv(table.to_csv(index=False, sep=separator).encode())
    expected = pd.concat([table[table["task"] == name] for name in dict.fromkeys(table["task"])])
    np.testing.assert_array_equal(whole.X, expected[["p", "q"]])
    np.testing.assert_array_equal(whole.y, np.where(expected["y"] == "yes", 1, -1))


def test_reading_executes_and_writes_nothing(tmp_path, monkeypatch):
    """Cells that look like programs are text, a pickle is refused, and the folder stays as it was."""
    monkeypatch.chdir(tmp_path)
    code = b"__import__('os').system('touch ran')"
    read_or_refused(read_csv, b"task,y,x\n" + code + b",=1+1,1\nb,=cmd|' /C calc'!A0,2\n")
    refused(lambda: read_csv(b"task,y,x\na,1," + code + b"\na,0,1\n"), "row 2")
    for read in READERS.values():
        refused(lambda read=read: read(b"cposix\nsystem\n(S'touch ran'\ntR."))
    assert not list(tmp_path.iterdir())


# -------------------------------------------------------------------------------------------------- files of any kind


@pytest.mark.parametrize("name", list(EXAMPLE_FILES))
def test_example_files_are_read_and_learnable(name):
    """Made the same each time; and on each of them AKLO Sum beats the learner that forgets."""
    make = EXAMPLE_FILES[name]
    assert make() == make() and make(1) != make() and len(make()) < 150_000
    whole = read_any([(name, make())])
    assert len(whole) == 16 and set(whole.lengths.tolist()) == {60} and not whole.notes
    stream = whole.sample(seed=0)
    run = aklo.run(stream, lam=0.1, seed=0)  # the lab's first picture of it
    assert run.ace["AKLO Sum"] < run.ace["ITOL"]


def test_reader_is_chosen_by_the_file_name():
    assert len(read_any([("LandmineData.mat", mat(mines()))])) == 3
    assert read_any([("a.tf", mail(0)), ("b.tf", mail(1))]).names == ("a", "b")
    assert read_any([("T1.txt", shoe(0)), ("T2.txt", shoe(1))]).names == ("T1", "T2")
    assert read_any([("table.TXT", GOOD)]).names == ("u", "v")
    packed = read_any([("x.zip", zipped({"in/a.csv": GOOD, "in/a.png": b"x"}))])
    assert packed.names == ("u", "v") and "a.png" in packed.notes[0]
    assert read_any([("a.csv", GOOD)], positive="0").y.tolist() == [-1, 1, 1]
    refused(lambda: read_any([("a.csv", GOOD), ("b.tf", mail(0))]), "'a.csv'", "'b.tf'")
    refused(lambda: read_any([("a.xlsx", b"x")]), "'a.xlsx'")


def test_at_least_keeps_tasks_with_enough_examples():
    whole = some((10, 20, 7))
    assert whole.at_least(7) is whole
    long = whole.at_least(8)
    assert long.names == ("t0", "t1") and long.lengths.tolist() == [10, 20] and (whole.X[:30] == long.X).all()
    refused(lambda: whole.at_least(21), "21", "20")
