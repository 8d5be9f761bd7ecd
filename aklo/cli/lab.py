"""`aklo lab`: open the lab in a browser."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click

import aklo
from aklo.cli.options import CommandError


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("streamlit_options", nargs=-1, type=click.UNPROCESSED)
def lab(streamlit_options: tuple[str, ...]) -> None:
    """Open the lab in a browser; options such as --server.port 8600 are passed on to Streamlit."""
    folder = source_folder()
    if folder is None:
        raise CommandError(
            "The lab's pages are not part of the installed package: get the source code, and run `aklo lab` in its "
            "folder."
        )
    os.chdir(folder)  # Streamlit reads .streamlit/config.toml from the working directory
    command = [sys.executable, "-m", "streamlit", "run", "app.py", *streamlit_options]
    if os.name == "posix":
        os.execv(sys.executable, command)  # Streamlit takes this process's place, so that signals reach it
    sys.exit(subprocess.call(command))


def source_folder() -> Path | None:
    """Return the folder of the source code: the one that `aklo` was imported from, else the working directory.

    Returns None if neither of them holds the lab's app.py and its pages.
    """
    folders = [Path(aklo.__file__).parents[1], Path.cwd()]
    return next((f for f in folders if (f / "app.py").is_file() and (f / "pages" / "watch.py").is_file()), None)
