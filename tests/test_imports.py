"""Pages that are opened at the same moment, in a server that has just started.

Streamlit runs each page in a thread of its own. A thread that imports `aklo.lab` while another is still importing
`aklo` does not wait for it, because Python finds the package in `sys.modules`; each may then wait for a module of the
other, and Python gives one of them a module that is half imported. `import aklo` by itself does wait. So it stands
first in every page.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]
AT_ONCE = """
import ast, sys, threading
import numpy, pandas, plotly, scipy, sklearn, streamlit

sys.setswitchinterval(1e-6)
pages, wrong = sys.argv[1:], []
start = threading.Barrier(len(pages))


def load(path):
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    tree.body = [one for one in tree.body if isinstance(one, ast.Import | ast.ImportFrom)]
    start.wait()
    try:
        exec(compile(tree, path, "exec"), {})
    except Exception as error:
        wrong.append(f"{path}: {error!r}")


threads = [threading.Thread(target=load, args=[page]) for page in pages]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.exit("\\n".join(wrong) or 0)
"""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_imports_the_whole_package_before_its_modules(page):
    tree = ast.parse(page.read_text())
    names = [
        alias.name if isinstance(node, ast.Import) else node.module
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    ]
    ours = [name for name in names if name == "aklo" or name.startswith("aklo.")]
    assert ours[0] == "aklo"


def test_pages_can_be_imported_at_the_same_moment():
    found = subprocess.run(
        [sys.executable, "-c", AT_ONCE, *map(str, PAGES)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr
