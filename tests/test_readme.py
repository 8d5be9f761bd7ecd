"""The README's promises: its example prints what it says, and its commands are what the project has."""

import importlib.util
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from aklo.readers.examples import fields_mat
from tests.test_cli import cli

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(marker: str) -> str:
    """The fenced block that follows a marker."""
    return re.search(rf"<!-- {marker} -->\n```\w+\n(.*?)```", README, re.DOTALL).group(1)


def test_example_prints_the_output_shown():
    command = [sys.executable, "-c", block("example")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == block("output")
    assert len([line for line in block("example").splitlines() if line.strip()]) <= 10


def test_every_option_shown_exists():
    for line in re.findall(r"^python -m aklo (.*?)(?:  #.*)?$", README, re.MULTILINE):
        if line.split()[0].isupper():
            continue
        command, *words = line.split()
        code, shown, _ = cli(command, "--help")
        assert code == 0
        for word in words:
            if word.startswith("-"):
                assert re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", shown), f"{word} in: {line}"


@pytest.mark.thorough
def test_commands_shown_run(tmp_path, monkeypatch):
    """Each, with few and short tasks; test_docs.py runs those for a class, a cluster and a server."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "LandmineData.mat").write_bytes(fields_mat())
    lines = [line.partition("  #")[0] for line in block("commands").splitlines()]
    ran = [shlex.split(line)[3:] for line in lines if not re.search(r"--dask|aklo (grade|lab)", line)]
    assert {words[0] for words in ran} == {"run", "sweep", "reproduce", "bench"}
    few = ["-R", "2", "--n-tasks", "4", "--n-examples", "12"]
    for words in ran:
        small = {"reproduce": ["-R", "2"], "bench": ["--quick"]}.get(words[0], few)
        code, out, err = cli(*words, *small)
        assert code == 0, f"{words}: {err}"
        assert "AKLO Sum" in out or words[0] == "sweep" or "with One pool" in out
    assert "AKLO Sum" in (tmp_path / "sweep.csv").read_text() and "AKLO Sum" in (tmp_path / "report.html").read_text()


def test_every_measure_and_tool_named_is_a_module():
    """They measure, or make files: too long for a test, and .ci/run looks at one of them."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    named = {name for page in pages for name in re.findall(r"python -m (tests\.[\w.]*\w)", page.read_text("utf-8"))}
    assert len(named) > 5
    for name in named:
        assert importlib.util.find_spec(name) is not None, name


def test_files_of_the_hosting_section_exist_and_agree():
    section = README.partition("## On a server")[2].partition("\n## ")[0]
    files = re.findall(r"`((?:docs|assets|tests)/[\w./-]+)`", section)
    assert len(files) >= 4 and all((ROOT / file).is_file() for file in files)
    site = (ROOT / "docs/hosting/site.conf").read_text(encoding="utf-8")
    parts = re.findall(r'set \$policy "(?:\$policy )?(.*)";', site)
    policy = " ".join((ROOT / "assets/content-security-policy.txt").read_text(encoding="utf-8").split())
    assert " ".join([*parts, "frame-ancestors 'self'"]) == policy
    limit = int(re.search(r"client_max_body_size (\d+)m;", site).group(1))
    config = (ROOT / ".streamlit/config.toml").read_text(encoding="utf-8")
    assert limit > int(re.search(r"^maxUploadSize = (\d+)", config, re.M).group(1))
