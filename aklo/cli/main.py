"""The program `aklo`, also `python -m aklo`. Errors are reported in one sentence, with exit code 2."""

from __future__ import annotations

import sys
from pathlib import Path

import click

import aklo
from aklo.cli.bench import bench
from aklo.cli.grade import grade
from aklo.cli.lab import lab
from aklo.cli.options import Stopped
from aklo.cli.reproduce import reproduce
from aklo.cli.run import run
from aklo.cli.sweep import sweep
from aklo.cli.worksheets import worksheets


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    commands=[run, sweep, reproduce, bench, lab, worksheets, grade],
)
@click.version_option(aklo.__version__)
def cli() -> None:
    """AKLO: accumulating knowledge for lifelong online learning, from the command line."""


def main() -> None:
    """Run the command that `sys.argv` names, and exit with code 2 if it fails or 130 if it is interrupted."""
    as_module = Path(sys.argv[0]).name == "__main__.py"
    try:
        cli(prog_name="python -m aklo" if as_module else "aklo", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as help_text:
        click.echo(help_text.format_message())
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except Stopped as stopped:
        click.echo(stopped.format_message(), err=True)
        sys.exit(stopped.exit_code)
    except click.ClickException as error:
        click.echo(f"Error: {error.format_message()}", err=True)
        sys.exit(2)
    except click.Abort:  # what click makes of Ctrl-C
        click.echo("Stopped.", err=True)
        sys.exit(Stopped.exit_code)
    except MemoryError:
        click.echo("Error: This needs more memory than there is: ask for fewer tasks or examples.", err=True)
        sys.exit(2)
    except ValueError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
