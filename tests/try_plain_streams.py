"""Open the pages on generated streams without groups, names and labelling vectors.

It runs in a process of its own, because the table of settings is made from the table of generators when it is imported.
"""

from __future__ import annotations

import numpy as np

import aklo
from aklo.datasets import GENERATORS


def _generator(d: int):
    def plain(n_tasks: int = 50, n_examples: int = 100, *, seed: int = 0) -> aklo.TaskStream:
        rng = np.random.default_rng(seed)
        pairs = zip(rng.standard_normal((n_tasks, n_examples, d)), rng.standard_normal((n_tasks, d)), strict=True)
        return aklo.TaskStream.of([(x, np.where(x @ a >= 0, 1.0, -1.0)) for x, a in pairs])

    return plain


DIMENSIONS = {"plain1": 1, "plain2": 2, "plain5": 5}
GENERATORS.update({name: _generator(d) for name, d in DIMENSIONS.items()})

from aklo.lab.settings.schema import FIELDS, Settings  # noqa: E402 - after the table of generators is complete
from tests.pages import opened  # noqa: E402

PARTS = {"tasks": "tasks_part", "compare": "race_part", "alpha": "alpha_part", "theory": "theory_part"}
PAGES = ("watch", "tasks", "alpha", "compare", "transfer", "world", "theory", "data", "lessons")


def main() -> None:
    for name, d in DIMENSIONS.items():
        small = Settings().change(dataset=name).change(n_tasks=8, n_examples=20, task=5, repetitions=2)
        for page in PAGES:
            part = PARTS.get(page)
            for choice in FIELDS[part].choices if part else (None,):
                at = opened(page, small.change(**{part: choice}) if part else small)
                text = " ".join(element.value for element in (*at.caption, *at.info))
                if (page, choice) == ("tasks", "Task by task"):
                    assert ("listed instead of drawn" in text) == (d != 2) and len(at.table) == (d != 2), text
                if page == "transfer":
                    assert "All tasks of this stream belong to one group" in text
                if page == "world":
                    assert "The sandbox needs synthetic tasks in the plane" in text


if __name__ == "__main__":
    main()
