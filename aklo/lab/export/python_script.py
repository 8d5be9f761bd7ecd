"""The export "The same in Python": a short script that computes a page's numbers with the public names of `aklo`."""

from __future__ import annotations

import inspect

from aklo.datasets import GENERATORS
from aklo.lab.compute.stream_spec import StreamSpec
from aklo.lab.export import python_script_pages
from aklo.lab.export.python_script_pages import Needs
from aklo.lab.session.uploads import Own
from aklo.lab.settings.field import OWN
from aklo.lab.settings.schema import Settings
from aklo.rules import rules_of
from aklo.rules.files import file_of

FILE = "your_file.csv"


def script(stem: str, title: str, settings: Settings, own: Own | None = None, link: str = "") -> str | None:
    """Return the script of a page, or None if the page has none.

    Parameters
    ----------
    stem, title
        Of the page.
    settings
        The settings of the page.
    own
        The visitor's own tasks, if the page shows them.
    link
        The page's address, for the docstring.
    """
    if stem not in python_script_pages.PAGES:
        return None
    needs, code = python_script_pages.PAGES[stem](settings)
    body = [_tasks(settings, own)] if needs >= Needs.TASKS else []
    body += [_numbers(settings, needs)] if needs >= Needs.LEARNED else []
    body.append(code)
    return "\n".join([_head(title, link, "\n".join(body)), *body])


def _head(title: str, link: str, body: str) -> str:
    needs = [
        *(["import sys"] if "sys." in body else []),
        *(["from functools import partial"] if "partial(" in body else []),
        "",
        *(["import numpy as np"] if "np." in body else []),
        *(["import pandas as pd"] if "pd." in body else []),
        *([""] if "np." in body or "pd." in body else []),
        "import aklo",
    ]
    safe = link.replace("\\", "%5C").replace('"', "%22")  # it is written into a docstring
    where = f"\nIn the lab: {safe}\n" if link else ""
    about = f"AKLO Lab, {title!r}: the numbers on the page, computed again.\n{where}"
    how = "Run it with Python where aklo is installed, or in the lab's folder, beside app.py."
    return f'"""{about}\n{how}\n"""\n\n' + "\n".join(needs).strip() + "\n"


def _tasks(settings: Settings, own: Own | None) -> str:
    """Return the code that defines `tasks(seed=…)`, which makes the page's stream."""
    s = settings
    if s.dataset != OWN:
        spec = StreamSpec.of(s)
        options, generator = dict(spec.options), GENERATORS[spec.dataset]
        usual = {name: parameter.default for name, parameter in inspect.signature(generator).parameters.items()}
        options = {k: v for k, v in options.items() if k in ("n_tasks", "n_examples", "angle") or v != usual[k]}
        inside = "".join(f", {name}={value!r}" for name, value in options.items())
        return f"tasks = partial({python_script_pages.public_name(generator)}{inside})  # asks for a seed\n"
    assert own is not None, "Own tasks are shown, so there are some."
    bias, shuffle = own.bias, own.shuffle
    reading = "".join(f", {name}={value!r}" for name, value in own.reading if value is not False)
    standardised = "collection = collection.standardised()\n" if own.standardise else ""
    return (
        "# Your own tasks are not in this script. Put the file that you brought beside it, and say its name: here, or\n"
        "# when you run it.\n"
        f"collection = aklo.read_any(sys.argv[1] if len(sys.argv) > 1 else {FILE!r}{reading})\n"
        f"if collection.labels[1] != {own.collection.labels[1]!r}:  # which label is +1\n"
        "    collection = collection.flipped()\n"
        f"{standardised}"
        f"tasks = partial(collection.sample, {s.n_tasks}, {s.n_examples}, bias={bias}, shuffle={shuffle})"
        "  # asks for a seed\n"
    )


def _numbers(settings: Settings, needs: Needs) -> str:
    """Return the code that defines `reading`, the options of `aklo.mix`; `learned`; and, if needed, `run`."""
    s, mixed = settings, needs == Needs.RUN
    return (
        (_load_rules(s) if mixed else "")
        + f"reading = {{'clip': {s.clip!r}, 'horizon': {s.horizon!r}, 'seed': {s.seed}}}\n"
        f"learned = aklo.learn(tasks(seed={s.seed}), lam={python_script_pages.lam(s)})\n"
        + (
            f"run = aklo.mix(learned, alpha={python_script_pages.schedule(s.schedule.spec)}, **reading{_methods(s)})\n"
            if mixed
            else ""
        )
    )


def _methods(settings: Settings) -> str:
    """Return the argument `methods`, where there are more than the paper's six, which are the default."""
    if not settings.challengers:
        return ""
    return f", methods=(*aklo.METHODS, {', '.join(map(repr, settings.challengers))})"


def _load_rules(settings: Settings) -> str:
    """Return code that loads challengers which are not part of the package, from the files that they came from."""
    rules = [rule for rule in rules_of(settings.challengers) if not type(rule).__module__.startswith("aklo.")]
    files = {rule.name: file_of(rule) for rule in rules}
    lines = [
        f"aklo.load_rules({name!r})  # rules that are not part of aklo: put their file beside this script"
        for name in dict.fromkeys(filter(None, files.values()))
    ]
    lines += [f"# Import or run what defines the rule {name!r} first." for name, file in files.items() if not file]
    return "".join(f"{line}\n" for line in lines)
