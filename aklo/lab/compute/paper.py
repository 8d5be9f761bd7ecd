"""The paper's datasets, as far as this visitor has them, measured job by job, so that stopping loses nothing.

syn1 and syn2 are the same for all visitors, who share the results; what is made from a visitor's files stays in the
session.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import aklo
from aklo.lab.server import worker
from aklo.lab.session import uploads
from aklo.paper import conventions
from aklo.paper.reproduction import DATASETS, LAM, REPETITIONS, Outcome, Study, once, study
from aklo.repetition import LambdaChoice

GENERATED = ("syn1", "syn2")
KINDS = {
    "landmine": (["mat"], False, "LandmineData.mat"),
    "spam": (["tf", "zip"], True, "task_b_u00_eval_lab.tf to u14, or a .zip of them"),
    "shoes": (["txt", "zip"], True, "T1_test.txt to T10, or a .zip of them"),
}


@dataclass(frozen=True)
class Job:
    """Something to compute. key: under which its result is kept, among those of its dataset."""

    dataset: str
    key: tuple
    call: Callable[[], Any]


def studies() -> dict[str, Study]:
    """The datasets that there are, in the paper's order."""
    brought = uploads.held().get("paper", {})
    return {
        name: brought[name] if name in brought else study(name) for name in DATASETS if name in (*GENERATED, *brought)
    }


def bring(dataset: str, files: list[tuple[str, bytes]]) -> None:
    """Read a dataset's files; raises ValueError with a sentence."""
    found = study(dataset, files)
    forget(dataset)
    uploads.held().setdefault("paper", {})[dataset] = found


def forget(dataset: str) -> None:
    uploads.held().get("paper", {}).pop(dataset, None)
    uploads.held().get("paper_results", {}).pop(dataset, None)


def jobs() -> list[Job]:
    """All that the page shows and is not known yet: repetitions first, then lambda, then the conventions."""
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
    """About which share of all that the page shows is measured."""
    done = sum(len(_results(name)) for name in studies())
    return done / (done + len(jobs()))


def work(todo: list[Job], tell: Callable[[int], None]) -> None:
    """Do the jobs. tell: called with the number that are done."""
    for done, job in enumerate(todo):
        _results(job.dataset)[job.key] = worker.call(job.call, meanwhile=partial(tell, done))
        tell(done + 1)


def outcomes() -> list[Outcome]:
    """What is measured so far: datasets with two repetitions or more."""
    found = []
    for name in studies():
        kept = [_results(name)[key] for n in range(REPETITIONS) if (key := ("repetition", n)) in _results(name)]
        if len(kept) > 1:
            found.append(Outcome(name, LAM, tuple(kept)))
    return found


def lambdas() -> dict[str, LambdaChoice]:
    return {name: _results(name)[("lambda",)] for name in studies() if ("lambda",) in _results(name)}


def tried() -> list[tuple[conventions.Choice, aklo.Repeats | None]]:
    """Every convention, and the six methods under the other choice where that is measured."""
    return [(choice, _results(choice.dataset).get(_key(choice))) for choice in _choices(studies())]


def _choices(there: dict[str, Study]) -> list[conventions.Choice]:
    known = {name: choice.lam for name, choice in lambdas().items()}
    return conventions.choices([one for name, one in there.items() if name in known], known)


def _key(choice: conventions.Choice) -> tuple:
    return ("convention", choice.convention, choice.other)


def _results(dataset: str) -> dict[tuple, Any]:
    """What is known of a dataset: key of a job -> result. What was made from a visitor's files stays in the session."""
    if dataset in _SHARED:
        return _SHARED[dataset]
    return uploads.held().setdefault("paper_results", {}).setdefault(dataset, {})


_SHARED: dict[str, dict[tuple, Any]] = {dataset: {} for dataset in GENERATED}  # for all visitors
