"""Options that several commands share, and the parsing and writing behind them."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import click

import aklo
from aklo.rules import checked_methods, files

# Imported by the lab and not by the core: the extra [lab].
NEEDED = ("streamlit", "plotly", "segno", "sqlalchemy", "threadpoolctl", "markdown_it")
READINGS = {name.removeprefix("as "): reading for name, reading in aklo.READINGS.items()}


class CommandError(click.ClickException):
    """A command that cannot be carried out; the message is one sentence."""

    exit_code = 2


class Stopped(click.ClickException):
    """A command that was stopped by Ctrl-C; the message says what is left to do."""

    exit_code = 130


def check_packages() -> None:
    """Refuse a command that needs the lab where its packages are not installed."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise CommandError(f"The lab's packages are not all installed ({', '.join(missing)}): pip install 'aklo[lab]'.")


def method_options(command: Callable) -> Callable:
    """Add --method and --rules."""
    method = click.option(
        "--method", "methods", multiple=True, callback=parse_methods, metavar="NAME",
        help="A method, such as 'One pool'; repeat for more, or 'all'. The paper's six by default.",
    )  # fmt: skip
    rules = click.option(
        "--rules", type=click.Path(), multiple=True, callback=load_rules, is_eager=True, expose_value=False,
        help="A Python file that defines rules of your own, which --method can name.",
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
