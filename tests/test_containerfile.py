"""docs/hosting/Containerfile, followed line by line without a container: its files, its commands, and its lab."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import coroutines
from tests.benchmarks.visitors import Visitor
from tests.browser.conftest import ROOT, free_port

pytestmark = pytest.mark.thorough
FILE = ROOT / "docs" / "hosting" / "Containerfile"
PORT = "8501"


def instructions() -> list[tuple[str, str]]:
    """The lines of the file as pairs (instruction, rest)."""
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def all_of(instruction: str) -> list[str]:
    return [rest for word, rest in instructions() if word == instruction]


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """A folder that holds what is copied, but for what .containerignore leaves out."""
    for source, target in map(str.split, all_of("COPY")):
        assert (ROOT / source).exists(), source
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, tmp_path / target, ignore=shutil.ignore_patterns("__pycache__", "pictures"))
        else:
            (tmp_path / target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / source, tmp_path / target)
    return tmp_path


def test_ignored_files_are_not_copied():
    kept = {line[1:] for line in (ROOT / ".containerignore").read_text().splitlines() if line.startswith("!")}
    assert kept == {line.split()[0] for line in all_of("COPY")}


def test_only_known_instructions_are_used():
    """All of them are followed below, or say nothing that could fail here."""
    known = {"FROM", "WORKDIR", "COPY", "RUN", "USER", "ENV", "EXPOSE", "HEALTHCHECK", "CMD"}
    assert {word for word, _ in instructions()} == known
    assert all_of("EXPOSE") == [PORT]


def test_commands_run_and_the_lab_is_served(image: Path):
    install, *others = all_of("RUN")
    package = (ROOT / ".ci" / "package").read_text(encoding="utf-8")
    assert install.removeprefix("pip ") in package.replace('"$root/', "").replace('"', "")  # which has the network
    for command in others:
        done = subprocess.run(as_here(shlex.split(command)), cwd=image, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}\n{done.stderr}"

    port = free_port()
    given = dict(word.split("=", 1) for line in all_of("ENV") for word in line.split())
    assert given["STREAMLIT_SERVER_ADDRESS"] == "0.0.0.0"
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "STREAMLIT"))}
    env = kept | given | {"STREAMLIT_SERVER_ADDRESS": "127.0.0.1", "STREAMLIT_SERVER_PORT": str(port)}
    (start,) = map(json.loads, all_of("CMD"))
    (health,) = (json.loads(line.removeprefix("CMD ")) for line in all_of("HEALTHCHECK"))
    assert f":{PORT}/" in health[-1]
    health[-1] = health[-1].replace(f":{PORT}/", f":{port}/")
    with (image / "log.txt").open("w") as log:
        lab = subprocess.Popen(as_here(start), cwd=image, env=env, stdout=log, stderr=subprocess.STDOUT)
    try:
        until = time.monotonic() + 60
        while subprocess.run(as_here(health), capture_output=True, check=False).returncode:
            assert lab.poll() is None and time.monotonic() < until, (image / "log.txt").read_text()
        coroutines.run(visit(port))
    finally:
        lab.terminate()
        lab.wait(30)
    assert "Traceback" not in (image / "log.txt").read_text()


def as_here(words: list[str]) -> list[str]:
    """A command with this Python's programs."""
    return [sys.executable, *words[1:]] if words[0] == "python" else [sys.executable, "-m", *words]


async def visit(port: int) -> None:
    """Come to a page, with its components, and to one that reads the assets."""
    for page, query in (("watch", "T=6&N=20&t=3"), ("lessons", "")):
        visitor = await Visitor.arrive(port, page, query)
        await visitor.leave()
