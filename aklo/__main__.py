"""The command line, `python -m aklo`: run, sweep, reproduce, bench. Errors are one sentence and exit code 2."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import click
import pandas as pd

import aklo
from aklo.datasets import GENERATORS
from aklo.knowledge import CLIPS, HORIZONS
from aklo.methods import check_mixing
from aklo.repetition import Source
from aklo.reproduce_cli import command as reproduce
from aklo.sweeptable import SweepTable
from aklo.tasks import ORDERS

READINGS = {name.removeprefix("as "): reading for name, reading in aklo.READINGS.items()}

HELP = {
    "n_tasks": "Number of tasks.",
    "n_examples": "Examples in a task.",
    "mean1": "Where D1's examples lie.",
    "mean2": "Where D2's examples lie.",
    "vector1": "D1's labelling vector, before e is added.",
    "vector2": "D2's labelling vector, before e is added.",
    "mean": "Where the examples lie.",
    "vector": "D1's labelling vector, before e is added.",
    "spread": "Standard deviation of the examples.",
    "sd": "Standard deviation of e, which moves each task's vector.",
    "share": "Share of the tasks that are D2, 0 to 1.",
    "order": "How D1 and D2 follow each other.",
    "angle": "Degrees between D1's and D2's vectors.",
    "bias": "Whether to add a column of ones.",
}


class Refusal(click.ClickException):
    """Something that cannot be done, said in one sentence."""

    exit_code = 2


@click.group(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
def cli() -> None:
    """AKLO: accumulating knowledge for lifelong online learning, from the command line."""


# ------------------------------------------------------------------------------------- options that commands share


def schedule(ctx: click.Context, option: click.Parameter, value: Any) -> Any:
    """--alpha, read and tried out, so that a rising schedule is refused before any work."""
    several = isinstance(value, tuple)
    found = tuple(aklo.Schedule.parse(text) for text in (value if several else [value] if value else []))
    for one in found:
        one.values(100)
    return found if several else (found[0] if found else None)


def dataset_options(command: Callable) -> Callable:
    """--dataset, and one option for each keyword that any of the generators takes."""
    for name, (default, owners) in reversed(_keywords().items()):
        kind: dict[str, Any] = {"type": type(default)}
        if isinstance(default, bool):
            kind = {"type": bool}
        elif isinstance(default, tuple):
            kind = {"type": float, "nargs": len(default)}
        elif name == "order":
            kind = {"type": click.Choice(ORDERS)}
        note = "" if len(owners) == len(GENERATORS) else f" ({', '.join(owners)})"
        flag = "--" + name.replace("_", "-")
        command = click.option(flag, name, default=None, help=HELP.get(name, name) + note, **kind)(command)
    return click.option("--dataset", type=click.Choice(list(GENERATORS)), default="syn1", help="What to run on.")(
        command
    )


def _keywords() -> dict[str, tuple[Any, list[str]]]:
    """Keyword -> (default, the datasets that take it), over all generators; the seed has an option of its own."""
    found: dict[str, tuple[Any, list[str]]] = {}
    for dataset, generator in GENERATORS.items():
        for name, parameter in inspect.signature(generator).parameters.items():
            if name != "seed":
                found.setdefault(name, (parameter.default, []))[1].append(dataset)
    return found


def repetition_options(command: Callable) -> Callable:
    for option in (
        click.option("--seed", type=click.IntRange(0), default=0, help="Of all that is random."),
        click.option(
            "--protocol",
            type=click.Choice(["fresh", "shuffled"]),
            default="fresh",
            help="Fresh data each time, or one stream in new orders.",
        ),
        click.option("-R", "--repetitions", type=click.IntRange(1, 10_000), default=10, help="How many repetitions."),
    ):
        command = option(command)
    return command


def read_source(dataset: str, protocol: str, seed: int, keywords: dict[str, Any]) -> tuple[Source, str]:
    """What to repeat, and the same as a word for tables."""
    # In the order of the signature, not of the command line: the same data is the same word.
    given = {name: keywords[name] for name in _keywords() if keywords[name] is not None}
    taken = inspect.signature(GENERATORS[dataset]).parameters
    for name in given:
        if name not in taken:
            raise Refusal(f"--{name.replace('_', '-')} is not an option of {dataset}.")
    make = partial(GENERATORS[dataset], **given)
    stream = make(seed=seed)  # made in any case, so that a bad value is refused before any work
    word = dataset + "".join(f" {name}={value}" for name, value in given.items() if value != taken[name].default)
    return (stream, f"{word} shuffled") if protocol == "shuffled" else (make, word)


# --------------------------------------------------------------------------------------------------------- commands


@cli.command()
@dataset_options
@click.option("--lam", default="0.001", help="Lambda, or 'choose' for the paper's rule.")
@click.option(
    "--reading",
    type=click.Choice(list(READINGS)),
    default="printed",
    help="Which reading of the paper sets alpha and the clip.",
)
@click.option("--alpha", callback=schedule, help="A schedule such as linear:end=0.5 or power:k=0.5.")
@click.option("--clip", type=click.Choice(CLIPS), help="Where the clip stands.")
@click.option("--horizon", type=click.Choice(HORIZONS), default="known", help="Whether N is known.")
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
def run(dataset, lam, reading, alpha, clip, horizon, repetitions, protocol, seed, as_json, as_csv, **keywords) -> None:
    """One dataset, one schedule: a table of the six methods with ±."""
    source, word = read_source(dataset, protocol, seed, keywords)
    alpha, clip = alpha or READINGS[reading].alpha, clip or READINGS[reading].clip
    check_mixing(alpha, clip, horizon)
    lam = (
        aklo.choose_lambda(source if isinstance(source, aklo.TaskStream) else source(seed=seed)).lam
        if lam == "choose"
        else _number(lam)
    )
    if as_json == as_csv == "-":
        raise Refusal("--json and --csv cannot both go to the screen: give one of them a file.")
    for path in (as_json, as_csv):
        _check_writable(path)
    with click.progressbar(length=repetitions, label="repetitions", file=sys.stderr) as bar:
        result = aklo.repeat(
            source, repetitions, lam=lam, alpha=alpha, clip=clip, horizon=horizon, seed=seed,
            progress=lambda done, _: bar.update(done - bar.pos),
        )  # fmt: skip
    settings = {
        "dataset": word, "lambda": lam, "alpha": alpha.spec, "clip": clip, "horizon": horizon,
        "repetitions": repetitions, "seed": seed,
    }  # fmt: skip
    table = result.table
    if as_json:
        differences = result.differences().to_dict("records")
        ace = {
            method: {"mean": row["mean"], "std": None if pd.isna(row["std"]) else row["std"]}
            for method, row in table.iterrows()
        }
        clean = [{k: None if isinstance(v, float) and pd.isna(v) else v for k, v in row.items()} for row in differences]
        _write(as_json, json.dumps({**settings, "ace": ace, "differences": clean}, indent=2) + "\n")
    if as_csv:
        rows = table.rename_axis("method").reset_index()
        _write(as_csv, pd.concat([pd.DataFrame([settings] * len(rows)), rows], axis=1).to_csv(index=False))
    if "-" not in (as_json, as_csv):
        click.echo(", ".join(f"{name} {value}" for name, value in settings.items()))
        click.echo(f"{'method':<13}{'ACE %':>8}{'±':>8}")
        for method, mean, std in (100 * table).itertuples():
            click.echo(f"{method:<13}{mean:>8.2f}{'' if pd.isna(std) else f'{std:.2f}':>8}")


@cli.command()
@dataset_options
@click.option("--lam", "lams", type=float, multiple=True, default=[0.001], help="A lambda; give it again for more.")
@click.option("--alpha", "alphas", callback=schedule, multiple=True, help="A schedule; give it again for more.")
@click.option(
    "--clip",
    "clips",
    type=click.Choice(CLIPS),
    multiple=True,
    help="Where the clip stands; both by default, with --alpha.",
)
@click.option(
    "--reading",
    "readings",
    type=click.Choice(list(READINGS)),
    multiple=True,
    help="A reading of the paper; both where no --alpha is given.",
)
@click.option(
    "--horizon",
    "horizons",
    type=click.Choice(HORIZONS),
    multiple=True,
    default=["known"],
    help="Known or unknown N; give both for both.",
)
@repetition_options
@click.option(
    "--csv",
    "path",
    type=click.Path(dir_okay=False),
    required=True,
    help="The table; where it exists, the sweep goes on from it.",
)
@click.option("--jobs", type=int, default=1, help="Processes; -1 for all cores.")
@click.option("--dask", metavar="ADDRESS", help="Send the work to the Dask scheduler at ADDRESS.")
def sweep(
    dataset, lams, alphas, clips, readings, horizons, repetitions, protocol, seed, path, jobs, dask, **keywords
) -> None:
    """A grid of lambdas, schedules, clips and horizons, as a tidy CSV that grows as cells finish."""
    source, word = read_source(dataset, protocol, seed, keywords)
    cells = aklo.grid(lams, alphas, clips or CLIPS, horizons)
    for name in readings or (() if alphas else READINGS):
        cells += aklo.grid(lams, [READINGS[name].alpha], [READINGS[name].clip], horizons)
    if not cells:
        raise Refusal("Every schedule asked for needs to know N, and the horizon is unknown: nothing is left to sweep.")
    if jobs == 0:
        raise Refusal("--jobs is 0, where a number of processes, or -1 for all cores, is needed.")
    for lam in lams:
        _number(lam)
    table = SweepTable(Path(path), word, repetitions, seed)
    missing = table.missing(list(dict.fromkeys(cells)))
    with _cluster(dask), click.progressbar(length=len(missing), label="cells", file=sys.stderr) as bar:
        try:
            for part in aklo.sweep(source, missing, n=repetitions, seed=seed, jobs=jobs):
                table.append(part)
                bar.update(len(part) // len(aklo.METHODS))
        except KeyboardInterrupt:
            raise Refusal(f"Stopped; {path} holds the cells that were finished: give it again to go on.") from None
    click.echo(f"{len(missing)} cells computed, {len(set(cells)) - len(missing)} already there: {path}", err=True)


@cli.command()
@click.option("--quick", is_flag=True, help="Fewer rounds: a look, not a measurement.")
def bench(quick: bool) -> None:
    """How fast, as ratios within this process: against the literal reference, and against the floor."""
    try:
        from tests.benchmarks import core
    except ModuleNotFoundError:
        raise Refusal(
            "The benchmark compares with the literal reference in tests/: run it from the project's folder."
        ) from None
    core.main(rounds=2 if quick else 7)


cli.add_command(reproduce)


# ---------------------------------------------------------------------------------------------------------- helpers


def _number(text: str | float) -> float:
    try:
        lam = float(text)
    except ValueError:
        raise Refusal(f"--lam is {text!r}, which is neither a number nor 'choose'.") from None
    if not 0 < lam < float("inf"):
        raise Refusal(f"--lam is {lam:g}, where a finite number above 0 is needed.")
    return lam


def _check_writable(path: str | None) -> None:
    """Refuse a file that cannot be written before the work, not after it."""
    if path and path != "-":
        _guarded(path, lambda: open(path, "a", encoding="utf-8").close())


def _write(path: str, text: str) -> None:
    if path == "-":
        click.echo(text, nl=False)
    else:
        _guarded(path, lambda: Path(path).write_text(text, encoding="utf-8"))


def _guarded(path: str, write: Callable[[], Any]) -> None:
    try:
        write()
    except OSError as error:
        raise Refusal(f"{path} cannot be written: {(error.strerror or str(error)).lower()}.") from None


def _cluster(address: str | None) -> Any:
    """A context in which joblib's work goes to the Dask cluster at `address`, where one is given."""
    if address is None:
        return nullcontext()
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise Refusal(
            "--dask needs the package 'distributed', which is not installed: pip install distributed."
        ) from None
    import joblib

    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError, TimeoutError) as error:
        raise Refusal(f"No Dask scheduler answers at {address} ({type(error).__name__}).") from None
    return joblib.parallel_config(backend="dask", client=client)


def main() -> None:
    try:
        cli(prog_name="python -m aklo", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as asked:
        click.echo(asked.format_message())
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as error:
        click.echo(f"Error: {error.format_message()}", err=True)
        sys.exit(2)
    except click.Abort:
        click.echo("Stopped.", err=True)
        sys.exit(130)
    except ValueError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
