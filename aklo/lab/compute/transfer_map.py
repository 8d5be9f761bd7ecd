"""The gain by knowledge, angle between the groups × share of the second group, computed and cached cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import aklo
from aklo.lab.compute import effort, repetitions
from aklo.lab.compute.stream_spec import RunSpec, StreamSpec
from aklo.lab.server import work_rate, worker, worker_tasks
from aklo.lab.session.cached import cached
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


def known(settings: Settings, places: Sequence[Place]) -> Cells:
    """Return the computed cells among the places."""
    cells = _known(_key(settings))
    return {place: cells[place] for place in places if place in cells}


def seconds(settings: Settings, places: Sequence[Place]) -> float:
    """Return an estimate of the seconds for the missing places."""
    each = settings.repetitions * effort.units(settings) * work_rate.rate(_kind(settings), effort.guess(settings))
    return each * (len(places) - len(known(settings, places)))


def units(settings: Settings, places: Sequence[Place]) -> float:
    """Return the cost of all the places, whether they are cached or not."""
    return len(places) * settings.repetitions * effort.units(settings)


def compute(
    settings: Settings, places: Sequence[Place], progress: Callable[[float], None] | None = None
) -> Cells:  # fmt: skip
    """Return the gain at all the places. Each cell is cached at once.

    progress: called with the share that is done. If it is given, the worker process computes.
    """
    s, cells = settings, _known(_key(settings))
    missing = [place for place in places if place not in cells]
    before, n = len(places) - len(missing), s.repetitions
    share = before / len(places)

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
        source=StreamSpec.of(s).generator, together=max(1, int(repetitions.PART / repetitions.seconds_each(s))),
        methods=s.methods, do=repeat if progress is None else in_worker, progress=report,
    )  # fmt: skip
    with work_rate.measured(_kind(settings), units(settings, missing)):
        for place, found in cells_in_order:
            cells[place] = found
    return known(settings, places)


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


def _kind(settings: Settings) -> str:
    return f"transfer, {effort.kind(settings)}"


@dataclass(frozen=True)
class _Key:
    """The values that a cell depends on, besides its angle and share."""

    run: RunSpec
    repetitions: int

    @property
    def private(self) -> bool:
        return self.run.private


def _key(settings: Settings) -> _Key:
    return _Key(RunSpec.of(settings.change(angle=0.0, share=0.0)), settings.repetitions)


@cached(max_entries=32)
def _known(key: _Key) -> Cells:
    """Return the cache of computed cells."""
    return {}
