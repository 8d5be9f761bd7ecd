"""The wheel: what is in it, and that it works in an environment and a folder of its own."""

from __future__ import annotations

import email
import re
import subprocess
import zipfile

import pytest

import aklo
from tests.installed import ROOT, Installed, install
from tests.test_cli import said_no

pytestmark = pytest.mark.thorough

SITE = "aklo/lab/site/"  # where the wheel has what stands beside the package in the repository


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return install(tmp_path_factory.mktemp("installed"))


def test_wheel_holds_the_package_and_the_lab_and_nothing_else(installed: Installed):
    """Every file of the package, of the pages and of the assets, but for the README's pictures."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    present = [name for name in listed.split("\0") if name and (ROOT / name).is_file()]
    package = {name for name in present if name.startswith("aklo/")}
    beside = {
        SITE + name
        for name in present
        if name in ("app.py", ".streamlit/config.toml")
        or (name.startswith(("pages/", "assets/")) and not name.startswith("assets/pictures/"))
    }
    with zipfile.ZipFile(installed.wheel) as wheel:
        held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert held == package | beside, "pyproject.toml lists the assets one by one"
    assert {"aklo/py.typed", f"{SITE}app.py", f"{SITE}assets/lab.css"} <= held


def test_metadata_names_the_version_the_command_and_few_dependencies(installed: Installed):
    with zipfile.ZipFile(installed.wheel) as wheel:
        folder = f"aklo-{aklo.__version__}.dist-info"
        metadata = email.message_from_bytes(wheel.read(f"{folder}/METADATA"))
        entry_points = wheel.read(f"{folder}/entry_points.txt").decode()
    needed = {re.split(r"\W", text)[0] for text in metadata.get_all("Requires-Dist") if "extra ==" not in text}
    assert needed == {"numpy", "pandas", "scikit", "scipy", "joblib", "click"}
    assert (metadata["Version"], set(metadata.get_all("Provides-Extra"))) == (aklo.__version__, {"lab", "dev"})
    assert "aklo = aklo.cli.main:main" in entry_points


def test_import_takes_the_installed_package(installed: Installed):
    script = "import aklo; from aklo.location import lab_folder; print(aklo.__file__, lab_folder(), aklo.__version__)"
    done = installed.run("python", "-c", script)
    assert done.returncode == 0, done.stderr
    assert str(ROOT) not in done.stdout and done.stdout.split()[2] == aklo.__version__
    assert done.stdout.split()[1].endswith(SITE.rstrip("/"))


def test_command_prints_its_version(installed: Installed):
    done = installed.run("aklo", "--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"aklo, version {aklo.__version__}\n", "")


def test_run_prints_the_library_s_numbers(installed: Installed):
    done = installed.run("aklo", "run", "--n-tasks", "3", "--n-examples", "8", "-R", "2", "--csv")
    want = aklo.repeat(lambda seed: aklo.syn1(n_tasks=3, n_examples=8, seed=seed), 2, lam=1e-3).table
    assert done.returncode == 0, done.stderr
    for line, (method, row) in zip(done.stdout.splitlines()[1:], want.iterrows(), strict=True):
        assert f",{method},{row['mean']}" in line


def test_sweep_and_reproduce_write_their_tables(installed: Installed):
    for command in (
        "sweep --n-tasks 3 --n-examples 8 -R 2 --reading printed --csv sweep.csv",
        "reproduce --dataset syn1 -R 2 --csv table.csv",
    ):
        done = installed.run("aklo", *command.split())
        assert done.returncode == 0, done.stderr
    for name in ("sweep.csv", "table.csv"):
        assert "AKLO Sum" in (installed.folder / name).read_text(encoding="utf-8")


def test_bench_says_that_the_tests_are_not_installed(installed: Installed):
    done = installed.run("aklo", "bench", "--quick")
    said_no(done.returncode, done.stdout, done.stderr, "tests/", "not part of the installed package")
