"""What a stream is made from: the key of every cache."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import aklo
from aklo.datasets import GENERATORS
from aklo.lab.session import uploads
from aklo.lab.settings.field import OWN
from aklo.lab.settings.schema import FIELDS, Settings

# Keyword of a generator -> the settings that hold it, where they are not one setting of the same name.
PAIRS = {
    "mean": ("mean1_x", "mean1_y"),
    "vector": ("vector1_x", "vector1_y"),
    **{name: (f"{name}_x", f"{name}_y") for name in ("mean1", "mean2", "vector1", "vector2")},
}


@dataclass(frozen=True)
class StreamSpec:
    """A dataset and the keywords of its generator, without the seed.

    Parameters
    ----------
    dataset
        The name of a generator, or OWN.
    options
        Pairs (keyword, value) for the generator.
    private
        Whether the stream is made from a visitor's own data. What is private never enters a cache that visitors share.
    """

    dataset: str
    options: tuple[tuple[str, Any], ...]
    private: bool = False

    @classmethod
    def of(cls, settings: Settings) -> StreamSpec:
        """The spec of the settings' stream.

        A keyword of the generator takes the setting of the same name, if that setting is one of the dataset's.
        """
        s = settings
        if s.dataset == OWN:
            own = {"n_tasks": s.n_tasks, "n_examples": s.n_examples, "upload": uploads.mine().number}
            return cls(OWN, tuple(own.items()), private=True)
        options: dict[str, Any] = {}
        for keyword in inspect.signature(GENERATORS[s.dataset]).parameters:
            names = PAIRS.get(keyword, (keyword,))
            if keyword != "seed" and all(name in FIELDS and s.dataset in FIELDS[name].datasets for name in names):
                values = tuple(getattr(s, name) for name in names)
                options[keyword] = values if keyword in PAIRS else values[0]
        return cls(s.dataset, tuple(options.items()))

    def change(self, **options: Any) -> StreamSpec:
        """The spec with other options."""
        return replace(self, options=tuple((dict(self.options) | options).items()))

    @property
    def generator(self) -> Callable[..., aklo.TaskStream]:
        """A function of `seed=` that makes the stream."""
        options = dict(self.options)
        if self.dataset == OWN:
            return partial(uploads.mine().stream, options["n_tasks"], options["n_examples"])
        return partial(GENERATORS[self.dataset], **options)


@dataclass(frozen=True)
class RunSpec:
    """All that a run of the methods depends on. alpha: the spec of the schedule in force."""

    stream: StreamSpec
    seed: int
    lam: float
    alpha: str
    clip: aklo.Clip
    horizon: aklo.Horizon
    methods: tuple[str, ...] = aklo.METHODS

    @classmethod
    def of(cls, settings: Settings) -> RunSpec:
        """The spec of the settings' run."""
        s = settings
        return cls(StreamSpec.of(s), s.seed, s.lam, s.schedule.spec, s.clip, s.horizon, s.methods)

    @property
    def private(self) -> bool:
        return self.stream.private

    @property
    def schedule(self) -> aklo.Schedule:
        return aklo.Schedule.parse(self.alpha)
