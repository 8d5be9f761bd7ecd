"""The house: what imports what, no chance but by a seed, and the checkers' word."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import aklo

ROOT = Path(__file__).parents[1]
# Data runs one way: a file imports only from files above it in this list. A new file takes its place in it.
ORDER = [
    "tasks", "readers.collection", "readers.archive", "readers.mat", "readers.text", "readers.csv_table",
    "readers.csv", "readers.examples", "datasets", "learner", "knowledge", "schedules", "methods", "replay",
    "theory.hindsight", "theory.bounds", "theory.mended", "theory.counterexamples", "experiment", "world",
    "repetition", "transfer", "sweeps", "sweeptable", "paper.reproduction", "paper.conventions", "paper.svg",
    "paper.report", "reproduce_cli", "__main__",
]  # fmt: skip
FILES = [path.relative_to(ROOT / "aklo") for path in (ROOT / "aklo").rglob("*.py")]
CORE = {
    ".".join(path.with_suffix("").parts): ast.parse((ROOT / "aklo" / path).read_text(encoding="utf-8"), str(path))
    for path in FILES
    if path.parts[0] != "lab" and path.name != "__init__.py"
}
RANDOM = {"default_rng", "Generator", "SeedSequence"}  # what makes, or is, an explicit source of chance


def imported(tree):
    """Every name that a file imports from, as dotted words: `from aklo import tasks` gives 'aklo.tasks'."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_a_fresh_import_is_light():
    """`import aklo` brings neither Streamlit nor Plotly, nor scikit-learn, which only the digits need."""
    script = "import sys, aklo; print(*sorted({'streamlit', 'plotly', 'sklearn', 'distributed'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_core_knows_no_streamlit():
    """Nor Plotly, nor the lab, nor the tests; but the benchmark, which says so when they are missing."""
    for name, tree in CORE.items():
        roots = {word.split(".")[0] for word in imported(tree)}
        assert not roots & {"streamlit", "plotly"}, name
        assert "tests" not in roots or name == "__main__", name
        assert not any(word.startswith("aklo.lab") for word in imported(tree)), name


def test_every_file_has_its_place():
    """No more files than the list has, and no fewer."""
    assert sorted(CORE) == sorted(ORDER)


@pytest.mark.parametrize("name", ORDER)
def test_files_import_only_from_above(name):
    """The command line alone may take the package as a whole: it is below all of it."""
    for word in imported(CORE[name]):
        if word == "aklo":
            assert name == "__main__"
        elif word.startswith("aklo."):
            above = ORDER[: ORDER.index(name)]
            assert any(f"{word}.".startswith(f"aklo.{module}.") for module in above), f"{name}: {word} is not above it"


@pytest.mark.parametrize("name", CORE)
def test_chance_comes_only_from_seeds(name):
    """No `random`, nothing of np.random but what takes an explicit seed, and no generator made without one."""
    for word in imported(CORE[name]):
        assert word.split(".")[0] not in ("random", "secrets") and not word.startswith("numpy.random"), word
    for node in ast.walk(CORE[name]):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("np.random", "numpy.random"):
            assert node.attr in RANDOM, f"{name}.py, line {node.lineno}: {ast.unparse(node)}"
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in RANDOM:
            assert node.args, f"{name}.py, line {node.lineno}: {ast.unparse(node)} has no seed"


def test_the_public_names():
    """All that the contract promises is there, and what is offered is there."""
    assert all(hasattr(aklo, name) for name in aklo.__all__) and len(set(aklo.__all__)) == len(aklo.__all__)
    promised = (
        "syn1 syn2 conflict TaskStream learn mix run METHODS play Linear Constant Exponential Power Step Logistic "
        "Cosine Custom repeat choose_lambda sweep digits READINGS"
    )
    assert set(promised.split()) <= set(aklo.__all__)


def test_the_javascript_passes_the_linter():
    """Every name is defined and used, as .oxlintrc.json sets it."""
    oxlint = shutil.which("oxlint", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    assert oxlint, "pip install -r requirements-dev.txt"
    done = subprocess.run([oxlint, "--deny-warnings", "aklo"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and " files" in done.stdout, f"{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("checker", ["ruff check .", "mypy"])
def test_the_checkers_are_content(checker):
    """Lint and types, as pyproject.toml sets them."""
    done = subprocess.run([sys.executable, "-m", *checker.split()], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"{checker}:\n{done.stdout}\n{done.stderr}"
