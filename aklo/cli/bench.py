"""`aklo bench`: measure the speed of the core."""

from __future__ import annotations

import click

from aklo.cli.options import CommandError


@click.command(short_help="Measure the speed of the core.")
@click.option(
    "--quick", is_flag=True, help="Small streams, once each: seconds instead of minutes, for a rough impression."
)
def bench(quick: bool) -> None:
    """Measure the core's speed relative to a literal reference implementation, and to the least possible work."""
    try:
        from tests.benchmarks import core
    except ModuleNotFoundError as error:
        missing = error.name or "a package"
        if missing.split(".")[0] != "tests":
            raise CommandError(
                f"The benchmark needs {missing}, which `pip install -r requirements-dev.txt` installs."
            ) from None
        raise CommandError(
            "The benchmark compares with the literal reference in tests/, which is not part of the installed package: "
            "run `python -m aklo bench` in the project's folder."
        ) from None
    core.main(core.QUICK if quick else core.FULL)
