"""The command `reproduce`: the paper's tables next to ours, on the screen and as files."""

from __future__ import annotations

import sys

import click

from aklo.experiment import READINGS
from aklo.paper import report
from aklo.paper.reproduction import DATASETS, LAM, POSITIVES, REPETITIONS, Outcome, Study, reproduce, study, verdict


@click.command("reproduce")
@click.option(
    "--dataset", "datasets", multiple=True, default=["syn1", "syn2"], metavar="NAME[=PATH]",
    help=f"One of {', '.join(DATASETS)}; the last three need their file, folder or .zip. Give it again for more.",
)  # fmt: skip
@click.option("-R", "--repetitions", type=click.IntRange(1, 10_000), default=REPETITIONS, help="How many repetitions.")
@click.option("--seed", type=click.IntRange(0), default=0, help="Of all that is random.")
@click.option("--lam", default=f"{LAM:g}", help="Lambda, or 'choose' for the paper's rule, dataset by dataset.")
@click.option(
    "--positives", default=f"{POSITIVES:g}",
    help="Landmine's share of +1: the paper's figures suggest 0.1; 'natural' for the file's own, 0.061.",
)  # fmt: skip
@click.option("--markdown", type=click.Path(dir_okay=False), help="Write the tables as Markdown.")
@click.option("--csv", type=click.Path(dir_okay=False), help="Write Table 1 with all digits.")
@click.option("--html", type=click.Path(dir_okay=False), help="Write a report with the figures, in one file.")
def command(datasets, repetitions, seed, lam, positives, markdown, csv, html) -> None:
    """The paper's tables, measured here in both readings, next to the paper's own."""
    fixed = None if lam == "choose" else _number("--lam", lam, 0, float("inf"))
    share = None if positives == "natural" else _number("--positives", positives, 0, 1)
    writers = [
        (path, write) for path, write in ((markdown, report.markdown), (csv, report.csv), (html, report.html)) if path
    ]
    for path, _ in writers:
        _write(path, "", "a")  # what cannot be written is refused before the work
    studies = [_study(text, share) for text in datasets]
    outcomes = []
    for studied in studies:
        label = f"{studied.dataset}, {studied.about}"
        outcomes.append(_measure(studied, repetitions, fixed, seed, label))
    used = ", ".join(f"{outcome.lam:g} on {outcome.dataset}" for outcome in outcomes)
    about = {"repetitions": repetitions, "seed": seed, "lambda": used}
    for title, how, (header, rows) in report.sections(outcomes):
        click.echo(f"\n{title}\n{how}\n")
        widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
        for row in [header, *rows]:
            click.echo("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())
    click.echo(f"\nlambda: {used}")
    for reading in READINGS:
        click.echo(verdict(outcomes, reading))
    for path, write in writers:
        _write(path, write(outcomes, about))
        click.echo(f"written: {path}", err=True)


def _study(text: str, positives: float | None) -> Study:
    name, given, path = text.partition("=")
    return study(name, path if given else None, positives=positives)


def _measure(studied: Study, n: int, lam: float | None, seed: int, label: str) -> Outcome:
    with click.progressbar(length=n, label=label, file=sys.stderr) as bar:
        return reproduce(studied, n, lam=lam, seed=seed, progress=lambda done, _: bar.update(done - bar.pos))


def _number(option: str, text: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"{option} is {text!r}, which is not a number.") from None
    if not low <= value <= high or (option == "--lam" and not 0 < value < high):
        raise ValueError(f"{option} is {text}, which is outside {low:g} to {high:g}.")
    return value


def _write(path: str, text: str, mode: str = "w") -> None:
    try:
        with open(path, mode, encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {(error.strerror or str(error)).lower()}.") from None
