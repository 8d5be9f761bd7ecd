"""Rules that whoever starts the lab brings along: `aklo lab --rules FILE`, or AKLO_RULES=FILE."""

from __future__ import annotations

import os
from functools import cache

from aklo.rules.files import RULES_VARIABLE, load_rules


@cache
def load() -> None:
    """Load the rules, once for the server. They are challengers from then on; a bad file raises ValueError."""
    for path in filter(None, os.environ.get(RULES_VARIABLE, "").split(os.pathsep)):
        load_rules(path)
