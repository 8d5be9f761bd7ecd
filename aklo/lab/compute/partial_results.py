"""Results of long work, computed and cached one by one, so that a stop loses nothing."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Generic, TypeVar

from aklo.lab.server import work_rate

Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")


@dataclass(frozen=True)
class PartialResults(Generic[Key, Result]):
    """The results that some work shall have, and those that it has.

    Attributes
    ----------
    wanted : the keys of all results.
    known : key -> result, all that are cached; whoever computes one adds it.
    units : the work for one result, which does not depend on the machine.
    unasked : the work for all of them up to which it is done without a click.
    kind, guess : of the work, for `work_rate`, and the seconds for a unit before it was measured.
    """

    wanted: Sequence[Key]
    known: dict[Key, Result]
    units: float
    unasked: float
    kind: str
    guess: float

    @property
    def done(self) -> dict[Key, Result]:
        """The wanted results that are known."""
        return {key: self.known[key] for key in self.wanted if key in self.known}

    @property
    def missing(self) -> list[Key]:
        return [key for key in self.wanted if key not in self.known]

    @property
    def share_done(self) -> float:
        return len(self.done) / len(self.wanted)

    @property
    def is_cheap(self) -> bool:
        """Whether the work is done without a click; this does not depend on what is known."""
        return self.units * len(self.wanted) <= self.unasked

    @property
    def seconds_each(self) -> float:
        """An estimate of the seconds for one result, from measurements on this machine."""
        return work_rate.rate(self.kind, self.guess) * self.units

    @property
    def seconds(self) -> float:
        """The same for the missing results."""
        return self.seconds_each * len(self.missing)

    def measured(self, n: int = 1) -> AbstractContextManager[None]:
        """Measure the work within, which computes n results."""
        return work_rate.measured(self.kind, self.units * n)
