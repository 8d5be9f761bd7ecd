"""Rules from a file of one's own: running it registers the rules that it defines."""

from __future__ import annotations

import runpy
from pathlib import Path

from aklo.rules.rule import RULES, Rule

RULES_VARIABLE = "AKLO_RULES"  # environment variable with paths of files, separated as in PATH, that the lab loads


def load_rules(path: str | Path) -> tuple[str, ...]:
    """Run a Python file that defines rules, and return the names of these.

    Parameters
    ----------
    path
        The file. A rule of the same name that is registered already is replaced.

    Raises
    ------
    ValueError
        If the file cannot be read or run, or if it defines no rule.
    """
    before = dict(RULES)
    try:
        runpy.run_path(str(path), run_name="rules")
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}.") from None
    except Exception as error:
        what = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(":. ")
        raise ValueError(f"{path} cannot be used: {what}.") from error
    found = tuple(name for name, rule in RULES.items() if before.get(name) is not rule)
    if not found:
        raise ValueError(f"{path} defines no rule: a class that derives from aklo.Rule and has a name.")
    return found


def file_of(rule: Rule) -> str:
    """Return the name, without folders, of the file that a rule was loaded from; "" if there is none."""
    code = getattr(type(rule).weights, "__code__", None)
    name = Path(code.co_filename).name if code is not None else ""
    return name if name.endswith(".py") and type(rule).__module__ == "rules" else ""
