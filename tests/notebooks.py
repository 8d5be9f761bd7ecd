"""Run the notebooks of the documentation: `python -m tests.notebooks` stores their outputs anew.

With `--to FOLDER` the notebooks stay as they are, and those with the new outputs are written there.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import nbformat
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def executed(path: Path) -> nbformat.NotebookNode:
    """Return a notebook with the outputs that it has now; it talks to its kernel by files, not by ports."""
    notebook = nbformat.read(path, as_version=4)
    manager = KernelManager(kernel_name="python3", transport="ipc")
    client = NotebookClient(notebook, km=manager, timeout=300, store_widget_state=False)
    client.execute(cwd=str(ROOT), env=os.environ | {"PYTHONPATH": str(ROOT)})
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # times, which are different in each run
    return notebook


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path)
    folder = parser.parse_args().to
    for path in NOTEBOOKS:
        nbformat.write(executed(path), path if folder is None else folder / path.name)
