"""Sweeps: the cells that exist, repeat's numbers, and the same ones from two processes or a Dask cluster."""

import os
import subprocess
import sys
import time
from functools import partial

import joblib
import pandas as pd
import pytest
from distributed import Client, LocalCluster

import aklo
from aklo.sweeps import COLUMNS

from .test_bad_input import refused
from .test_cli import SMALL, said_no, shell

LAMS = (1e-3, 0.1, 10.0)
ALPHAS = [aklo.Linear(), aklo.Linear(0.5), aklo.Cosine(), aklo.Power(0.5), aklo.Step(at=4)]
CELLS = aklo.grid(LAMS, ALPHAS, ("sum", "advice"), ("known", "unknown"))
small = partial(aklo.syn1, n_tasks=4, n_examples=10)


def everything(source=small, cells=CELLS, **options):
    return pd.concat(list(aklo.sweep(source, cells, n=3, seed=6, **options)), ignore_index=True)


@pytest.fixture(scope="module")
def plain():
    """The sweep in this process."""
    return everything()


def test_grid_omits_impossible_pairs():
    """In the order given; a schedule that needs N is left out where N is unknown."""
    assert len(CELLS) == len(set(CELLS)) == 3 * 2 * (5 + 2)
    assert CELLS[0] == aklo.Cell(1e-3, aklo.Linear(), "sum", "known")
    assert {type(c.alpha) for c in CELLS if c.horizon == "unknown"} == {aklo.Power, aklo.Step}
    assert aklo.grid([1], [aklo.Linear()], ["sum"], ["unknown"]) == []
    assert aklo.grid([1], [aklo.Linear()]) == [(1.0, aklo.Linear(), "sum", "known")]


def test_rows_hold_the_numbers_of_repeat(plain):
    """Six rows a repetition and cell, with the very numbers of `repeat`."""
    assert tuple(plain.columns) == COLUMNS and len(plain) == 6 * 3 * len(CELLS)
    rows = plain.set_index(["lambda", "alpha", "clip", "horizon"]).sort_index()
    assert set(plain["seed"]) == {6} and set(plain["repetition"]) == {0, 1, 2}
    for cell in CELLS:
        want = aklo.repeat(small, 3, seed=6, **cell._asdict()).ace
        got = rows.loc[(cell.lam, cell.alpha.spec, cell.clip, cell.horizon)]
        assert got["ace"].to_numpy().reshape(3, 6).tolist() == want.to_numpy().tolist()
        assert got["method"].tolist() == 3 * list(aklo.METHODS)


def test_stream_as_source_is_shuffled():
    """The other protocol, and cells given twice, which count once."""
    stream, cell = aklo.syn2(n_tasks=4, n_examples=10), CELLS[5]
    got = everything(stream, [cell, cell])
    want = aklo.repeat(stream, 3, seed=6, **cell._asdict()).shares
    assert got["ace"].tolist() == want.ravel().tolist()


def test_results_are_yielded_as_they_finish():
    """One at a time, so that a table on disk can grow; nothing to do gives nothing."""
    made = []

    def source(seed):
        made.append(seed)
        return small(seed=seed)

    parts = aklo.sweep(source, aklo.grid(LAMS, [aklo.Power()]), n=2)
    assert made == []
    next(parts)
    assert len(made) == 2
    parts.close()
    assert list(aklo.sweep(small, [])) == []


def test_bad_arguments_are_refused():
    """A sweep says what repeat would."""
    refused(lambda: everything(cells=aklo.grid([0], [aklo.Power()])), "lambda", "0")
    refused(lambda: everything(cells=[aklo.Cell(1.0, aklo.Linear(), "sum", "unknown")]), "Linear")
    refused(lambda: list(aklo.sweep(small, CELLS, n=0)), "0")


def test_two_processes_give_the_same_numbers(plain):
    """No number depends on how many processes there are."""
    pd.testing.assert_frame_equal(everything(jobs=2), plain, check_exact=True)


# ------------------------------------------------------------------------------------------------------- a cluster


def watched(folder, seed):
    """`small`, but it notes which process it ran in, and waits (not for ever) until a second one has come by."""
    (folder / str(os.getpid())).touch()
    waited = 0
    while len(list(folder.iterdir())) < 2 and waited < 200:
        time.sleep(0.05)
        waited += 1
    return small(seed=seed)


@pytest.fixture(scope="module")
def cluster():
    """A real one: a scheduler and two worker processes on this machine."""
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0"
    ) as running:
        yield running


def test_dask_gives_the_same_numbers(cluster, plain, tmp_path):
    """The workers do the work, both of them, and it comes to the same numbers to the last bit."""
    with Client(cluster) as client, joblib.parallel_config(backend="dask", client=client):
        got = everything(partial(watched, tmp_path))
        pids = set(client.run(os.getpid).values())
    pd.testing.assert_frame_equal(got, plain, check_exact=True)
    assert {int(path.name) for path in tmp_path.iterdir()} == pids
    assert len(pids) == 2 and os.getpid() not in pids


def test_dask_from_the_command_line_gives_the_same_numbers(cluster, tmp_path):
    """--dask ADDRESS writes the table of the plain sweep, and the scheduler has had something to do."""
    before = cluster.scheduler.transition_counter
    grid = ("--lam", "0.001", "--lam", "1", "--alpha", "power", "--alpha", "linear", "--csv")
    for name, more in (("plain.csv", ()), ("dask.csv", ("--dask", cluster.scheduler_address))):
        done = shell("sweep", *SMALL, *grid, tmp_path / name, *more)
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr and "8 cells computed, 0 already there" in done.stderr
    assert (tmp_path / "plain.csv").read_text() == (tmp_path / "dask.csv").read_text()
    assert cluster.scheduler.transition_counter > before


@pytest.fixture
def bare_cluster(tmp_path):
    """A scheduler, and a function that starts a worker which cannot import aklo; both are processes of their own."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    begun = []

    def start(*command):
        # In another folder and without the one of the script on the path, where aklo is not found.
        options = {"cwd": tmp_path, "env": environment, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        begun.append(
            subprocess.Popen([sys.executable, "-P", "-m", "distributed.cli." + command[0], *command[1:]], **options)
        )

    assert subprocess.run([sys.executable, "-P", "-c", "import aklo"], cwd=tmp_path, env=environment,
                          capture_output=True, check=False).returncode, "aklo is installed here"  # fmt: skip
    file = tmp_path / "scheduler.json"
    try:
        start("dask_scheduler", "--port", "0", "--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file))
        with Client(scheduler_file=str(file), timeout=60) as client:
            address = client.scheduler.address

            def add_worker():
                start("dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
                client.wait_for_workers(1, timeout=60)

            yield address, add_worker
    finally:
        for process in begun:
            process.kill()
            process.wait()


@pytest.mark.thorough
def test_a_cluster_without_workers_or_without_aklo_is_reported_and_can_be_sent_it(bare_cluster, tmp_path):
    address, add_worker = bare_cluster
    arguments = ("sweep", *SMALL, "--csv", tmp_path / "a.csv", "--dask", address)
    done = shell(*arguments)
    said_no(done.returncode, done.stdout, done.stderr, address, "no workers", "dask worker")
    add_worker()
    done = shell(*arguments)
    said_no(done.returncode, done.stdout, done.stderr, "1 of 1 worker", "No module named 'aklo'", "--send-package")
    done = shell(*arguments, "--send-package")
    assert done.returncode == 0, done.stderr
    assert shell(*arguments[:-3], tmp_path / "b.csv").returncode == 0
    assert (tmp_path / "a.csv").read_text() == (tmp_path / "b.csv").read_text()
