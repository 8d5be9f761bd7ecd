"""How much work a computation is, in units that do not depend on the machine.

What a page computes without being asked is decided by these units, so that the same settings show the same picture on
every machine, however busy it is.
"""

from __future__ import annotations

from aklo.lab.settings.schema import Settings

UNASKED = 3e7  # units of work that a page does without being asked: some tenths of a second


def units(settings: Settings) -> float:
    """The work of one run of the methods: every expert is asked about every example, and a run itself costs something.

    c + T²N, with T tasks of N examples.
    """
    return 2e5 + settings.n_tasks**2 * settings.n_examples


def kind(settings: Settings) -> str:
    """The kind of work, for `work_rate`: the digits have more features, and so another rate."""
    return "digits" if settings.dataset == "digits" else "run"


def guess(settings: Settings) -> float:
    """A guess at the seconds for one unit, before this machine has done any."""
    return 7e-8 if settings.dataset == "digits" else 4e-8
