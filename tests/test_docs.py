"""The documentation: it builds without warnings, loads nothing, and its commands, examples and notebooks run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
import numpy as np
import pytest
import scipy.io

from tests.notebooks import NOTEBOOKS
from tests.test_readme import block as block_of_readme

pytestmark = pytest.mark.thorough
ROOT = Path(__file__).resolve().parents[1]
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "assets" / "teachers").glob("*.md"))]  # and snippets
BLOCK = re.compile(r"(?:^<!-- (?P<mark>[^\n]*) -->\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
README_HOST = "the README's, run by tests/browser/test_hosting.py"
# Marks of commands that are not run as they stand, and the file that runs each of them.
ELSEWHERE = {
    "run by .ci/package": ROOT / ".ci" / "package",
    "run by tests/test_docs.py": Path(__file__),
}


def blocks(page: Path) -> list[dict[str, str | None]]:
    """The fenced blocks of a page, each with its kind, its text and the mark above it."""
    return [found.groupdict() for found in BLOCK.finditer(page.read_text(encoding="utf-8"))]


def commands(kind: str | None) -> list[object]:
    """The blocks of commands that have one mark, as parameters of a test."""
    found = []
    for page in PAGES:
        for block in blocks(page):
            if block["kind"] == "sh" and block["mark"] == kind:
                found.append(pytest.param(block["text"], id=f"{page.stem}: {block['text'].splitlines()[0][:40]}"))
    return found


def run(command: list[str], folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", "NO_MKDOCS_2_WARNING": "1"} | more
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, encoding="utf-8", timeout=300)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation, built by its command; a warning makes that fail."""
    folder = tmp_path_factory.mktemp("site")
    run([sys.executable, "-m", "mkdocs", "build", "--strict", "-f", ".mkdocs.yml", "-d", str(folder)], ROOT)
    return folder


def test_documentation_builds_without_warnings(site: Path):
    assert len([*site.rglob("*.html")]) > len([*(ROOT / "docs").rglob("*.md")])
    assert "http://localhost:8501/watch?" in (site / "teacher.html").read_text(encoding="utf-8")
    assert "<math" in (site / "pool.html").read_text(encoding="utf-8")
    assert "arithmatex" not in (site / "pool.html").read_text(encoding="utf-8")
    assert "aklo.TaskStream.of" in (site / "api" / "streams.html").read_text(encoding="utf-8")


def test_pages_load_nothing_from_elsewhere(site: Path):
    """No script, style sheet, font or picture has the address of another machine."""
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(
            r"<(?:script|link|img|iframe|source)\b[^>]*?(?:src|href)=\"?((?:https?:)?//[^\"\s>]+)", text
        )
        assert not loaded, f"{page.name}: {loaded}"
    for style in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)[\"' ]*(?:https?:)?//", style.read_text(encoding="utf-8")), style.name


def test_every_public_function_and_class_is_documented(site: Path):
    """Each name of `aklo.__all__` that has a docstring of its own has an entry."""
    import aklo

    text = "".join(page.read_text(encoding="utf-8") for page in (site / "api").glob("*.html"))
    named = [
        name for name in aklo.__all__ if callable(getattr(aklo, name)) and isinstance(getattr(aklo, name).__doc__, str)
    ]
    missing = [name for name in named if f'id="aklo.{name}"' not in text]
    assert not missing, f"add them to a page of docs/api: {missing}"


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the notebooks as they come out now."""
    folder = tmp_path_factory.mktemp("notebooks")
    run([sys.executable, "-m", "tests.notebooks", "--to", str(folder)], ROOT)
    return folder


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs_and_prints_what_it_shows(path: Path, executed: Path):
    """`python -m tests.notebooks` stores the outputs anew."""
    stored, fresh = nbformat.read(path, as_version=4), nbformat.read(executed / path.name, as_version=4)
    for cell, again in zip(stored.cells, fresh.cells, strict=True):
        assert shown(cell) == shown(again), cell.source


def shown(cell: nbformat.NotebookNode) -> list[str]:
    """The outputs of a cell as text."""
    return [output.get("text") or output["data"]["text/plain"] for output in cell.get("outputs", [])]


@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(b["kind"] == "python" for b in blocks(page))], ids=lambda p: p.stem
)
def test_examples_run_and_print_what_is_shown(page: Path, tmp_path: Path):
    """The examples of a page one after another; a block of text right after one is what it prints."""
    found = blocks(page)
    script = []
    for block, following in zip(found, [*found[1:], {"kind": None}], strict=True):
        if block["kind"] == "python":
            want = following["text"] if following["kind"] == "text" else None
            script.append(f"check({block['text']!r}, {want!r})")
    (tmp_path / "examples.py").write_text(RUNNER + "\n".join(script), encoding="utf-8")
    run([sys.executable, "examples.py"], tmp_path)


RUNNER = """
import io
from contextlib import redirect_stdout

names = {}

def check(code, want):
    with redirect_stdout(io.StringIO()) as out:
        exec(compile(code, "example", "exec"), names)
    assert want is None or out.getvalue() == want, f"{code}\\nprints\\n{out.getvalue()}"

"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the program `aklo`, and a small file of the form that the examples read."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, command in {"aklo": "-m aklo", "python": ""}.items():
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {command} "$@"\n')
        (programs / name).chmod(0o755)
    rng = np.random.default_rng(0)
    features, labels = np.empty((1, 29), object), np.empty((1, 29), object)
    for k in range(29):
        features[0, k] = rng.standard_normal((450, 9))
        labels[0, k] = (np.arange(450) % 15 == 0).astype(float)[:, None]
    scipy.io.savemat(tmp_path / "LandmineData.mat", {"feature": features, "label": labels})
    return tmp_path


def in_shell(text: str, folder: Path) -> None:
    """Run a block of commands; the first that fails ends it."""
    run(["bash", "-e", "-c", text], folder, PATH=f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.parametrize("text", commands(None))
def test_commands_run(text: str, folder: Path):
    in_shell(text, folder)


@pytest.mark.parametrize("text", commands("cluster"))
def test_commands_for_a_cluster_run(text: str, folder: Path):
    """On a cluster of one worker, at another port."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0") as cluster:
        assert "tcp://127.0.0.1:8786" in text
        in_shell(text.replace("tcp://127.0.0.1:8786", cluster.scheduler_address), folder)


@contextmanager
def started(text: str, folder: Path) -> Iterator[tuple[subprocess.Popen, int]]:
    """A command that serves, at a free port, without a browser."""
    from tests.browser.conftest import free_port

    port = free_port()
    (command,) = [line.split(" #")[0].split() for line in text.splitlines()]
    assert command[:2] == ["aklo", "lab"]
    env = os.environ | {"PYTHONPATH": str(ROOT), "STREAMLIT_SERVER_HEADLESS": "true"}
    words = [sys.executable, "-m", "aklo", *command[1:], "--port", str(port)]
    with (folder / "log.txt").open("w") as log:
        process = subprocess.Popen(words, cwd=folder, env=env, stdout=log, stderr=subprocess.STDOUT)
    try:
        yield process, port
    finally:
        process.terminate()
        process.wait(30)


@pytest.mark.parametrize(
    "text", [pytest.param(t, id=t.strip()) for t in sorted({p.values[0] for p in commands("server")})]
)
def test_commands_that_serve_start_the_lab(text: str, folder: Path):
    with started(text.replace("0.0.0.0", "127.0.0.1"), folder) as (process, port):
        for _ in range(600):
            assert process.poll() is None, (folder / "log.txt").read_text()
            try:
                assert urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5).status == 200
                return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        pytest.fail((folder / "log.txt").read_text())


def test_commands_that_are_run_elsewhere_are_there():
    """What a mark says is so: each line of the block is a line of that file, in its words."""
    marks = {block["mark"] for page in PAGES for block in blocks(page) if block["kind"] == "sh"}
    assert marks <= {None, "server", "cluster", README_HOST, *ELSEWHERE}
    assert [parameter.values[0] for parameter in commands(README_HOST)] == [block_of_readme("host")]
    for mark, path in ELSEWHERE.items():
        words = re.sub(r"\"\$root/|[\"',\[\]]", "", path.read_text(encoding="utf-8"))
        for parameter in commands(mark):
            for line in parameter.values[0].splitlines():
                command = (
                    re.sub(r"[\"\[\]]", "", line.split(" #")[0]).strip().removeprefix("pip ").removeprefix("python ")
                )
                assert command in words, f"{line!r} is not in {path.name}"
