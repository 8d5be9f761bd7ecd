"""The cost of a computation, in units that do not depend on the machine.

These units decide what a page computes without a click, so that the same settings show the same page on every machine,
whatever its load.
"""

from __future__ import annotations

from aklo.lab.settings.schema import Settings

UNASKED = 3e7  # units of work up to which a page computes without a click: some tenths of a second


def units(settings: Settings) -> float:
    """Return the cost of one run: a constant and T²N for T tasks of N examples, as each expert rates each example."""
    return 2e5 + settings.n_tasks**2 * settings.n_examples


def kind(settings: Settings) -> str:
    """Return the kind of work for `work_rate`. The digits have more features, and so a rate of their own."""
    return "digits" if settings.dataset == "digits" else "run"


def guess(settings: Settings) -> float:
    """Return the assumed seconds for one unit, used until a rate has been measured."""
    return 7e-8 if settings.dataset == "digits" else 4e-8
