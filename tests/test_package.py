"""The package as a whole: what importing it loads, explicit seeds, requirements, and ruff, mypy and import-linter."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import aklo

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "docs" / "hosting" / "requirements.lock"
FILES = [path.relative_to(ROOT / "aklo") for path in (ROOT / "aklo").rglob("*.py")]
CORE = {
    ".".join(path.with_suffix("").parts): ast.parse((ROOT / "aklo" / path).read_text(encoding="utf-8"), str(path))
    for path in FILES
    if path.parts[0] != "lab" and path.name != "__init__.py"
}
RANDOM = {"default_rng", "Generator", "SeedSequence"}  # the names of np.random that take, or hold, an explicit seed


def imported(tree):
    """Yield the full name of everything that a file imports: `from aklo import tasks` gives 'aklo.tasks'."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_import_loads_no_heavy_package():
    """`import aklo` loads neither Streamlit nor Plotly, nor scikit-learn, which only the digits need."""
    script = "import sys, aklo; print(*sorted({'streamlit', 'plotly', 'sklearn', 'distributed'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.parametrize("name", CORE)
def test_random_numbers_come_from_explicit_seeds(name):
    """A core module imports no `random`, and makes no NumPy generator without a seed."""
    for word in imported(CORE[name]):
        assert word.split(".")[0] not in ("random", "secrets") and not word.startswith("numpy.random"), word
    for node in ast.walk(CORE[name]):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("np.random", "numpy.random"):
            assert node.attr in RANDOM, f"{name}.py, line {node.lineno}: {ast.unparse(node)}"
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in RANDOM:
            assert node.args, f"{name}.py, line {node.lineno}: {ast.unparse(node)} has no seed"


LAB = {
    str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8"), str(path))
    for path in [ROOT / "app.py", *(ROOT / "pages").glob("*.py"), *(ROOT / "aklo" / "lab").rglob("*.py")]
}


def bound_to(tree, package):
    """The names that a file's imports bind to a package or to something in it."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == package:
                    found.add(alias.asname or package)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == package:
            found |= {alias.asname or alias.name for alias in node.names}
    return found


def root_of(node):
    """The name that a chain such as `st.session_state["a"].b` begins with, or None."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def patches(tree, package):
    """Yield each place of a file that assigns to, or deletes, an attribute of a package's modules or classes."""
    names = bound_to(tree, package)
    for node in ast.walk(tree):
        changed = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del) and node.value
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("setattr", "delattr"):
            changed = node.args[0]
        if changed and root_of(changed) in names:
            yield f"line {node.lineno}: {ast.unparse(node)}"


def calls(tree, module, name):
    """Yield each place of a file that uses `module.name`, however it was imported."""
    names = bound_to(tree, module)
    for node in ast.walk(tree):
        used = isinstance(node, ast.Attribute) and node.attr == name and root_of(node) in names
        if isinstance(node, ast.ImportFrom):
            used = node.module == module and name in {alias.name for alias in node.names}
        if used:
            yield f"line {node.lineno}: {ast.unparse(node)}"


@pytest.mark.parametrize("path", [*LAB, *(f"aklo/{name.replace('.', '/')}.py" for name in CORE)])
def test_no_attribute_of_streamlit_is_assigned(path):
    """The lab uses Streamlit as it is: it replaces none of its functions, options or methods."""
    tree = LAB[path] if path in LAB else CORE[path.removeprefix("aklo/").removesuffix(".py").replace("/", ".")]
    assert not [*patches(tree, "streamlit")]


@pytest.mark.parametrize("path", LAB)
def test_pages_neither_sleep_nor_have_fragments(path):
    """A page is drawn whole and at once; only the server's own threads and processes wait."""
    assert not [*calls(LAB[path], "streamlit", "fragment")]
    if not path.startswith("aklo/lab/server/"):
        assert not [*calls(LAB[path], "time", "sleep")]


def test_patches_sleeps_and_fragments_are_found():
    """The two tests above see what they look for."""
    source = """
import time as clock
import streamlit as st
from streamlit import config
from streamlit.runtime import app_session as session
from time import sleep
st.button = print
config.x.y = 1
setattr(session, "a", 2)
del session.AppSession.b
st.session_state["fine"] = 3
clock.sleep(1)
@st.fragment(run_every=3)
def part(): ...
"""
    tree = ast.parse(source)
    assert [line.split(":")[0] for line in patches(tree, "streamlit")] == ["line 7", "line 8", "line 9", "line 10"]
    assert {line.split(":")[0] for line in calls(tree, "time", "sleep")} == {"line 6", "line 12"}
    assert [line.split(":")[0] for line in calls(tree, "streamlit", "fragment")] == ["line 13"]


def requirements(name):
    """The lines of a file of requirements, without comments."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return {str(Requirement(line)) for line in lines if line and not line.startswith("#")}


def test_requirement_files_are_the_package_s_own_dependencies():
    """requirements.txt is the core's and the lab's, tests/requirements.txt the extra [dev] without the lab."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert requirements("requirements.txt") == {str(Requirement(r)) for r in project["dependencies"] + extras["lab"]}
    assert requirements("tests/requirements.txt") | {"aklo[lab]"} == {str(Requirement(r)) for r in extras["dev"]}


def test_lock_file_pins_every_requirement_with_hashes():
    """Those of requirements.txt within their ranges, and what they need; no address of a registry."""
    text = LOCK.read_text(encoding="utf-8")
    entry = r"^([\w.\[\]-]+)==([\w.]+)[^\n]*\\\n((?: +--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)"
    entries = re.findall(entry, text, re.MULTILINE)
    pinned = {re.sub(r"\[.*\]", "", name): version for name, version, _ in entries}
    assert len(re.findall("^[^ #\n]", text, re.MULTILINE)) == len(entries) > 20
    assert "://" not in text and "index-url" not in text
    for requirement in map(Requirement, requirements("requirements.txt")):
        assert requirement.specifier.contains(pinned[requirement.name]), requirement


def test_public_names_exist():
    """Every name of `__all__` exists, once, and those that others rely on are among them."""
    assert all(hasattr(aklo, name) for name in aklo.__all__) and len(set(aklo.__all__)) == len(aklo.__all__)
    promised = (
        "syn1 syn2 conflict TaskStream learn mix run METHODS play Linear Constant Exponential Power Step Logistic "
        "Cosine Custom repeat choose_lambda sweep digits READINGS"
    )
    assert set(promised.split()) <= set(aklo.__all__)


def test_javascript_passes_the_linter():
    """Every name is defined and used, as .oxlintrc.json sets it."""
    oxlint = shutil.which("oxlint", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    assert oxlint, "pip install -r requirements-dev.txt"
    done = subprocess.run([oxlint, "--deny-warnings", "aklo"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and " files" in done.stdout, f"{done.stdout}\n{done.stderr}"


LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"
CHECKERS = {
    "ruff": ["-m", "ruff", "check", "."],
    "mypy": ["-m", "mypy"],
    "lint-imports": ["-c", LINT_IMPORTS, "--no-cache"],
}


@pytest.mark.parametrize("checker", CHECKERS)
def test_checkers_pass(checker):
    """Style, types and the layers of imports, as pyproject.toml configures them."""
    done = subprocess.run([sys.executable, *CHECKERS[checker]], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"{checker}:\n{done.stdout}\n{done.stderr}"
