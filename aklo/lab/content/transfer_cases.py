"""Three cases of negative transfer: presets with an explanation."""

from __future__ import annotations

from dataclasses import dataclass

from aklo.lab.settings.presets import PRESETS, same_start
from aklo.lab.settings.schema import Settings


@dataclass(frozen=True)
class Case:
    """A preset, the icon of its button, and an explanation."""

    preset: str
    icon: str
    text: str

    @property
    def settings(self) -> Settings:
        return PRESETS[self.preset]


CASES = (
    Case(
        "Two groups, opposite rules", ":material/swap_horiz:",
        "Half of the tasks label every point the opposite way. One learner for all tasks (TOL) is wrong about five "
        "times as often as one that starts anew with each task (ITOL), and asking an expert drawn at random (Unif "
        "Sample) about seven times as often. AKLO Sum gives weight to the experts that were right so far: after ten "
        "examples nearly nine tenths of it lie on experts of the task's own group, and it is wrong less often than "
        "ITOL.",
    ),
    Case(
        "The rule changes half-way", ":material/trending_up:",
        "After 20 of 40 tasks the labelling rule turns by 90°, and all experts are of the old rule. The first task "
        "after the turn costs every method that uses earlier tasks. For AKLO Sum the harm is over after ten tasks, "
        "since each leaves an expert of the new rule. TOL recovers as well, but loses more meanwhile. Unif Sample and "
        "Unif Sum keep losing: the old experts keep their weight.",
    ),
    Case(
        "One odd task among twenty", ":material/person_alert:",
        "Nineteen tasks share one rule, and one task has the opposite rule. That task costs every method dearly that "
        "uses earlier tasks: no expert fits it, so no weights can help. The tasks after it lose nothing under AKLO "
        "Sum, which gives the odd expert little weight. Under Unif Sample, which still asks it at "
        "random, most of them do.",
    ),
)  # fmt: skip


def case_of(settings: Settings) -> Case | None:
    """Return the case whose preset gives the same results as the settings, or None."""
    return next((case for case in CASES if same_start(case.settings, settings)), None)
