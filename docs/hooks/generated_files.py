"""A hook of mkdocs that adds the lab's pictures, and a page for each notebook with its outputs."""

from __future__ import annotations

from pathlib import Path

import nbformat
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from nbformat import NotebookNode

ASSETS = Path(__file__).parents[2] / "assets"


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the lab's icon and pictures, and a page beside each notebook, which can be downloaded as well."""
    for path in (ASSETS / "icon.svg", *sorted((ASSETS / "pictures").iterdir())):
        files.append(File.generated(config, f"pictures/{path.name}", abs_src_path=str(path)))
    for notebook in [file for file in files if file.src_uri.endswith(".ipynb")]:
        content = markdown(Path(str(notebook.abs_src_path)))
        files.append(File.generated(config, notebook.src_uri.removesuffix(".ipynb") + ".md", content=content))
    return files


def markdown(path: Path) -> str:
    """Return a notebook as Markdown."""
    cells = nbformat.read(path, as_version=4).cells
    text = [cells[0].source, f"[Download this notebook]({path.name}), and run it where `aklo` is installed."]
    for cell in cells[1:]:
        if cell.cell_type == "markdown":
            text.append(cell.source)
        else:
            text += [f"```python\n{cell.source}\n```", *map(_output, cell.outputs)]
    return "\n\n".join(text) + "\n"


def _output(output: NotebookNode) -> str:
    """Return one output of a cell: a table or a picture as HTML if there is one, else its text."""
    shown = output.get("data", {})
    for kind in ("image/svg+xml", "text/html"):
        if kind in shown:
            lines = [line for line in shown[kind].splitlines() if line.strip()]  # an empty line would end the HTML
            return '<div class="output">\n' + "\n".join(lines) + "\n</div>"
    text = output.text if output.output_type == "stream" else shown["text/plain"]
    return f"```text\n{text.rstrip()}\n```"
