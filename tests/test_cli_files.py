"""The command line on files of one's own: tasks of any lengths, tables of several classes, and what is refused."""

import json

import numpy as np
import pandas as pd
import pytest

import aklo
from aklo.readers.examples import fields_mat, inboxes_zip

from .test_cli import cli, said_no
from .test_tables import PETS, parquet_of

RAGGED = b"task,y,x,z\n" + b"".join(
    b"%s,%d,%d,%d\n" % (task, (i * 7 + len(task)) % 2, i % 5, i % 3)
    for task, n in ((b"a", 9), (b"bb", 4), (b"ccc", 12))
    for i in range(n)
)


@pytest.fixture
def files(tmp_path):
    """Files of each kind: name -> path."""
    contents = {
        "ragged.csv": RAGGED, "ragged.parquet": parquet_of(RAGGED), "pets.csv": PETS, "fields.mat": fields_mat(),
        "inboxes.zip": inboxes_zip(),
    }  # fmt: skip
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
    return {name: tmp_path / name for name in contents}


def ace(*arguments):
    code, out, err = cli("run", "-R", 3, "--lam", 0.1, *arguments, "--json")
    assert code == 0, err
    return json.loads(out)["ace"]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_tasks_of_unequal_length_are_run_whole(files, kind):
    collection = aklo.read_csv(RAGGED)
    assert collection.lengths.tolist() == [9, 4, 12]
    want = aklo.repeat(collection.sample, 3, lam=0.1).table.T.to_dict()
    assert ace("--dataset", f"{kind}={files[f'ragged.{kind}']}") == want
    fewer = aklo.repeat(lambda seed: collection.sample(2, 5, bias=False, seed=seed), 3, lam=0.1).table.T.to_dict()
    options = ("--n-tasks", 2, "--n-examples", 5, "--bias", "false")
    assert ace("--dataset", f"{kind}={files[f'ragged.{kind}']}", *options) == fewer


def test_the_papers_formats_are_read(files):
    for dataset, name, read, bias in (
        ("landmine", "fields.mat", aklo.read_landmine, True), ("spam", "inboxes.zip", aklo.read_spam, False),
    ):  # fmt: skip
        stream = read(files[name]).sample(bias=bias, seed=0)
        want = aklo.repeat(stream, 3, lam=0.1).table.T.to_dict()
        assert ace("--dataset", f"{dataset}={files[name]}", "--protocol", "shuffled") == want


def test_options_of_a_table_reach_its_reader(files):
    options = ("--each-class", "--one-hot", "--standardise", "true")
    collection = aklo.read_csv(PETS, each_class=True, one_hot=True)
    want = aklo.repeat(lambda seed: collection.sample(standardise=True, seed=seed), 3, lam=0.1).table.T.to_dict()
    assert ace("--dataset", f"csv={files['pets.csv']}", *options) == want
    one = aklo.read_csv(PETS, task=None, y="colour", positive="red")
    want = aklo.repeat(one.sample, 3, lam=0.1).table.T.to_dict()
    got = ace(
        "--dataset", f"csv={files['pets.csv']}", "--task-column", "", "--label-column", "colour", "--positive", "red"
    )
    assert got == want


def test_a_sweep_of_a_file_tells_other_contents_of_the_same_name_apart(files, tmp_path):
    path, table = files["ragged.csv"], tmp_path / "sweep.csv"
    arguments = ("sweep", "--dataset", f"csv={path}", "-R", 2, "--csv", table)
    assert cli(*arguments)[0] == 0 and "0 cells computed" in cli(*arguments)[2]
    path.write_bytes(RAGGED.replace(b"a,0,1", b"a,0,4", 1))
    assert "2 cells computed" in cli(*arguments)[2]
    rows = pd.read_csv(table)
    assert rows["dataset"].nunique() == 2 and rows["dataset"].str.startswith("csv=ragged.csv ").all()
    collection = aklo.read_csv(RAGGED)
    first = rows[(rows["dataset"] == rows["dataset"][0]) & (rows["clip"] == "sum")]
    want = aklo.repeat(collection.sample, 2, lam=1e-3).shares
    np.testing.assert_array_equal(first["ace"].to_numpy().reshape(2, 6), want)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--dataset", "csv"], ["csv=PATH"]),
        (["--dataset", "syn1=a.csv"], ["syn1", "no file"]),
        (["--dataset", "csv=nowhere.csv"], ["nowhere.csv"]),
        (["--dataset", "csv={pets.csv}"], ["third label", "--positive or --each-class"]),
        (["--dataset", "csv={pets.csv}", "--task-column", "pet"], ["'pet'", "--task-column)"]),
        (["--dataset", "tasks.csv"], ["csv=tasks.csv"]),
        (["--dataset", "csv={pets.csv}", "--angle", "3"], ["--angle", "csv"]),
        (["--dataset", "landmine={fields.mat}", "--one-hot"], ["--one-hot", "landmine"]),
        (["--label-column", "z"], ["--label-column", "syn1"]),
        (["--dataset", "csv={ragged.csv}", "--n-tasks", "9"], ["n_tasks", "9", "3"]),
        (["--n-tasks", "100000000"], ["10,000,000,000", "50,000,000"]),
        (["--dataset", "conflict", "--n-examples", "100000000"], ["5,000,000,000"]),
    ],
    ids=lambda value: " ".join(value),
)
def test_bad_files_and_sizes_are_refused_in_one_sentence(files, arguments, words):
    given = [argument.replace("{", "{f[").replace("}", "]}").format(f=files) for argument in arguments]
    said_no(*cli("run", *given), *words)


def test_want_of_memory_is_one_sentence(monkeypatch):
    def full(*arguments, **options):
        raise MemoryError

    monkeypatch.setattr(aklo, "repeat", full)
    code, out, err = cli("run", "-R", 2, "--n-tasks", 2)
    assert (code, out) == (2, "") and err.splitlines()[-1].startswith("Error: This needs more memory")


def test_latex_tables_of_run_and_reproduce(tmp_path):
    """The same numbers as on the screen, and nothing that LaTeX would stumble over."""
    code, out, _ = cli("run", "--n-tasks", 3, "--n-examples", 8, "-R", 3, "--latex")
    want = 100 * aklo.repeat(lambda seed: aklo.syn1(3, 8, seed=seed), 3, lam=1e-3).table
    assert code == 0 and out.startswith("\\begin{table}") and out.endswith("\\end{table}\n")
    for method, mean, std in want.itertuples():
        assert f"{method} & {mean:.1f} $\\pm$ {std:.1f} \\\\\n" in out
    assert "n\\_tasks=3" in out and "n_tasks" not in out.replace("\\_", "")
    path = tmp_path / "tables.tex"
    code, _, _ = cli("reproduce", "--dataset", "syn1", "-R", 2, "--latex", path)
    text = path.read_text()
    assert code == 0 and text.count("\\begin{tabular}") == text.count("\\bottomrule") == 3
    assert "syn1 & as tabulated & " in text and "AKLO Sum $<$ Unif Sum" in text
    assert text.isascii() and "41.1 $\\pm$" in text
    said_no(*cli("run", "--latex", "--json"), "--latex", "--json")
