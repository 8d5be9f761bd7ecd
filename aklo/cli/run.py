"""`aklo run`: repeat one experiment and print each method's mean error."""

from __future__ import annotations

import json
import sys
from typing import Any

import click
import pandas as pd

import aklo
from aklo import latex
from aklo.cli.dataset import dataset_options, parse_source
from aklo.cli.options import (
    READINGS,
    CommandError,
    check_writable,
    method_options,
    parse_lambda,
    parse_schedule,
    repetition_options,
    write,
)
from aklo.knowledge import CLIPS, HORIZONS
from aklo.methods import check_mixing
from aklo.repeats import Repeats
from aklo.sources import what_varies


@click.command(short_help="Run one dataset: a table of errors.")
@dataset_options
@click.option("--lam", default="0.001", help="Lambda, or 'choose' for the paper's rule.")
@click.option(
    "--reading",
    type=click.Choice(list(READINGS)),
    default="printed",
    help="Reading of the paper that sets alpha and the clip.",
)
@click.option("--alpha", callback=parse_schedule, help="A schedule such as linear:end=0.5 or power:k=0.5.")
@click.option("--clip", type=click.Choice(CLIPS), help="Clip after the sum, or each expert's advice.")
@click.option("--horizon", type=click.Choice(HORIZONS), default="known", help="Whether N is known.")
@method_options
@repetition_options
@click.option(
    "--json",
    "as_json",
    is_flag=False,
    flag_value="-",
    metavar="[FILE]",
    help="Write JSON (to the screen without FILE).",
)
@click.option(
    "--csv", "as_csv", is_flag=False, flag_value="-", metavar="[FILE]", help="Write CSV (to the screen without FILE)."
)
@click.option(
    "--latex", "as_latex", is_flag=False, flag_value="-", metavar="[FILE]",
    help="Write a table for LaTeX (to the screen without FILE).",
)  # fmt: skip
def run(
    dataset, lam, reading, alpha, clip, horizon, methods, repetitions, protocol, seed, as_json, as_csv, as_latex,
    **keywords,
) -> None:  # fmt: skip
    """Run one dataset with one schedule: a table of the methods' errors with standard deviations."""
    source, description = parse_source(dataset, protocol, seed, keywords)
    alpha, clip = alpha or READINGS[reading].alpha, clip or READINGS[reading].clip
    check_mixing(alpha, clip, horizon)
    lam = parse_lambda(lam)
    if lam is None:
        lam = aklo.choose_lambda(source, seed=seed).lam
    outputs = (as_json, as_csv, as_latex)
    if outputs.count("-") > 1:
        raise CommandError("Only one of --json, --csv and --latex can go to the screen: give the others a file.")
    for path in outputs:
        check_writable(path)
    with click.progressbar(length=repetitions, label="repetitions", file=sys.stderr) as bar:
        result = aklo.repeat(
            source, repetitions, lam=lam, alpha=alpha, clip=clip, horizon=horizon, seed=seed, methods=methods,
            progress=lambda done, _: bar.update(done - bar.pos),
        )  # fmt: skip
    settings = {
        "dataset": description, "lambda": lam, "alpha": alpha.spec, "clip": clip, "horizon": horizon,
        "repetitions": repetitions, "seed": seed,
    }  # fmt: skip
    if as_json:
        write(as_json, _json(settings, result))
    if as_csv:
        rows = result.table.rename_axis("method").reset_index()
        write(as_csv, pd.concat([pd.DataFrame([settings] * len(rows)), rows], axis=1).to_csv(index=False))
    about = ", ".join(f"{name} {value}" for name, value in settings.items())
    if as_latex:
        write(as_latex, _latex(about, result))
    if "-" not in outputs:
        click.echo(about)
        width = max(13, max(map(len, methods)) + 2)
        click.echo(f"{'method':<{width}}{'ACE %':>8}{'±':>8}")
        for method, mean, std in (100 * result.table).itertuples():
            click.echo(f"{method:<{width}}{mean:>8.2f}{'' if pd.isna(std) else f'{std:.2f}':>8}")
        if repetitions > 1:
            click.echo(what_varies(source), err=True)


def _json(settings: dict[str, Any], result: Repeats) -> str:
    """Return settings, errors and paired differences as JSON, with null in place of NaN."""
    ace = {method: _without_nan(row.to_dict()) for method, row in result.table.iterrows()}
    differences = [_without_nan(row) for row in result.differences().to_dict("records")]
    return json.dumps({**settings, "ace": ace, "differences": differences}, indent=2) + "\n"


def _latex(about: str, result: Repeats) -> str:
    """Return the errors as a table for LaTeX."""
    rows = [
        [method, f"{mean:.1f}" if pd.isna(std) else f"{mean:.1f} ± {std:.1f}"]
        for method, mean, std in (100 * result.table).itertuples()
    ]
    caption = "Average cumulative error in percent, mean ± standard deviation"
    return latex.table(["method", "ACE %"], rows, caption=f"{caption}: {about}.")


def _without_nan(row: dict[Any, Any]) -> dict[Any, Any]:
    return {name: None if isinstance(value, float) and pd.isna(value) else value for name, value in row.items()}
