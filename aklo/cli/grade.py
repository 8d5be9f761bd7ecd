"""`aklo grade`: a table of what a class has handed in from the lessons."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from aklo.cli.options import CommandError, check_writable, write
from aklo.handin import SIGNATURES, HandIn
from aklo.handin_fields import FORMAT, LONGEST, iso
from aklo.signing_key import VARIABLE, Key

MOST_FILES = 5000  # and lines in a file
LONGEST_FILE = 5_000_000  # bytes of a file with pasted lines
START = re.compile(rf"\b{FORMAT}\s+name=")
LINE = re.compile(r".*?\ssignature=(secret|checksum):[0-9a-f]*", re.DOTALL)
SECOND_COPY = "same record as "


@dataclass(frozen=True)
class Found:
    """A hand-in, or what is wrong with it. where: the file, and the number of the line in a file of lines."""

    where: str
    made: HandIn | None
    fault: str = ""


@click.command(short_help="Make a table of what a class has handed in.")
@click.argument("folder", type=click.Path())
@click.option("--secret-file", type=click.Path(), help=f"A file with the lab's secret, instead of ${VARIABLE}.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of CSV.")
@click.option("-o", "--output", default="-", help="The file to write to; - for standard output.")
def grade(folder: str, secret_file: str | None, as_json: bool, output: str) -> None:
    """Make a table of a class from FOLDER: the files that students have handed in, and text files of pasted lines.

    FOLDER may also be one file. There is a row for each guess: who, lesson, guess, outcome, when, and what the
    signature is worth. A file that cannot be read has a row that says why. The exit code is 1 if there is a bad
    signature or a bad file.
    """
    key = _key(secret_file)
    check_writable(output)
    rows = list(table(read(Path(folder)), key))
    write(output, json.dumps(rows, indent=1, ensure_ascii=False) + "\n" if as_json else to_csv(rows))
    bad = [row for row in rows if row["signature"] not in ("valid", "checksum only")]
    handed_in = len({row["where"] for row in rows})
    click.echo(f"{handed_in} handed in, {len({row['where'] for row in bad})} to look at.", err=True)
    for signature in sorted({row["signature"] for row in rows} & SIGNATURES.keys()):
        click.echo(f"  {signature}: {SIGNATURES[signature]}.", err=True)
    if bad:
        raise click.exceptions.Exit(1)


def _key(secret_file: str | None) -> Key:
    if secret_file is None:
        return Key.from_environment()
    try:
        return Key.secret(Path(secret_file).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{secret_file} cannot be read: {error}") from None


def read(folder: Path) -> Iterator[Found]:
    """Give what is in a folder and the folders in it, or in one file."""
    if not folder.exists():
        raise CommandError(f"{folder} does not exist.")
    files = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else [folder]
    if len(files) > MOST_FILES:
        raise CommandError(f"{folder} has {len(files)} files, where {MOST_FILES} are the most.")
    for path in files:
        name = str(path.relative_to(folder)) if folder.is_dir() else path.name
        yield from _read_file(path, _printable(name))


def _read_file(path: Path, name: str) -> Iterator[Found]:
    try:
        if path.stat().st_size > LONGEST_FILE:
            raise ValueError(f"The file has {path.stat().st_size:,} bytes, where {LONGEST_FILE:,} are the most.")
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        yield Found(name, None, "This is not a text.")
        return
    except (OSError, ValueError) as error:
        yield Found(name, None, _printable(str(error)))
        return
    if text.lstrip().startswith("{"):
        yield _parsed(name, HandIn.from_json, text)
        return
    yield from _read_lines(text, name)


def _read_lines(text: str, name: str) -> Iterator[Found]:
    """Give the hand-ins of a text with pasted lines."""
    starts = [found.start() for found in START.finditer(text)]
    if not starts:
        yield Found(name, None, f"There is no line that begins with {FORMAT}.")
    number, counted = 1, 0
    for k, start in enumerate(starts):
        if k == MOST_FILES:
            yield Found(name, None, f"There are {len(starts)} lines, where {MOST_FILES} are the most.")
            return
        number, counted = number + text.count("\n", counted, start), start
        # A mail program may have broken the line; what stands after the signature is not part of it.
        line = text[start : min(start + LONGEST + 1, *starts[k + 1 : k + 2], len(text))]
        whole = LINE.match(line)
        yield _parsed(f"{name}:{number}", HandIn.from_line, whole[0] if whole else line)


def _parsed(where: str, parse: Any, text: str) -> Found:
    try:
        return Found(where, parse(text))
    except ValueError as error:
        return Found(where, None, str(error))


def table(found: Iterable[Found], key: Key) -> Iterator[dict[str, Any]]:
    """Give a row for each guess, for each hand-in without a guess, and for each that cannot be read."""
    seen: dict[str, tuple[str, str]] = {}
    for one in found:
        made = one.made
        if made is None:
            yield _row(one.where, "", "", "unreadable", note=one.fault)
            continue
        first, name = seen.setdefault(made.id, (one.where, made.name))
        # A student may hand in twice; the same record under another name is a copy.
        note = f"{SECOND_COPY}{first}" if first != one.where else ""
        note += " under another name" if note and name != made.name else ""
        signature = made.check(key)
        if not made.rows:
            yield _row(one.where, made.name, iso(made.at), signature, note="; ".join(filter(None, ["no guess", note])))
        for row in made.rows:
            notes = [note, "" if row.vouched else "this guess was not signed by the lab"]
            yield _row(
                one.where, made.name, iso(made.at), signature, lesson=row.lesson, guess=row.guess,
                outcome=row.outcome, when=iso(row.when), note="; ".join(filter(None, notes)),
                difference=row.guess - row.outcome if type(row.guess) is type(row.outcome) is int else "",
                right=row.guess == row.outcome,
            )  # fmt: skip


def _row(where: str, name: str, at: str, signature: str, **values: Any) -> dict[str, Any]:
    empty: dict[str, Any] = {"where": where, "name": name, "lesson": "", "guess": "", "outcome": "", "difference": ""}
    return empty | {"right": "", "when": "", "handed in": at, "signature": signature, "note": ""} | values


def to_csv(rows: list[dict[str, Any]]) -> str:
    """Return the rows as CSV, with texts that a spreadsheet does not take for formulas."""
    text = io.StringIO()
    columns = list(_row("", "", "", ""))
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.lstrip().startswith(("=", "+", "-", "@")) else value


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else "�" for c in text)
