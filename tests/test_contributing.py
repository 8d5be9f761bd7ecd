"""The recipes of CONTRIBUTING.md, each applied as it stands to a copy of the repository, and tried there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_package import CHECKERS

ROOT = Path(__file__).parents[1]
RECIPES = dict(
    re.findall(
        r"<!-- recipe: (\w+) -->\n```diff\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.DOTALL
    )
)

pytestmark = pytest.mark.thorough


def copy_with(folder: Path, *recipes: str) -> Path:
    """Copy the repository's files into a folder and apply recipes to them."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    # The copy is no repository: git must not find one around it, since it would leave out what is not in that one.
    env = os.environ | {"GIT_CEILING_DIRECTORIES": str(folder.parent)}
    for recipe in recipes:
        command = ["git", "apply", "-"]
        done = subprocess.run(command, cwd=folder, env=env, input=RECIPES[recipe], capture_output=True, text=True)
        assert done.returncode == 0, f"{recipe}: {done.stderr}"
    return folder


def run_in(folder: Path, *words: str) -> None:
    """Run Python in a copy, which it imports aklo from."""
    # mypy finds in the repository's cache what the copy has not changed.
    shared = {"MYPY_CACHE_DIR": str(ROOT / ".mypy_cache")}
    env = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"} | shared
    done = subprocess.run([sys.executable, *words], cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def test_there_is_a_recipe_for_a_schedule_a_dataset_a_page_and_a_method():
    assert set(RECIPES) == {"schedule", "dataset", "page", "method"}


@pytest.mark.parametrize("recipe", RECIPES)
def test_command_line_lab_and_exports_find_what_a_recipe_adds(recipe: str, tmp_path: Path):
    """tests/try_recipes.py says what is looked for."""
    run_in(copy_with(tmp_path, recipe), "-m", "tests.try_recipes", recipe)


def test_checkers_pass_with_all_recipes_applied(tmp_path: Path):
    folder = copy_with(tmp_path, *RECIPES)
    for checker in CHECKERS.values():
        run_in(folder, *checker)


def test_pages_work_without_groups_names_and_labelling_vectors():
    run_in(ROOT, "-m", "tests.try_plain_streams")
