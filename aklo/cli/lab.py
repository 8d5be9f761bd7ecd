"""`aklo lab`: open the lab in a browser."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click

from aklo.cli.options import CommandError, check_packages
from aklo.location import lab_folder
from aklo.rules.files import RULES_VARIABLE, load_rules


@click.command(short_help="Open the lab in a browser.", context_settings={"ignore_unknown_options": True})
@click.option("--port", type=click.IntRange(1, 65535), help="Port of the lab; 8501 or the next free one by default.")
@click.option("--address", help="Address to listen on, such as 0.0.0.0 for all of this machine's.")
@click.option("--no-browser", is_flag=True, help="Open no browser window.")
@click.option(
    "--rules", type=click.Path(), multiple=True, help="A Python file with rules of your own, to be challengers."
)
@click.argument("streamlit_options", nargs=-1, type=click.UNPROCESSED)
def lab(
    port: int | None, address: str | None, no_browser: bool, rules: tuple[str, ...], streamlit_options: tuple[str, ...]
) -> None:
    """Open the lab in a browser; other options, such as --server.maxUploadSize 10, are passed on to Streamlit."""
    check_packages()
    folder = lab_folder()
    if not (folder / "app.py").is_file():
        raise CommandError(f"The lab's app.py is not in {folder}: install aklo again.")
    for path in rules:
        load_rules(path)  # a bad file is refused now, rather than when the first page is opened
    if rules:
        os.environ[RULES_VARIABLE] = os.pathsep.join(str(Path(path).resolve()) for path in rules)
    named = {"port": port, "address": address, "headless": "true" if no_browser else None}
    options = [word for name, value in named.items() if value is not None for word in (f"--server.{name}", str(value))]
    os.chdir(folder)  # Streamlit reads .streamlit/config.toml from the working directory
    command = [sys.executable, "-m", "streamlit", "run", "app.py", *options, *streamlit_options]
    if os.name == "posix":
        os.execv(sys.executable, command)  # Streamlit takes this process's place, so that signals reach it
    sys.exit(subprocess.call(command))
