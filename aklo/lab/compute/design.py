"""How a stream of two groups is made: the settings that place it in the plane, and its random numbers."""

from __future__ import annotations

from dataclasses import dataclass

from aklo.generators import Noise
from aklo.lab.settings.schema import FIELDS, Settings

DATASETS = ("syn1", "syn2", "conflict")
PLACING = (
    *("mean1_x", "mean1_y", "mean2_x", "mean2_y", "vector1_x", "vector1_y", "vector2_x", "vector2_y"),
    *("spread", "sd", "angle"),
)


@dataclass(frozen=True, eq=False)
class Design:
    """The plan of a stream.

    Attributes
    ----------
    dataset : "syn1", "syn2" or "conflict".
    values : setting -> its value, for those in PLACING that the dataset has.
    ranges : setting -> the lowest and the highest value.
    noise : what is random.
    """

    dataset: str
    values: dict[str, float]
    ranges: dict[str, tuple[float, float]]
    noise: Noise


def design_of(settings: Settings) -> Design | None:
    """Return the plan of the settings' stream; None where the dataset is no stream of two groups in the plane."""
    if settings.dataset not in DATASETS:
        return None
    names = [name for name in PLACING if settings.dataset in FIELDS[name].datasets]
    noise = Noise.draw(
        settings.n_tasks, settings.n_examples, share=settings.share, order=settings.order, seed=settings.seed
    )
    return Design(
        settings.dataset,
        {name: float(getattr(settings, name)) for name in names},
        {name: (FIELDS[name].low, FIELDS[name].high) for name in names},
        noise,
    )
