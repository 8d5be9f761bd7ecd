"""`aklo reproduce`: measure the paper's tables again and print them next to the paper's own."""

from __future__ import annotations

import sys

import click

from aklo.cli.options import check_writable, parse_lambda, write
from aklo.experiment import READINGS
from aklo.paper import report, reproduction
from aklo.paper.notes import notes, verdict
from aklo.paper.reproduction import DATASETS, LAM, POSITIVES, REPETITIONS, Outcome, Study, study


@click.command(short_help="Measure the paper's tables next to its own.")
@click.option(
    "--dataset", "datasets", multiple=True, default=["syn1", "syn2"], metavar="NAME[=PATH]",
    help=f"One of {', '.join(DATASETS)}; the last three need their file, folder or .zip. Repeat for more.",
)  # fmt: skip
@click.option("-R", "--repetitions", type=click.IntRange(1, 10_000), default=REPETITIONS, help="Number of repetitions.")
@click.option("--seed", type=click.IntRange(0), default=0, help="Seed of all random numbers.")
@click.option("--lam", default=f"{LAM:g}", help="Lambda, or 'choose' for the paper's rule, dataset by dataset.")
@click.option(
    "--positives", default=f"{POSITIVES:g}",
    help="Landmine's share of +1: the paper's figures suggest 0.1; 'natural' for the file's own, 0.061.",
)  # fmt: skip
@click.option(
    "--bias/--no-bias", default=None,
    help="Append a column of ones to the real datasets; by default to Landmine alone. Published code does for Shoes.",
)  # fmt: skip
@click.option("--markdown", type=click.Path(dir_okay=False), help="Write the tables as Markdown.")
@click.option("--csv", type=click.Path(dir_okay=False), help="Write Table 1 with all digits.")
@click.option("--latex", type=click.Path(dir_okay=False), help="Write the tables for LaTeX.")
@click.option("--html", type=click.Path(dir_okay=False), help="Write a report with the figures, in one file.")
def reproduce(datasets, repetitions, seed, lam, positives, bias, markdown, csv, latex, html) -> None:
    """Measure the paper's tables in both readings, next to the paper's own numbers."""
    fixed_lam = parse_lambda(lam)
    share = None if positives == "natural" else _parse_share(positives)
    renderers = ((markdown, report.markdown), (csv, report.csv), (latex, report.latex), (html, report.html))
    writers = [(path, render) for path, render in renderers if path]
    for path, _ in writers:
        check_writable(path)
    studies = [_parse_study(text, share, bias) for text in datasets]
    outcomes = [_measure(studied, repetitions, fixed_lam, seed) for studied in studies]
    lambdas = ", ".join(f"{outcome.lam:g} on {outcome.dataset}" for outcome in outcomes)
    data = "; ".join(f"{outcome.dataset}: {outcome.about}" for outcome in outcomes)
    about = {"repetitions": repetitions, "seed": seed, "lambda": lambdas, "data": data}
    for title, how, (header, rows) in report.sections(outcomes):
        click.echo(f"\n{title}\n{how}\n")
        widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
        for row in [header, *rows]:
            click.echo("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())
    click.echo(f"\nlambda: {lambdas}\ndata: {data}")
    for reading in READINGS:
        click.echo(verdict(outcomes, reading))
    for note in notes(outcomes):
        click.echo(note)
    for path, render in writers:
        write(path, render(outcomes, about))
        click.echo(f"written: {path}", err=True)


def _parse_study(text: str, positives: float | None, bias: bool | None) -> Study:
    """Parse NAME[=PATH]."""
    name, separator, path = text.partition("=")
    return study(name, path if separator else None, positives=positives, bias=bias)


def _measure(studied: Study, n: int, lam: float | None, seed: int) -> Outcome:
    """Measure one dataset under a progress bar."""
    with click.progressbar(length=n, label=f"{studied.dataset}, {studied.about}", file=sys.stderr) as bar:
        return reproduction.reproduce(
            studied, n, lam=lam, seed=seed, progress=lambda done, _: bar.update(done - bar.pos)
        )


def _parse_share(text: str) -> float:
    """Parse --positives: a number from 0 to 1."""
    try:
        share = float(text)
    except ValueError:
        raise ValueError(f"--positives is {text!r}, which is neither a number nor 'natural'.") from None
    if not 0 <= share <= 1:
        raise ValueError(f"--positives is {text}, which is outside 0 to 1.")
    return share
