"""The command line: it prints what the library computes, and refuses in one sentence with exit code 2."""

import importlib.util
import io
import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

import pandas as pd
import pytest

import aklo
from aklo.cli.main import main
from aklo.datasets import GENERATORS

ROOT = Path(__file__).parents[1]
SMALL = ("--n-tasks", "3", "--n-examples", "8", "-R", "3")
SIZES = {"n_tasks": 3, "n_examples": 8}


def cli(*arguments):
    """Call the command line within this process: (exit code, stdout, stderr)."""
    code = 0
    with (
        mock.patch.object(sys, "argv", ["aklo", *map(str, arguments)]),
        redirect_stdout(io.StringIO()) as out,
        redirect_stderr(io.StringIO()) as err,
    ):
        try:
            main()
        except SystemExit as stop:
            code = stop.code
    return code, out.getvalue(), err.getvalue()


def shell(*arguments):
    """The real thing: a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "aklo", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )


def said_no(code, out, err, *words):
    """Exit code 2, nothing on stdout, one sentence on one line of stderr that has all the words."""
    assert (code, out) == (2, "")
    assert re.fullmatch(r"Error: [^\n]+[.?]\n", err), err
    assert not re.search(r"[.!?]\s\w", err.removeprefix("Error: ")), f"more than one sentence: {err}"
    for word in words:
        assert str(word) in err, f"{word!r} not in: {err}"


def read(text):
    return pd.read_csv(io.StringIO(text))


def library(make=aklo.syn1, n=3, seed=0, lam=1e-3, **options):
    """The table that the command line should have printed."""
    return aklo.repeat(lambda seed: make(**SIZES, seed=seed), n, lam=lam, seed=seed, **options).table


# ------------------------------------------------------------------------------------------------------ what it says


def test_command_line_works_as_a_process():
    """Alone it prints its help; run prints a table; a refusal has no traceback."""
    alone = shell()
    assert alone.returncode == 0 and alone.stderr == ""
    assert all(word in alone.stdout for word in ("Usage: python -m aklo", "run", "sweep", "bench"))
    table = shell("run", *SMALL)
    assert table.returncode == 0 and "Traceback" not in table.stderr
    for line, (method, mean, std) in zip(table.stdout.splitlines()[2:], library().itertuples(), strict=True):
        assert line == f"{method:<13}{100 * mean:>8.2f}{100 * std:>8.2f}"
    refusal = shell("run", "--dataset", "syn3")
    said_no(refusal.returncode, refusal.stdout, refusal.stderr, "syn3")


def test_run_prints_a_table():
    """The settings, a heading, six methods with ±; without ± for one repetition."""
    code, out, _ = cli("run", *SMALL, "--seed", 5, "--reading", "tabulated")
    assert code == 0
    first, heading, *rows = out.splitlines()
    assert first == (
        "dataset syn1 n_tasks=3 n_examples=8, lambda 0.001, alpha linear:end=0.5, clip advice, horizon known, "
        "repetitions 3, seed 5"
    )
    assert heading.split() == ["method", "ACE", "%", "±"] and len(rows) == 6
    _, out, _ = cli("run", *SMALL[:4], "-R", 1)
    assert [len(row.split()) - len(m.split()) for row, m in zip(out.splitlines()[2:], aklo.METHODS, strict=True)] == [
        1
    ] * 6


@pytest.mark.parametrize("dataset", GENERATORS)
@pytest.mark.parametrize("reading", aklo.READINGS)
def test_json_holds_the_library_s_numbers_for_every_dataset(dataset, reading, tmp_path):
    """On the screen and in a file: the library's very numbers."""
    arguments = ("run", "--dataset", dataset, *SMALL, "--reading", reading.removeprefix("as "), "--seed", 4)
    code, out, _ = cli(*arguments, "--json")
    found = json.loads(out)
    options = vars(aklo.READINGS[reading])
    want = library(GENERATORS[dataset], seed=4, **options)
    assert code == 0 and found["ace"] == want.T.to_dict()
    assert (found["dataset"], found["repetitions"]) == (f"{dataset} n_tasks=3 n_examples=8", 3)
    assert (found["alpha"], found["clip"]) == (options["alpha"].spec, options["clip"])
    gaps = aklo.repeat(lambda seed: GENERATORS[dataset](**SIZES, seed=seed), 3, lam=1e-3, seed=4, **options)
    assert found["differences"] == gaps.differences().to_dict("records")
    assert cli(*arguments, "--json", tmp_path / "a.json")[0] == 0
    assert json.loads((tmp_path / "a.json").read_text()) == found


def test_json_of_one_repetition_has_null_instead_of_nan():
    """JSON knows no NaN: what is not there is null."""
    found = json.loads(cli("run", *SMALL[:4], "-R", 1, "--json")[1], parse_constant=pytest.fail)
    assert all(row["std"] is None for row in found["ace"].values())
    assert all(row["low"] is row["high"] is None for row in found["differences"])


def test_csv_is_printed_and_written_alike(tmp_path):
    """They parse back to the library's numbers; the shuffled protocol is the library's on one stream."""
    code, out, _ = cli("run", *SMALL, "--csv", "--protocol", "shuffled", "--lam", "0.1", "--seed", 2)
    rows = read(out).set_index("method")
    want = aklo.repeat(aklo.syn1(**SIZES, seed=2), 3, lam=0.1, seed=2).table
    assert code == 0 and rows[["mean", "std"]].to_dict() == want.to_dict()
    assert set(rows["dataset"]) == {"syn1 n_tasks=3 n_examples=8 shuffled"} and set(rows["lambda"]) == {0.1}
    code, table, _ = cli(
        "run", *SMALL, "--csv", tmp_path / "a.csv", "--protocol", "shuffled", "--lam", "0.1", "--seed", 2
    )
    assert code == 0 and (tmp_path / "a.csv").read_text() == out and "AKLO Sum" in table


@pytest.mark.parametrize("kind", aklo.SCHEDULES.values(), ids=aklo.SCHEDULES)
def test_every_schedule_is_accepted_by_its_spec(kind):
    """A schedule's `spec` is what --alpha takes; those that may run without N do."""
    for horizon in ("known", "unknown"):
        arguments = ("run", *SMALL, "--alpha", kind().spec, "--horizon", horizon, "--clip", "advice", "--json")
        if kind.needs_horizon and horizon == "unknown":
            said_no(*cli(*arguments), kind.__name__, "unknown horizon")
        else:
            found = json.loads(cli(*arguments)[1])
            assert found["ace"] == library(alpha=kind(), clip="advice", horizon=horizon).T.to_dict()
            assert found["alpha"] == kind().spec


def test_lam_choose_is_choose_lambda():
    """--lam choose is choose_lambda on the stream of the given seed."""
    for seed in (0, 3):
        chosen = aklo.choose_lambda(aklo.conflict(**SIZES, seed=seed)).lam
        found = json.loads(cli("run", "--dataset", "conflict", *SMALL, "--lam", "choose", "--seed", seed, "--json")[1])
        assert found["lambda"] == chosen
        assert found["ace"] == library(aklo.conflict, seed=seed, lam=chosen).T.to_dict()


def test_options_reach_the_generators():
    """One of each kind: numbers, pairs, words, truth values."""
    pairs = ("--mean1", 1, 2, "--mean2", 3, 4, "--share", 0.25, "--order", "blocks", "--sd", 0, "--vector1", 5, 6)
    found = json.loads(cli("run", *SMALL, *pairs, "--json")[1])
    given = {"mean1": (1, 2), "mean2": (3, 4), "share": 0.25, "order": "blocks", "sd": 0, "vector1": (5, 6)}
    assert found["ace"] == library(lambda **k: aklo.syn1(**given, **k)).T.to_dict()
    found = json.loads(cli("run", "--dataset", "digits", *SMALL, "--bias", "false", "--json")[1])
    assert found["ace"] == library(lambda **k: aklo.digits(bias=False, **k)).T.to_dict()


# ------------------------------------------------------------------------------------------------- what it refuses


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--dataset", "moons"], ["moons", "syn1", "digits"]),
        (["--alpha", "custom:points=0.2/0.8"], ["rises", "0.2"]),
        (["--alpha", "constant:1.5"], ["1.5", "[0, 1]"]),
        (["--alpha", "linear:end=-1"], ["[0, 1]"]),
        (["--alpha", "zigzag"], ["zigzag", "linear"]),
        (["--alpha", "power:speed=2"], ["speed"]),
        (["--alpha", "linear", "--horizon", "unknown"], ["Linear", "unknown horizon", "Power"]),
        (["--horizon", "unknown"], ["Linear", "unknown horizon"]),
        (["--bias", "true"], ["--bias", "syn1"]),
        (["--dataset", "digits", "--n-examples", "5", "--spread", "2"], ["--spread", "digits"]),
        (["--lam", "0"], ["--lam", "0"]),
        (["--lam", "-1"], ["--lam", "-1"]),
        (["--lam", "nan"], ["--lam", "nan"]),
        (["--lam", "abc"], ["--lam", "abc"]),
        (["--qq"], ["--qq"]),
        (["--n-tasks", "0"], ["n_tasks", "0"]),
        (["--n-tasks", "many"], ["--n-tasks", "many"]),
        (["--spread", "-1"], ["spread", "-1"]),
        (["--spread", "1e200"], ["spread"]),
        (["--vector1", "inf", "1"], ["vectors"]),
        (["--mean1", "1"], ["--mean1", "2"]),
        (["--clip", "both"], ["both"]),
        (["--seed", "-1"], ["--seed", "-1"]),
        (["-R", "0"], ["--repetitions", "0"]),
    ],
    ids=" ".join,
)
def test_run_refuses_bad_options_in_one_sentence(arguments, words):
    """One sentence that names what is wrong."""
    said_no(*cli("run", *arguments), *words)


@pytest.mark.parametrize("option", ["--json", "--csv"])
def test_files_that_cannot_be_written_are_refused(option, tmp_path):
    """A folder that is not there, a folder in place of a file, a file in place of a folder: before any work."""
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "nowhere" / "a", tmp_path, tmp_path / "file" / "a"):
        said_no(*cli("run", *SMALL, option, path), path)


@pytest.fixture
def started(monkeypatch):
    """The programs that take this process's place, each with its arguments and its working directory."""
    calls = []
    monkeypatch.chdir("/")
    monkeypatch.setattr(os, "execv", lambda *call: calls.append((*call, Path.cwd())))
    monkeypatch.setattr(subprocess, "call", lambda command: 0)  # reached only because this execv returns
    return calls


@pytest.mark.parametrize(
    ("options", "passed_on"),
    [
        ("", ""),
        ("--server.maxUploadSize 10", "--server.maxUploadSize 10"),
        ("--port 8600 --address 0.0.0.0", "--server.port 8600 --server.address 0.0.0.0"),
        ("--no-browser --theme.base=dark", "--server.headless true --theme.base=dark"),
    ],
)
def test_lab_starts_streamlit_on_the_source_tree(started, options, passed_on):
    """Streamlit replaces the process, in the folder that holds its configuration, with the given options."""
    assert cli("lab", *options.split())[0] == 0
    command = [sys.executable, "-m", "streamlit", "run", "app.py", *passed_on.split()]
    assert started == [(sys.executable, command, ROOT)]


def test_lab_takes_files_of_rules(started, tmp_path, monkeypatch):
    """They are checked before the lab starts, and named in the environment of its process."""
    monkeypatch.setenv("AKLO_RULES", "")
    path = tmp_path / "leader.py"
    path.write_text("import aklo\nclass Leader(aklo.Rule):\n    name = 'Leader'\n    weights = None\n")
    try:
        assert cli("lab", "--rules", path, "--rules", path)[0] == 0
    finally:
        aklo.RULES.pop("Leader", None), aklo.styles.STROKES.pop("Leader", None)
    assert os.environ["AKLO_RULES"].split(os.pathsep) == [str(path), str(path)] and len(started) == 1
    path.write_text("1/0")
    said_no(*cli("lab", "--rules", path), "leader.py", "ZeroDivisionError")
    assert len(started) == 1


def test_lab_refuses_a_port_that_is_none(started):
    said_no(*cli("lab", "--port", 70000), "70000")
    assert not started


def test_lab_without_streamlit_says_what_to_install(started, monkeypatch):
    there = importlib.util.find_spec
    monkeypatch.setattr("aklo.cli.options.find_spec", lambda name: None if name == "streamlit" else there(name))
    said_no(*cli("lab"), "streamlit", "pip install 'aklo[lab]'")
    said_no(*cli("worksheets", "--lesson", 1, "--html", "-"), "streamlit", "pip install 'aklo[lab]'")
    assert not started


def test_lab_without_its_pages_says_what_to_do(started, monkeypatch, tmp_path):
    monkeypatch.setattr("aklo.cli.lab.lab_folder", lambda: tmp_path)
    said_no(*cli("lab"), tmp_path, "install aklo again")
    assert not started


@pytest.mark.parametrize(
    ("missing", "words"),
    [("tests", ["tests/", "project's folder"]), ("psutil", ["psutil", "requirements-dev.txt"])],
)
def test_bench_says_what_it_lacks(missing, words, monkeypatch):
    """An installed package has no tests/reference.py, which the benchmark compares with."""
    monkeypatch.delitem(sys.modules, "tests.benchmarks.core", raising=False)
    monkeypatch.delattr("tests.benchmarks.core", raising=False)  # the package remembers a module that was imported
    monkeypatch.setitem(sys.modules, "tests.benchmarks" if missing == "tests" else missing, None)
    said_no(*cli("bench", "--quick"), *words)


def test_version_is_printed():
    assert cli("--version") == (0, f"aklo, version {aklo.__version__}\n", "")


def test_unknown_commands_and_options_are_refused():
    """And a mistyped option, for which click has a suggestion."""
    said_no(*cli("walk"), "walk")
    code, out, err = cli("run", "--lamb", "1")
    assert (code, out, err.count("\n")) == (2, "", 1) and "--lamb" in err
