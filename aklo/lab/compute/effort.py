"""The cost of a computation, in units that do not depend on the machine.

These units decide what a page computes without a click, so that the same settings show the same page on every machine,
whatever its load.
"""

from __future__ import annotations

import math

from aklo.lab.compute import runs
from aklo.lab.settings.field import OWN
from aklo.lab.settings.schema import Settings

UNASKED = 3e7  # units of work up to which a page computes without a click: some tenths of a second


def units(settings: Settings) -> float:
    """Return the cost of one run: a constant and T²N for T tasks of N examples, as each expert rates each example.

    For a visitor's own tasks, which may be shorter, N is the mean of their lengths. A challenger adds half of what the
    paper's six cost together; those that go step by step cost more.
    """
    own = settings.dataset == OWN
    examples = len(runs.stream(settings).y) if own else settings.n_tasks * settings.n_examples
    return (2e5 + settings.n_tasks * examples) * (1 + len(settings.challengers) / 2)


def kind(settings: Settings) -> str:
    """Return the kind of work for `work_rate`.

    The digits have more features, and so a rate of their own. So has each power of ten of units: a large stream takes
    more time for a unit than a small one, since its advice does not fit into the processor's caches. And so has each
    choice of challengers.
    """
    data = "digits" if settings.dataset == "digits" else "run"
    size = f"{data}, 1e{math.floor(math.log10(units(settings)))}"
    return "; ".join([size, *settings.challengers])


def guess(settings: Settings) -> float:
    """Return the assumed seconds for one unit, used until a rate has been measured."""
    return 7e-8 if settings.dataset == "digits" else 4e-8
