"""`aklo sweep`: repeat the experiment on a grid of settings, on one machine or on a Dask cluster."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path

import click

import aklo
from aklo.cli.cluster import cluster
from aklo.cli.dataset import dataset_options, parse_source
from aklo.cli.options import (
    READINGS,
    CommandError,
    Stopped,
    method_options,
    parse_lambda,
    parse_schedule,
    repetition_options,
)
from aklo.knowledge import CLIPS, HORIZONS
from aklo.sweep_table import SweepTable


@click.command(short_help="Run a grid of settings, and write a table.")
@dataset_options
@click.option("--lam", "lams", type=float, multiple=True, default=[0.001], help="A number; repeat for more.")
@click.option("--alpha", "alphas", callback=parse_schedule, multiple=True, help="A schedule; repeat for more.")
@click.option(
    "--clip",
    "clips",
    type=click.Choice(CLIPS),
    multiple=True,
    help="Clip after the sum, or each expert's advice; with --alpha, both by default.",
)
@click.option(
    "--reading",
    "readings",
    type=click.Choice(list(READINGS)),
    multiple=True,
    help="A reading of the paper; without --alpha, both by default.",
)
@click.option(
    "--horizon",
    "horizons",
    type=click.Choice(HORIZONS),
    multiple=True,
    default=["known"],
    help="Whether N is known; repeat for both.",
)
@method_options
@repetition_options
@click.option(
    "--out",
    "--csv",
    "path",
    type=click.Path(dir_okay=False),
    required=True,
    help="File for the table, .csv or .parquet; if it exists, the sweep continues it.",
)
@click.option("--jobs", type=int, default=1, help="Number of processes; -1 for all cores.")
@click.option("--dask", metavar="ADDRESS", help="Address of a Dask scheduler to send the work to.")
@click.option("--send-package", is_flag=True, help="With --dask: send aklo to workers that do not have it.")
def sweep(
    dataset, lams, alphas, clips, readings, horizons, methods, repetitions, protocol, seed, path, jobs, dask,
    send_package, **keywords,
) -> None:  # fmt: skip
    """Run a grid of lambdas, schedules, clips and horizons, and write a tidy table that grows as cells finish.

    A row is one method in one repetition of one cell, so that differences can be paired.
    """
    source, description = parse_source(dataset, protocol, seed, keywords)
    for lam in lams:
        parse_lambda(lam)
    cells = aklo.grid(lams, alphas, clips or CLIPS, horizons)
    for name in readings or (() if alphas else READINGS):
        cells += aklo.grid(lams, [READINGS[name].alpha], [READINGS[name].clip], horizons)
    if not cells:
        raise CommandError("Every given schedule needs to know N, and the horizon is unknown: no cell is left.")
    if send_package and not dask:
        raise CommandError("--send-package is about the workers of a Dask cluster: give its address with --dask.")
    if jobs == 0:
        raise CommandError("--jobs is 0, where a number of processes, or -1 for all cores, is needed.")
    where = cluster(dask, send_package=send_package) if dask else nullcontext()
    with SweepTable(Path(path), description, repetitions, seed) as table:
        missing = table.missing(list(dict.fromkeys(cells)), methods)
        try:
            with where, click.progressbar(length=len(missing), label="cells", file=sys.stderr) as bar:
                for part in aklo.sweep(source, missing, n=repetitions, seed=seed, jobs=jobs, methods=methods):
                    table.append(part)
                    bar.update(len(part) // (len(methods) * repetitions))
        except KeyboardInterrupt:
            click.echo(err=True)  # ends the line of the progress bar
            raise Stopped(
                f"Stopped; {path} holds the finished cells, and the same command continues from there."
            ) from None
    click.echo(f"{len(missing)} cells computed, {len(set(cells)) - len(missing)} already there: {path}", err=True)
