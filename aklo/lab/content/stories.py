"""Stories about negative transfer, which are presets with an explanation, and sentences on the map."""

from __future__ import annotations

from dataclasses import dataclass

import aklo
from aklo.lab.compute.transfer_map import Cells
from aklo.lab.settings.presets import PRESETS, same_results
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import points
from aklo.transfer import Place


@dataclass(frozen=True)
class Story:
    """A preset with its button's label and icon, and an explanation."""

    preset: str
    label: str
    icon: str
    text: str

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


def story_of(settings: Settings) -> Story | None:
    """Return the story whose preset gives the same results as the settings, or None."""
    return next((story for story in STORIES if same_results(story.settings, settings)), None)


def verdict(found: aklo.Transfer, settings: Settings) -> str:
    """Return two sentences on the best and the worst method at the settings' angle and share."""
    table = found.table.drop("ITOL")
    best, worst = table["mean"].idxmax(), table["mean"].idxmin()
    gain, hurt = table["mean"], table["negative"]
    return (
        f"At {place_name((settings.angle, settings.share))}, **{best}** does best: {points(gain[best])} points against "
        f"learning each task from nothing, and harm in {hurt[best]:.0%} of the tasks. **{worst}** does worst: "
        f"{points(gain[worst])} points, and harm in {hurt[worst]:.0%}."
    )


def ends(cells: Cells) -> str:
    """Return the gains of all methods at the first and the last place, for the chart's description."""
    places = list(cells)
    sentences = []
    for place in (places[0], places[-1]):
        gain = cells[place].table["mean"].drop("ITOL")
        listed = ", ".join(f"{method} {points(value)}" for method, value in gain.items())
        sentences.append(f"At {place[0]:g}°: {listed}.")
    return " ".join(sentences)


def place_name(place: Place) -> str:
    """Return an angle and a share as text."""
    return f"{place[0]:g}° and {100 * place[1]:g} % of D2"
