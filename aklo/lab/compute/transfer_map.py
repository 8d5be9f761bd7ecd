"""The gain by knowledge, angle between the groups × share of the second group, computed and cached cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import aklo
from aklo.lab.compute import effort, repetitions
from aklo.lab.compute.partial_results import PartialResults
from aklo.lab.compute.stream_spec import RunSpec, StreamSpec
from aklo.lab.server import worker, worker_tasks
from aklo.lab.session.cached import cached_dict
from aklo.lab.settings.schema import FIELDS, Settings
from aklo.repetition import repeat
from aklo.transfer import ANGLES, SHARES, Place

AT_ONCE = 3e7  # units of work up to which it is computed before the page is drawn
UNASKED = 2e8  # units of work up to which it starts without a click: some seconds, with a progress bar
Cells = dict[Place, aklo.Transfer]


def as_conflict(settings: Settings) -> Settings:
    """Return the settings with the dataset conflict; for syn2 with the same tasks, which are a conflict at 180°."""
    if settings.dataset != "syn2":
        return settings.change(dataset="conflict")
    same = {name: getattr(settings, name) for name, f in FIELDS.items() if f.defaults}
    return settings.change(dataset="conflict", angle=180.0, **same)


def line(settings: Settings) -> list[Place]:
    """Return the places with the settings' share of D2: all angles of the map and the settings' own."""
    return [(angle, settings.share) for angle in sorted({*ANGLES, settings.angle})]


def coarse(settings: Settings) -> list[Place]:
    """Return every third place of the line, which shows its shape while the others are computed."""
    return [(angle, settings.share) for angle in ANGLES[::3]]


def whole_map() -> list[Place]:
    """Return all places of the map."""
    return [(angle, share) for share in SHARES for angle in ANGLES]


def results(settings: Settings, places: Sequence[Place]) -> PartialResults[Place, aklo.Transfer]:
    """Return the gains at the places."""
    s = settings
    known = _known(_Key(RunSpec.of(s.change(angle=0.0, share=0.0)), s.repetitions))
    kind = f"transfer, {effort.kind(s)}"
    return PartialResults(places, known, s.repetitions * effort.units(s), UNASKED, kind, effort.guess(s))


def is_instant(settings: Settings, places: Sequence[Place]) -> bool:
    """Return whether the gains at all the places are computed before the page is drawn."""
    return len(places) * settings.repetitions * effort.units(settings) <= AT_ONCE


def compute(
    settings: Settings, places: Sequence[Place], progress: Callable[[float], None] | None = None
) -> Cells:  # fmt: skip
    """Return the gain at all the places. Each cell is cached at once.

    progress: called with the share that is done. If it is given, the worker process computes.
    """
    s, cells = settings, results(settings, places)
    missing, share = cells.missing, cells.share_done
    before, n = len(places) - len(missing), s.repetitions

    def report(done: int, total: int) -> None:
        nonlocal share
        share = (before + done / n) / len(places)
        report_again()

    def report_again() -> None:
        if progress is not None:
            progress(share)

    def in_worker(*args: Any, methods: Sequence[str], **options: Any) -> aklo.Repeats:
        rules = [aklo.RULES[name] for name in methods]
        return worker.call(worker_tasks.repeat, *args, methods=rules, meanwhile=report_again, **options)

    cells_in_order = aklo.transfer_map(
        missing, n, lam=s.lam, alpha=s.schedule, clip=s.clip, horizon=s.horizon, seed=s.seed,
        source=StreamSpec.of(s).generator, together=max(1, int(repetitions.PART / repetitions.results(s).seconds_each)),
        methods=s.methods, do=repeat if progress is None else in_worker, progress=report,
    )  # fmt: skip
    with cells.measured(len(missing)):
        for place, found in cells_in_order:
            cells.known[place] = found
    return cells.done


def gains(cells: Cells, method: str) -> dict[Place, float]:
    """Return the mean gain of one method at each place."""
    return {place: float(found.mean[found.methods.index(method)]) for place, found in cells.items()}


@dataclass(frozen=True)
class Extremes:
    """The places where a method gains most and least, these gains, and the number of places where it loses."""

    best: Place
    worst: Place
    most: float
    least: float
    hurt: int


def extremes(cells: Cells, method: str) -> Extremes:
    """Return the extremes of a method's mean gain over some cells."""
    gain = gains(cells, method)
    best, worst = max(gain, key=gain.__getitem__), min(gain, key=gain.__getitem__)
    return Extremes(best, worst, gain[best], gain[worst], sum(value < 0 for value in gain.values()))


@dataclass(frozen=True)
class _Key:
    """The values that a cell depends on, besides its angle and share."""

    run: RunSpec
    repetitions: int

    @property
    def private(self) -> bool:
        return self.run.private


_known = cached_dict("transfer_map", max_entries=32)
