"""The dataset of a command: a generator with its keywords, or a file of one's own."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click
import scipy.sparse as sp

from aklo.cli.options import CommandError
from aklo.datasets import GENERATORS, PROTOCOLS, READERS, TABLES
from aklo.generators import ORDERS
from aklo.readers.collection import Collection
from aklo.readers.csv import read_csv
from aklo.readers.table_error import TableError
from aklo.sources import Source
from aklo.tasks import TaskStream

FILES = "files"  # the owner of keywords of `Collection.sample`, in help texts
SAMPLING = ("n_tasks", "n_examples", "bias", "standardise")  # keywords of `Collection.sample` that are options
READING = ("task", "y", "positive", "each_class", "one_hot", "drop_gaps")  # keywords of `read_csv` that are options
FLAGS = {"task": "--task-column", "y": "--label-column"}  # where they are not called as the keyword is
HELP = {
    "n_tasks": "Number of tasks; of files, all by default.",
    "n_examples": "Number of examples in a task; of files, all by default, and all of a task that has fewer.",
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
    "standardise": "Whether to scale each feature to mean 0 and deviation 1 over all tasks.",
    "task": "Column of a table that names the task; '' if all rows are one task.",
    "y": "Column of a table that holds the label.",
    "positive": "The label of a table that is +1, against all others.",
    "each_class": "Make a task for each class of a table, against the rest.",
    "one_hot": "Read columns of words, one-hot.",
    "drop_gaps": "Leave out rows of a table that have missing values.",
}


def dataset_options(command: Callable) -> Callable:
    """Add --dataset, and one option for each keyword of a generator, of `Collection.sample` and of `read_csv`."""
    for name, (default, owners) in reversed(_keywords().items()):
        kind: dict[str, Any] = {"type": type(default)}
        if name in READING:
            kind = {"is_flag": True} if isinstance(default, bool) else {"type": str}
        elif isinstance(default, bool):
            kind = {"type": bool}
        elif isinstance(default, tuple):
            kind = {"type": float, "nargs": len(default)}
        elif name == "order":
            kind = {"type": click.Choice(ORDERS)}
        note = "" if len(owners) == len(GENERATORS) + 1 else f" ({', '.join(owners)})"
        command = click.option(_flag(name), name, default=None, help=HELP.get(name, name) + note, **kind)(command)
    dataset = click.option(
        "--dataset", default="syn1", metavar="NAME[=PATH]",
        help=f"One of {', '.join(GENERATORS)}; or {', '.join(READERS)} with its file, folder or .zip, as in "
        "csv=tasks.csv.",
    )  # fmt: skip
    return dataset(command)


def _flag(name: str) -> str:
    return FLAGS.get(name, "--" + name.replace("_", "-"))


def _keywords() -> dict[str, tuple[Any, list[str]]]:
    """Return keyword -> (default, who takes it) over all generators, files and tables, without the seed."""
    found: dict[str, tuple[Any, list[str]]] = {}
    for dataset, generator in GENERATORS.items():
        for name, parameter in inspect.signature(generator).parameters.items():
            if name != "seed":
                found.setdefault(name, (parameter.default, []))[1].append(dataset)
    for function, names, owner in ((Collection.sample, SAMPLING, FILES), (read_csv, READING, "tables")):
        for name in names:
            default = inspect.signature(function).parameters[name].default
            found.setdefault(name, (default, []))[1].append(owner)
    return found


def parse_source(text: str, protocol: str, seed: int, keywords: dict[str, Any]) -> tuple[Source, str]:
    """Return the source to repeat, and its description for tables, such as "syn1 n_tasks=3".

    Parameters
    ----------
    text
        The value of --dataset.
    protocol
        "fresh" for new data in each repetition, "shuffled" for one stream in another order.
    keywords
        Those of all options; None, or False for a flag, where one was not given.
    """
    dataset, has_path, path = text.partition("=")
    # In the order of the signature, not of the command line, so that the same data has the same description.
    given = {name: keywords[name] for name in _keywords() if keywords[name] is not None}
    given = {name: value for name, value in given.items() if name not in READING or value is not False}
    make: Callable[..., TaskStream]
    if dataset in GENERATORS and not has_path:
        parameters = inspect.signature(GENERATORS[dataset]).parameters
        _check_names(given, parameters, dataset)
        changed = {name: value for name, value in given.items() if value != parameters[name].default}
        make, description = partial(GENERATORS[dataset], **given), _described(dataset, changed)
    elif dataset in READERS and path:
        make, description = _from_file(dataset, path, given)
    elif dataset in READERS:
        raise CommandError(f"{dataset} needs its file, as in --dataset {dataset}=PATH.")
    elif dataset in GENERATORS:
        raise CommandError(f"{dataset} is generated and needs no file.")
    else:
        kind = Path(text).suffix.lower().removeprefix(".")
        meant = f": write {kind}={text} for the file" if kind in TABLES and not has_path else ""
        raise CommandError(f"--dataset is {text!r}, which is none of {', '.join((*GENERATORS, *READERS))}{meant}.")
    stream = make(seed=seed)  # generated in any case, so that a bad value is refused before any work
    return (stream, f"{description} shuffled") if protocol == "shuffled" else (make, description)


def _from_file(dataset: str, path: str, given: dict[str, Any]) -> tuple[Callable[..., TaskStream], str]:
    """Read a file, and return a function of `seed=` that samples it, and its description."""
    _check_names(given, (*SAMPLING, *READING) if dataset in TABLES else SAMPLING, dataset)
    reading = {name: given[name] for name in READING if name in given}
    if reading.get("task") == "":
        reading["task"] = None
    try:
        collection = READERS[dataset](path, **reading)
    except TableError as error:
        flags = " or ".join(map(_flag, error.keywords))
        raise CommandError(f"{str(error).removesuffix('.')} ({flags})." if flags else str(error)) from None
    for note in collection.notes:
        click.echo(note, err=True)
    sampling = {name: given[name] for name in SAMPLING if name in given}
    sampling.setdefault("bias", PROTOCOLS.get(dataset, {}).get("bias", True))
    about = {name: value for name, value in given.items() if name != "bias"} | {"bias": sampling["bias"]}
    # The digest tells files of one name apart, and so the rows of a table that are about them.
    name = f"{dataset}={Path(path).name} {_digest(collection)}"
    return partial(collection.sample, **sampling), _described(name, about)


def _digest(collection: Collection) -> str:
    """Return eight digits that tell the examples of a collection from others."""
    parts = [collection.X.data, collection.X.indices] if sp.issparse(collection.X) else [collection.X]
    found = hashlib.sha256()
    for part in (*parts, collection.y, collection.offsets):
        found.update(part.tobytes())
    return found.hexdigest()[:8]


def _described(name: str, options: dict[str, Any]) -> str:
    words = " ".join([name, *(f"{option}={value}" for option, value in options.items())])
    return " ".join(words.split())


def _check_names(given: dict[str, Any], known: Any, dataset: str) -> None:
    for name in given:
        if name not in known:
            raise CommandError(f"{_flag(name)} is not an option of {dataset}.")
