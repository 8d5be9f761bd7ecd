"""Runs of the methods on the paper's datasets, computed and stored job by job, so that a stop loses nothing.

Results on syn1 and syn2 are shared by all visitors. Results on uploaded files stay in the visitor's session.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import aklo
from aklo.lab.server import worker
from aklo.lab.session import uploads
from aklo.lambda_choice import LambdaChoice
from aklo.paper import conventions
from aklo.paper.reproduction import DATASETS, LAM, REPETITIONS, Outcome, Study, once, study

GENERATED = ("syn1", "syn2")
KINDS = {
    "landmine": (["mat"], False, "LandmineData.mat"),
    "spam": (["tf", "zip"], True, "task_b_u00_eval_lab.tf to u14, or a .zip of them"),
    "shoes": (["txt", "zip"], True, "T1_test.txt to T10, or a .zip of them"),
}


@dataclass(frozen=True)
class Job:
    """A computation. key: of its result among those of the dataset."""

    dataset: str
    key: tuple
    call: Callable[[], Any]


def studies() -> dict[str, Study]:
    """Return the generated and the uploaded datasets, in the paper's order."""
    uploaded = uploads.held().paper
    return {
        name: uploaded[name] if name in uploaded else study(name)
        for name in DATASETS
        if name in (*GENERATED, *uploaded)
    }


def bring(dataset: str, uploaded: Any) -> None:
    """Read and store a dataset's files, from an uploader; ValueError says what is wrong with them."""
    make = partial(study, dataset, read=partial(uploads.read, dataset))
    found = uploads.make_once(f"paper_{dataset}", uploaded, make)
    forget(dataset)
    uploads.held().paper[dataset] = found


def forget(dataset: str) -> None:
    """Remove an uploaded dataset and its results."""
    held = uploads.held()
    held.made.pop(f"paper_{dataset}", None)
    held.paper.pop(dataset, None)
    held.paper_results.pop(dataset, None)


def jobs() -> list[Job]:
    """Return the jobs whose results are missing: repetitions and lambda first, and after these the conventions."""
    there = studies()
    found = [
        Job(name, ("repetition", number), partial(once, one.make, number))
        for name, one in there.items()
        for number in range(REPETITIONS)
    ]
    found += [Job(name, ("lambda",), one.choose_lambda) for name, one in there.items()]
    found = [job for job in found if job.key not in _results(job.dataset)]
    return found or [
        Job(choice.dataset, _key(choice), partial(choice.measure, REPETITIONS, 0))
        for choice in _choices(there)
        if _key(choice) not in _results(choice.dataset)
    ]


def share_done() -> float:
    """Return approximately the share of the jobs that is done."""
    done = sum(len(_results(name)) for name in studies())
    return done / (done + len(jobs()))


def work(todo: list[Job], progress: Callable[[int], None]) -> None:
    """Do the jobs. progress: called with the number of jobs that are done."""
    for done, job in enumerate(todo):
        _results(job.dataset)[job.key] = worker.call(job.call, meanwhile=partial(progress, done))
        progress(done + 1)


def outcomes() -> list[Outcome]:
    """Return the results of the datasets with at least two repetitions."""
    found = []
    for name in studies():
        repetitions = [_results(name)[key] for n in range(REPETITIONS) if (key := ("repetition", n)) in _results(name)]
        if len(repetitions) > 1:
            found.append(Outcome(name, LAM, tuple(repetitions)))
    return found


def lambdas() -> dict[str, LambdaChoice]:
    """Return the choice of lambda of each dataset where it is computed."""
    return {name: _results(name)[("lambda",)] for name in studies() if ("lambda",) in _results(name)}


def tried() -> list[tuple[conventions.Choice, aklo.Repeats | None]]:
    """Return each convention with the results under its alternative, or None where these are missing."""
    return [(choice, _results(choice.dataset).get(_key(choice))) for choice in _choices(studies())]


def _choices(there: dict[str, Study]) -> list[conventions.Choice]:
    known = {name: choice.lam for name, choice in lambdas().items()}
    return conventions.choices([one for name, one in there.items() if name in known], known)


def _key(choice: conventions.Choice) -> tuple:
    return ("convention", choice.convention, choice.other)


def _results(dataset: str) -> dict[tuple, Any]:
    """Return the results of a dataset, by the jobs' keys: shared ones, or those in the visitor's session."""
    if dataset in _SHARED:
        return _SHARED[dataset]
    return uploads.held().paper_results.setdefault(dataset, {})


_SHARED: dict[str, dict[tuple, Any]] = {dataset: {} for dataset in GENERATED}  # for all visitors
