"""The paper's datasets as this visitor has them, measured job by job: what is done is kept, and a click stops it.

syn1 and syn2 are the same for everybody and kept for everybody; what was made from a visitor's files stays in the
session.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

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
    """Something to compute: under which key of whose shelf its result goes."""

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
    uploads.held().get("shelves", {}).pop(dataset, None)


def jobs() -> list[Job]:
    """All that the page shows and is not known yet: repetitions first, then lambda, then the conventions."""
    there = studies()
    found = [
        Job(name, ("repetition", number), partial(once, one.make, number))
        for name, one in there.items()
        for number in range(REPETITIONS)
    ]
    found += [Job(name, ("lambda",), one.choose_lambda) for name, one in there.items()]
    found = [job for job in found if job.key not in _shelf(job.dataset)]
    return found or [
        Job(choice.dataset, _key(choice), partial(choice.measure, REPETITIONS, 0))
        for choice in _choices(there)
        if _key(choice) not in _shelf(choice.dataset)
    ]


def work(todo: list[Job], tell: Callable[[int], None]) -> None:
    """Do the jobs, telling now and then how many are done."""
    for done, job in enumerate(todo):
        _shelf(job.dataset)[job.key] = worker.call(job.call, meanwhile=partial(tell, done))
        tell(done + 1)


def outcomes() -> list[Outcome]:
    """What is measured so far: datasets with two repetitions or more."""
    found = []
    for name in studies():
        kept = [_shelf(name)[key] for n in range(REPETITIONS) if (key := ("repetition", n)) in _shelf(name)]
        if len(kept) > 1:
            found.append(Outcome(name, LAM, tuple(kept)))
    return found


def lambdas() -> dict[str, LambdaChoice]:
    return {name: _shelf(name)[("lambda",)] for name in studies() if ("lambda",) in _shelf(name)}


def tried() -> list[tuple[conventions.Choice, aklo.Repeats | None]]:
    """Every convention, and the six methods under the other choice where that is measured."""
    return [(choice, _shelf(choice.dataset).get(_key(choice))) for choice in _choices(studies())]


def _choices(there: dict[str, Study]) -> list[conventions.Choice]:
    known = {name: choice.lam for name, choice in lambdas().items()}
    return conventions.choices([one for name, one in there.items() if name in known], known)


def _key(choice: conventions.Choice) -> tuple:
    return ("convention", choice.convention, choice.other)


def _shelf(dataset: str) -> dict[tuple, Any]:
    if dataset in GENERATED:
        return _shared(dataset)
    return uploads.held().setdefault("shelves", {}).setdefault(dataset, {})


@st.cache_resource(show_spinner=False)
def _shared(dataset: str) -> dict[tuple, Any]:
    """The results on generated data, for all visitors."""
    return {}
