"""`aklo worksheets`: a lesson's worksheets for a class, as one HTML file to print."""

from __future__ import annotations

import sys

import click

from aklo.cli.options import check_packages, check_writable, write


@click.command(short_help="Write the worksheets of a lesson.")
@click.option("--lesson", "number", type=click.IntRange(1), required=True, help="Number of the lesson.")
@click.option("--seeds", default="1-30", help="Seeds, such as 1-30 or 3,5,8: a worksheet for each.")
@click.option("--key", is_flag=True, help="Add the answer key, as the last page.")
@click.option("--address", default="http://localhost:8501", help="Address of the lab, where the QR codes lead.")
@click.option("--html", "path", type=click.Path(dir_okay=False), required=True, help="File to write; - for the screen.")
def worksheets(number: int, seeds: str, key: bool, address: str, path: str) -> None:
    """Write a lesson's worksheets, one to a page, each with another seed and so with other tasks."""
    check_packages()
    from aklo.lab.content.lesson_answers import all_lessons
    from aklo.lab.content.worksheets import read_seeds, worksheet
    from aklo.lab.export.worksheet_html import class_set_html

    chosen, lessons = read_seeds(seeds), all_lessons()
    if number > len(lessons):
        raise ValueError(f"--lesson is {number}, and there are {len(lessons)} lessons.")
    check_writable(path)
    with click.progressbar(chosen, label=f"Lesson {number}", file=sys.stderr) as bar:
        sheets = [worksheet(number, lessons[number - 1], seed) for seed in bar]
    write(path, class_set_html(sheets, address.rstrip("/"), key=key))
    if path != "-":
        click.echo(f"written: {path}", err=True)
