"""`aklo bench`: measure the speed of the core."""

from __future__ import annotations

import click

from aklo.cli.options import CommandError


@click.command()
@click.option("--quick", is_flag=True, help="Fewer rounds, for a rough impression.")
def bench(quick: bool) -> None:
    """Measure the core's speed relative to a literal reference implementation, and to the least possible work."""
    try:
        from tests.benchmarks import core
    except ModuleNotFoundError:
        raise CommandError(
            "The benchmark compares with the literal reference in tests/: run it from the project's folder."
        ) from None
    core.main(rounds=2 if quick else 7)
