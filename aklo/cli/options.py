"""Options that several commands share, and the parsing and writing behind them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

import click

import aklo
from aklo.datasets import GENERATORS
from aklo.repetition import Source
from aklo.rules import checked_methods, files
from aklo.tasks import ORDERS

READINGS = {name.removeprefix("as "): reading for name, reading in aklo.READINGS.items()}

HELP = {
    "n_tasks": "Number of tasks.",
    "n_examples": "Number of examples in a task.",
    "mean1": "Mean of D1's examples.",
    "mean2": "Mean of D2's examples.",
    "vector1": "D1's labelling vector, before e is added.",
    "vector2": "D2's labelling vector, before e is added.",
    "mean": "Mean of the examples.",
    "vector": "D1's labelling vector, before e is added.",
    "spread": "Standard deviation of the examples.",
    "sd": "Standard deviation of e, the noise added to each task's labelling vector.",
    "share": "Share of the tasks that are D2, 0 to 1.",
    "order": "Order in which tasks from D1 and D2 arrive.",
    "angle": "Degrees between D1's and D2's labelling vectors.",
    "bias": "Whether to add a column of ones.",
}


class CommandError(click.ClickException):
    """A command that cannot be carried out; the message is one sentence."""

    exit_code = 2


def dataset_options(command: Callable) -> Callable:
    """Add --dataset, and one option for each keyword of any generator."""
    for name, (default, owners) in reversed(_generator_keywords().items()):
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
    dataset = click.option("--dataset", type=click.Choice(list(GENERATORS)), default="syn1", help="Dataset to run on.")
    return dataset(command)


def method_options(command: Callable) -> Callable:
    """Add --method and --rules."""
    method = click.option(
        "--method", "methods", multiple=True, callback=parse_methods, metavar="NAME",
        help="A method, such as 'One pool'; repeat for more, or 'all'. The paper's six by default.",
    )  # fmt: skip
    rules = click.option(
        "--rules", type=click.Path(), multiple=True, callback=load_rules, is_eager=True, expose_value=False,
        help="A Python file that defines rules of your own, before --method.",
    )  # fmt: skip
    return method(rules(command))


def load_rules(ctx: click.Context, option: click.Parameter, value: tuple[str, ...]) -> None:
    """Run the files of --rules (click's callback), which registers the rules that they define."""
    for path in value:
        files.load_rules(path)


def parse_methods(ctx: click.Context, option: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Parse --method (click's callback): names of methods, "all" of them, or none for the paper's six."""
    if value == ("all",):
        return tuple(aklo.RULES)
    return checked_methods(value) if value else aklo.METHODS


def repetition_options(command: Callable) -> Callable:
    """Add --repetitions, --protocol and --seed."""
    for option in (
        click.option("--seed", type=click.IntRange(0), default=0, help="Seed of all random numbers."),
        click.option(
            "--protocol",
            type=click.Choice(["fresh", "shuffled"]),
            default="fresh",
            help="Draw new data for each repetition, or shuffle one stream.",
        ),
        click.option("-R", "--repetitions", type=click.IntRange(1, 10_000), default=10, help="Number of repetitions."),
    ):
        command = option(command)
    return command


def _generator_keywords() -> dict[str, tuple[Any, list[str]]]:
    """Return keyword -> (default, datasets that take it) over all generators, without the seed."""
    found: dict[str, tuple[Any, list[str]]] = {}
    for dataset, generator in GENERATORS.items():
        for name, parameter in inspect.signature(generator).parameters.items():
            if name != "seed":
                found.setdefault(name, (parameter.default, []))[1].append(dataset)
    return found


def parse_source(dataset: str, protocol: str, seed: int, keywords: dict[str, Any]) -> tuple[Source, str]:
    """Return the source to repeat, and its description for tables, such as "syn1 n_tasks=3"."""
    # In the order of the signature, not of the command line, so that the same data has the same description.
    given = {name: keywords[name] for name in _generator_keywords() if keywords[name] is not None}
    parameters = inspect.signature(GENERATORS[dataset]).parameters
    for name in given:
        if name not in parameters:
            raise CommandError(f"--{name.replace('_', '-')} is not an option of {dataset}.")
    make = partial(GENERATORS[dataset], **given)
    stream = make(seed=seed)  # generated in any case, so that a bad value is refused before any work
    changed = {name: value for name, value in given.items() if value != parameters[name].default}
    description = dataset + "".join(f" {name}={value}" for name, value in changed.items())
    return (stream, f"{description} shuffled") if protocol == "shuffled" else (make, description)


def parse_schedule(ctx: click.Context, option: click.Parameter, value: Any) -> Any:
    """Parse --alpha (click's callback); a schedule that rises or leaves [0, 1] is refused before any work."""
    several = isinstance(value, tuple)
    schedules = tuple(aklo.Schedule.parse(text) for text in (value if several else [value] if value else []))
    for schedule in schedules:
        schedule.values(100)
    return schedules if several else (schedules[0] if schedules else None)


def parse_lambda(text: str | float) -> float | None:
    """Parse --lam: a finite number above 0, or None for "choose"."""
    if text == "choose":
        return None
    try:
        lam = float(text)
    except ValueError:
        raise ValueError(f"--lam is {text!r}, which is neither a number nor 'choose'.") from None
    if not 0 < lam < float("inf"):
        raise ValueError(f"--lam is {lam:g}, where a finite number above 0 is needed.")
    return lam


def check_writable(path: str | None) -> None:
    """Raise ValueError if the file cannot be written, before the work rather than after it."""
    if path and path != "-":
        _write_file(path, "", "a")


def write(path: str, text: str) -> None:
    """Write text to a file, or to standard output if the path is "-"."""
    if path == "-":
        click.echo(text, nl=False)
    else:
        _write_file(path, text, "w")


def _write_file(path: str, text: str, mode: str) -> None:
    try:
        with open(path, mode, encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {(error.strerror or str(error)).lower()}.") from None
