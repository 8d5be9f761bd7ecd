"""What a stream is made from: the key of every cache."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import aklo
from aklo.datasets import GENERATORS
from aklo.lab.session import uploads
from aklo.lab.settings.schema import OWN, Settings


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
        """The spec of the settings' stream."""
        s = settings
        options: dict[str, Any] = {"n_tasks": s.n_tasks, "n_examples": s.n_examples}
        if s.dataset == OWN:
            options["upload"] = uploads.mine().number
        elif s.dataset != "digits":
            options |= {"share": s.share, "order": s.order, "spread": s.spread, "sd": s.sd}
            mean, vector = (s.mean1_x, s.mean1_y), (s.vector1_x, s.vector1_y)
            if s.dataset == "syn1":
                options |= {"mean1": mean, "vector1": vector}
                options |= {"mean2": (s.mean2_x, s.mean2_y), "vector2": (s.vector2_x, s.vector2_y)}
            else:
                options |= {"mean": mean, "vector": vector}
            if s.dataset == "conflict":
                options["angle"] = s.angle
        return cls(s.dataset, tuple(options.items()), private=s.dataset == OWN)

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

    @classmethod
    def of(cls, settings: Settings) -> RunSpec:
        """The spec of the settings' run."""
        s = settings
        return cls(StreamSpec.of(s), s.seed, s.lam, s.schedule.spec, s.clip, s.horizon)

    @property
    def private(self) -> bool:
        return self.stream.private

    @property
    def schedule(self) -> aklo.Schedule:
        return aklo.Schedule.parse(self.alpha)
