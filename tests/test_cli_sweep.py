"""The command line's sweep: a tidy table that can be cut off anywhere and goes on from there."""

import os
import random
import signal
import subprocess
import sys

import pandas as pd
import pytest

import aklo
from aklo import sweeps
from aklo.sweep_table import HEADER

from .test_cli import ROOT, SMALL, cli, said_no

GRID = ("--lam", "0.001", "--lam", "1", "--alpha", "linear:end=0.5", "--alpha", "power", "--horizon", "known")
PLACE = ("--mean1", "10", "9")  # its word has a comma in it, so the table has to quote it
CELLS, ROWS = 8, 144  # 2 lambdas x 2 schedules x 2 clips, 6 methods, 3 repetitions


def table(path):
    """The lines in an order of their own, the header apart."""
    header, *lines = path.read_text().splitlines()
    return header, sorted(lines)


@pytest.fixture
def whole(tmp_path):
    """A finished sweep."""
    path = tmp_path / "whole.csv"
    code, out, err = cli("sweep", *SMALL, *PLACE, *GRID, "--csv", path)
    assert (code, out) == (0, "") and err.endswith(f"8 cells computed, 0 already there: {path}\n")
    return path


def test_sweep_writes_one_row_for_each_cell_method_and_repetition(whole):
    """One row for each cell, method and repetition, under the promised header, with repeat's numbers."""
    rows = pd.read_csv(whole)
    assert tuple(rows.columns) == HEADER and len(rows) == ROWS and not rows.isna().any(axis=None)
    cells = rows.groupby(["lambda", "alpha", "clip", "horizon"], sort=False)
    assert len(cells) == CELLS and set(rows["dataset"]) == {"syn1 n_tasks=3 n_examples=8 mean1=(10.0, 9.0)"}
    for (lam, alpha, clip, horizon), cell in cells:
        want = aklo.repeat(
            lambda seed: aklo.syn1(n_tasks=3, n_examples=8, mean1=(10, 9), seed=seed),
            3, lam=lam, alpha=aklo.Schedule.parse(alpha), clip=clip, horizon=horizon,
        ).ace  # fmt: skip
        got = cell.pivot_table(index="repetition", columns="method", values="ace")[list(want.columns)]
        assert got.to_numpy().tolist() == want.to_numpy().tolist()


def cuts(text):
    """Places to cut a table: empty, around the header, around lines and cells, within quotes, anywhere."""
    header = text.index("\n")
    lines = [i + 1 for i, c in enumerate(text) if c == "\n"]
    anywhere = random.Random(0).sample(range(header + 1, len(text)), 6)
    return [
        0, header, header + 1, lines[1], lines[1] - 1, lines[1] + 3, lines[6], lines[6] + 1, lines[9],
        text.index("(10.0,", lines[20]) + 6, lines[-2], len(text) - 1, *anywhere,
    ]  # fmt: skip


def test_interrupted_table_is_continued_wherever_it_was_cut(whole, tmp_path):
    """Whole cells are kept as they are, the rest is computed again, and the table ends up the same."""
    text = whole.read_text()
    for at in cuts(text):
        cut = tmp_path / "cut.csv"
        cut.write_text(text[:at])
        finished = max(text[:at].count("\n") - 1, 0) // 18
        code, _, err = cli("sweep", *SMALL, *PLACE, *GRID, "--csv", cut)
        assert code == 0 and f"{CELLS - finished} cells computed, {finished} already there" in err, f"cut at {at}"
        assert table(cut) == table(whole), f"cut at {at}"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cut.csv", "whole.csv"]


def test_a_second_run_computes_nothing(whole, monkeypatch):
    """Not even with its options in another order, or a cell asked for twice."""
    monkeypatch.setattr(sweeps, "repeat_many", lambda *a, **k: pytest.fail("it computed something"))
    before = whole.read_bytes()
    other = (*GRID[4:], *PLACE, "--lam", "1.0", "--lam", "1e-3", "--lam", "1", "-R", "3", "--n-examples", "8")
    for arguments in ((*SMALL, *PLACE, *GRID), (*other, "--n-tasks", "3")):
        code, _, err = cli("sweep", *arguments, "--csv", whole)
        assert code == 0 and "0 cells computed, 8 already there" in err
    assert whole.read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [
        (*SMALL, *PLACE, "--seed", "1"),
        (*SMALL, *PLACE, "--dataset", "syn1", "--protocol", "shuffled"),
        ("--dataset", "syn2", *SMALL),
        ("--n-tasks", "4", *SMALL[2:], *PLACE),
    ],
    ids=["seed", "protocol", "dataset", "tasks"],
)
def test_other_sweeps_rows_are_kept(whole, change):
    """What is not the same sweep is added to the table."""
    header, lines = table(whole)
    assert cli("sweep", *change, *GRID, "--csv", whole)[0] == 0
    more = table(whole)
    assert more[0] == header and len(set(more[1])) == 2 * ROWS and set(lines) < set(more[1])


def test_more_repetitions_are_added_to_those_that_are_there(whole):
    """Repetition i of a seed does not depend on how many there are."""
    header, lines = table(whole)
    code, _, err = cli("sweep", *SMALL[:4], "-R", "4", *PLACE, *GRID, "--csv", whole)
    assert code == 0 and "8 cells computed" in err
    more = table(whole)
    assert more[0] == header and len(set(more[1])) == ROWS // 3 * 4 and set(lines) < set(more[1])


def test_readings_are_the_default_and_impossible_pairs_are_omitted(tmp_path):
    """Without --alpha both readings; with both horizons, only the pairs that exist."""
    assert cli("sweep", *SMALL, "--csv", tmp_path / "a.csv")[0] == 0
    cells = pd.read_csv(tmp_path / "a.csv")[["alpha", "clip"]].drop_duplicates()
    assert cells.to_numpy().tolist() == [[r.alpha.spec, r.clip] for r in aklo.READINGS.values()]
    both = ("--horizon", "known", "--horizon", "unknown", "--alpha", "linear", "--alpha", "power", "--clip", "sum")
    assert cli("sweep", *SMALL, *both, "--csv", tmp_path / "b.csv")[0] == 0
    cells = pd.read_csv(tmp_path / "b.csv")[["alpha", "horizon"]].drop_duplicates()
    assert sorted(cells.to_numpy().tolist()) == [
        ["linear:end=0", "known"], ["power:k=0.5", "known"], ["power:k=0.5", "unknown"],
    ]  # fmt: skip


def test_an_interrupted_sweep_keeps_what_is_finished(tmp_path, monkeypatch):
    """Ctrl-C is no traceback either, and the same command goes on."""
    path, real, calls = tmp_path / "a.csv", sweeps.repeat_many, []

    def interrupted(*arguments, **options):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(*arguments, **options)

    monkeypatch.setattr(sweeps, "repeat_many", interrupted)
    code, _, err = cli("sweep", *SMALL, *GRID, "--csv", path)
    assert code == 130 and err.splitlines()[-1].startswith("Stopped;") and "Traceback" not in err
    assert len(path.read_text().splitlines()) == 1 + ROWS // 2
    code, _, err = cli("sweep", *SMALL, *GRID, "--csv", path)
    assert code == 0 and "4 cells computed, 4 already there" in err


def test_a_parquet_table_holds_the_same_rows_and_is_continued(whole, tmp_path, monkeypatch):
    path = tmp_path / "a.parquet"
    half = (*GRID[:2], *GRID[4:])  # one of the lambdas
    assert cli("sweep", *SMALL, *PLACE, *half, "--out", path)[0] == 0
    assert len(pd.read_parquet(path)) == ROWS // 2
    code, _, err = cli("sweep", *SMALL, *PLACE, *GRID, "--out", path)
    assert code == 0 and "4 cells computed, 4 already there" in err
    by = list(HEADER[:-2])
    found, want = pd.read_parquet(path).sort_values(by), pd.read_csv(whole).sort_values(by)
    assert found.to_numpy().tolist() == want.to_numpy().tolist()
    assert [p.name for p in tmp_path.iterdir() if "parquet" in p.name] == ["a.parquet"]
    path.write_bytes(b"PAR1")
    said_no(*cli("sweep", *SMALL, *GRID, "--out", path), path, "cannot be read")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    said_no(*cli("sweep", *SMALL, *GRID, "--out", path), path, "pyarrow", ".csv")


def test_a_file_that_another_sweep_is_writing_is_refused_and_free_when_that_is_gone(tmp_path):
    """The lock is another process's: it is freed when that process is killed."""
    path = tmp_path / "a.csv"
    script = f"""
import sys
from pathlib import Path
from aklo.sweep_table import SweepTable
with SweepTable(Path({str(path)!r}), "syn1", 3, 0):
    print("locked", flush=True)
    sys.stdin.read()
"""
    other = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    try:
        assert other.stdout.readline() == "locked\n"
        said_no(*cli("sweep", *SMALL, "--csv", path), "Another sweep", path)
        other.kill()
        other.wait()
        assert cli("sweep", *SMALL, "--csv", path)[0] == 0
    finally:
        other.kill()
        other.communicate()
    assert len(pd.read_csv(path)) == 36 and [p.name for p in tmp_path.iterdir()] == ["a.csv"]


def test_two_sweeps_at_the_same_time_write_no_row_twice(tmp_path):
    """Both start at once; whoever comes second is refused, and goes on afterwards where the first has stopped."""
    path = tmp_path / "a.csv"
    command = [sys.executable, "-m", "aklo", "sweep", *SMALL, *GRID, "--csv", str(path)]
    both = [subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate(timeout=120)[1] for process in both]
    assert {process.returncode for process in both} <= {0, 2} and 0 in [process.returncode for process in both], said
    assert all("Another sweep" in text for text, process in zip(said, both, strict=True) if process.returncode)
    assert cli("sweep", *SMALL, *GRID, "--csv", path)[0] == 0
    rows = pd.read_csv(path)
    assert len(rows) == len(rows.drop_duplicates(HEADER[:-2])) == ROWS


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signal")
@pytest.mark.parametrize("command", ["run", "sweep"])
def test_ctrl_c_exits_130_with_one_line(command, tmp_path):
    """As in a terminal, where all processes of the group hear it."""
    arguments = [command, "-R", "10000", *(["--csv", str(tmp_path / "a.csv")] if command == "sweep" else [])]
    process = subprocess.Popen(
        [sys.executable, "-m", "aklo", *arguments], cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    first = process.stderr.read(5)  # of the progress bar: the work has begun
    os.killpg(process.pid, signal.SIGINT)
    rest = process.communicate(timeout=60)[1]
    assert process.returncode == 130, rest
    assert (first + rest).strip().splitlines()[-1].startswith("Stopped") and "Traceback" not in rest


# -------------------------------------------------------------------------------------------------- what it refuses


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--jobs", "0"], ["--jobs", "0"]),
        (["--lam", "0"], ["--lam", "0"]),
        (["--lam", "1", "--lam", "nan"], ["--lam", "nan"]),
        (["--lam", "abc"], ["--lam", "abc"]),
        (["--alpha", "linear", "--alpha", "custom:points=0/1"], ["rises"]),
        (["--alpha", "linear", "--horizon", "unknown"], ["horizon"]),
        (["--bias", "true"], ["--bias", "syn1"]),
        (["--dataset", "moons"], ["moons"]),
        (["--share", "2"], ["share", "2"]),
        (["--send-package"], ["--send-package", "--dask"]),
    ],
    ids=" ".join,
)
def test_sweep_refuses_bad_options_in_one_sentence(arguments, words, tmp_path):
    """Before any work, and without leaving a file behind."""
    said_no(*cli("sweep", *SMALL, *arguments, "--csv", tmp_path / "a.csv"), *words)
    assert list(tmp_path.iterdir()) == []


def test_sweep_refuses_files_that_it_cannot_use(tmp_path):
    """No file named, no place to write, or a file that is something else, which stays as it is."""
    said_no(*cli("sweep", *SMALL), "--csv")
    (tmp_path / "plain").write_text("")
    for path in (tmp_path / "nowhere" / "a.csv", tmp_path, tmp_path / "plain" / "a.csv"):
        said_no(*cli("sweep", *SMALL, "--csv", path), path)
    os.mkfifo(tmp_path / "pipe")  # as /dev/null would: nothing that a rename may replace
    said_no(*cli("sweep", *SMALL, "--csv", tmp_path / "pipe"), "pipe", "not a file")
    foreign = tmp_path / "foreign.csv"
    for content in (b"name,age\nAda,36\n", b"\n", b"\xff\xfe\x00", b"x" * 200_000, ",".join(HEADER[:-1]).encode()):
        foreign.write_bytes(content)
        said_no(*cli("sweep", *SMALL, "--csv", foreign), foreign)
        assert foreign.read_bytes() == content


def test_missing_dask_scheduler_is_reported(tmp_path):
    """It gives up by itself. (A shorter wait than the command's own, which is checked to be there.)"""
    script = """
import distributed
Client = distributed.Client
def hasty(address, timeout):
    assert timeout <= 10
    return Client(address, timeout=0.5)
distributed.Client = hasty
from aklo.cli.main import main
main()
"""
    arguments = ["sweep", *SMALL, "--csv", str(tmp_path / "a.csv"), "--dask", "tcp://127.0.0.1:9"]
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, cwd=ROOT, timeout=60
    )
    said_no(done.returncode, done.stdout, done.stderr, "Dask", "127.0.0.1:9")
