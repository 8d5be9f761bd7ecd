"""What "When does knowledge hurt?" computes: gain over angle and share, kept cell by cell; and the stories it tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import aklo
from aklo.lab.compute import repetitions
from aklo.lab.compute.runs import generator, spec
from aklo.lab.compute.runs import key as key_of_a_run
from aklo.lab.frame import page, progress
from aklo.lab.frame.progress import Work
from aklo.lab.server import load, worker
from aklo.lab.settings.schema import FIELDS, PRESETS, Settings
from aklo.lab.settings.text import points
from aklo.repetition import repeat
from aklo.transfer import ANGLES, SHARES, Place

AT_ONCE = 0.5  # seconds of work that nobody needs to be told of
UNASKED = 2e8  # effort that begins without a click, a few seconds; it shows how far it is, and can be stopped
Cells = dict[Place, aklo.Transfer]


@dataclass(frozen=True)
class Story:
    """A preset, told. icon: of its button; words: what to see, and why."""

    preset: str
    label: str
    icon: str
    words: str

    @property
    def settings(self) -> Settings:
        return PRESETS[self.preset]


STORIES = (
    Story(
        "Two clients, opposite tastes", "Two clients, opposite shoes", ":material/swap_horiz:",
        "A shop has two kinds of clients: the shoes that one kind likes, the other hates, and nobody wears a badge. "
        "One learner for everybody (TOL) is wrong about five times as often as one that starts anew with each client "
        "(ITOL); trusting all earlier clients alike (Unif Sample) is wrong more than three times as often. AKLO Sum "
        "looks who was right so far, finds the clients of the same kind within some ten shoes, and is ahead of ITOL.",
    ),
    Story(
        "A drift: tastes turn", "A drift", ":material/trending_up:",
        "After 20 of 40 clients fashion turns by 90°, and all that is known is of yesterday. The first client after "
        "the turn costs everybody who asks the past. For AKLO Sum the harm is nearly over after ten more, since each "
        "leaves an expert of the new fashion. TOL forgets more slowly, but in the end it does. For Unif Sample and "
        "Unif Sum it is never over: the old experts keep their vote.",
    ),
    Story(
        "One stranger among friends", "One stranger among friends", ":material/person_alert:",
        "Twenty clients, nineteen alike, and one who wants the opposite. The stranger pays dearly, whichever method "
        "asks the past: there is no friend to be found, and weights cannot find what is not there. The friends who "
        "come afterwards do not pay under AKLO Sum, which leaves the stranger's expert aside; under Unif Sample, which "
        "still asks it now and then, some do.",
    ),
)  # fmt: skip


def told(settings: Settings) -> Story | None:
    """The story that the settings are those of."""
    return next((story for story in STORIES if page.same(story.settings, settings)), None)


def as_conflict(settings: Settings) -> Settings:
    """The conflict stream nearest to the settings: of syn2 the very same, which is a conflict at 180°."""
    if settings.dataset != "syn2":
        return settings.change(dataset="conflict")
    same = {name: getattr(settings, name) for name, f in FIELDS.items() if f.defaults}
    return settings.change(dataset="conflict", angle=180.0, **same)


def line(settings: Settings) -> list[Place]:
    """Every angle at the settings' share of D2, the settings' own angle among them."""
    return [(angle, settings.share) for angle in sorted({*ANGLES, settings.angle})]


def whole_map() -> list[Place]:
    return [(angle, share) for share in SHARES for angle in ANGLES]


@dataclass
class Shelf:
    """The cells that are known so far, and the seconds that they took."""

    cells: Cells = field(default_factory=dict)
    spent: float = 0.0


def known(settings: Settings, places: Sequence[Place]) -> Cells:
    """Those of the places that have been computed."""
    cells = _shelf(key(settings)).cells
    return {place: cells[place] for place in places if place in cells}


def key(settings: Settings) -> tuple:
    """All that a cell depends on, but its angle and share."""
    return (*key_of_a_run(settings.change(angle=0.0, share=0.0)), settings.repetitions)


def seconds(settings: Settings, places: Sequence[Place]) -> float:
    """About how long the places that are missing will take."""
    shelf = _shelf(key(settings))
    guess = settings.repetitions * repetitions.seconds_each(settings)
    each = shelf.spent / len(shelf.cells) if shelf.cells else guess
    return each * (len(places) - len(known(settings, places)))


def effort(settings: Settings, places: Sequence[Place]) -> float:
    """How much work all the places are, known or not: what begins unasked must not depend on what was stopped before.
    Every expert is asked about every example, and each repetition costs something by itself."""
    return len(places) * settings.repetitions * (2e5 + settings.n_tasks**2 * settings.n_examples)


def compute(
    settings: Settings,
    places: Sequence[Place],
    progress: Callable[[float], None] = lambda share: None,
    long: bool = False,
) -> Cells:
    """All the places; each is kept as soon as it is done. long: whether others must not wait for it."""
    s, shelf = settings, _shelf(key(settings))
    missing = [place for place in places if place not in shelf.cells]
    before, n = len(places) - len(missing), s.repetitions
    share = before / len(places)

    def tell(done: int, total: int) -> None:
        nonlocal share
        share = (before + done / n) / len(places)
        progress(share)

    do = partial(worker.call, repeat, meanwhile=lambda: progress(share)) if long else repeat
    work = aklo.transfer_map(
        missing, n, lam=s.lam, alpha=s.schedule, clip=s.clip, horizon=s.horizon, seed=s.seed,
        source=generator(spec(s)), together=max(1, int(repetitions.PART / repetitions.seconds_each(s))), do=do,
        progress=tell,
    )  # fmt: skip
    before_this = perf_counter()
    for place, found in work:
        shelf.cells[place] = found
        shelf.spent += perf_counter() - before_this
        before_this = perf_counter()
    return known(settings, places)


def ask(
    settings: Settings, name: str, places: Sequence[Place], place: DeltaGenerator, *, start: str, what: str
) -> None:
    """Compute the places, in the way of `waiting.ask`: unasked where it is short."""
    takes = seconds(settings, places)
    if takes <= load.fair(AT_ONCE):
        compute(settings, places)
        return
    about = f"{takes:.0f} seconds" if takes < 120 else f"{takes / 60:.0f} minutes"
    work = Work(
        name=name,
        wanted=(key(settings), tuple(places)),
        known=len(known(settings, places)) / len(places),
        unasked=effort(settings, places) <= load.fair(UNASKED),
        price=f"{what}: {len(places)} streams, {settings.repetitions} times each. That takes about {about}, "
        "so it waits until you ask. Fewer tasks, examples or repetitions are quicker.",
        start=start,
        help="You can stop at any time; what is done is kept, for this page and for everybody.",
        doing="Racing the six on stream after stream",
    )
    progress.ask(work, place, partial(compute, settings, places, long=True))


def gains(cells: Cells, method: str) -> dict[Place, float]:
    """The mean gain of one method at each place."""
    m = aklo.METHODS.index(method)
    return {place: float(found.mean[m]) for place, found in cells.items()}


def verdict(found: aklo.Transfer, settings: Settings) -> str:
    """Who does best and who worst at the settings' own angle and share, in two sentences."""
    table = found.table.drop("ITOL")
    best, worst = table["mean"].idxmax(), table["mean"].idxmin()
    gain, hurt = table["mean"], table["negative"]
    return (
        f"At {named((settings.angle, settings.share))}, **{best}** does best: {points(gain[best])} points against "
        f"learning each task from nothing, and harm in {hurt[best]:.0%} of the tasks. **{worst}** does worst: "
        f"{points(gain[worst])} points, and harm in {hurt[worst]:.0%}."
    )


def ends(cells: Cells) -> str:
    """Every method's gain at the first and the last place, for those who cannot see the line."""
    places = list(cells)
    said = []
    for place in (places[0], places[-1]):
        gain = cells[place].table["mean"].drop("ITOL")
        said.append(f"At {place[0]:g}°: {', '.join(f'{method} {points(value)}' for method, value in gain.items())}.")
    return " ".join(said)


def named(place: Place) -> str:
    return f"{place[0]:g}° and {100 * place[1]:g} % of D2"


@st.cache_resource(max_entries=32, show_spinner=False)
def _shelf(key: tuple) -> Shelf:
    return Shelf()
