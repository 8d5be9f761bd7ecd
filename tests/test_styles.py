"""The methods' colours: readable on their ground, and told apart by people who are colour-blind."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from aklo.lab.charts.palette import DARK, LIGHT
from aklo.rules import METHODS, RULES
from aklo.styles import STROKES

# Linear RGB -> linear RGB as seen without green or red cones (Machado, Oliveira and Fernandes, 2009, severity 1).
SEEN = {
    "normal": np.eye(3),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
}
TO_LMS = np.array(
    [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
     [0.0883024619, 0.2817188376, 0.6299787005]]
)  # fmt: skip
TO_OKLAB = np.array(
    [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
     [0.0259040371, 0.7827717662, -0.8086757660]]
)  # fmt: skip


def linear(colour: str) -> np.ndarray:
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    low, high = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def distance(one: str, other: str, seen: str) -> float:
    """The distance of two colours in OKLab, in hundredths."""
    labs = [TO_OKLAB @ np.cbrt(TO_LMS @ np.clip(SEEN[seen] @ linear(colour), 0, 1)) for colour in (one, other)]
    return 100 * float(np.linalg.norm(labs[0] - labs[1]))


@pytest.mark.parametrize("method", STROKES)
def test_numbers_in_a_method_s_colour_can_be_read(method):
    """4.5 : 1 on both grounds of both themes, as text needs."""
    for colour, palette in ((STROKES[method].light, LIGHT), (STROKES[method].dark, DARK)):
        assert contrast(colour, palette.ground) >= 4.5 and contrast(colour, palette.panel) >= 4.49


@pytest.mark.parametrize("seen", SEEN)
def test_light_colours_of_the_paper_s_methods_differ(seen):
    """Twelve colours cannot all differ to everybody; the other rules are told from these by their dashes."""
    for one, other in combinations([STROKES[name] for name in METHODS], 2):
        assert distance(one.light, other.light, seen) > (8 if seen == "normal" else 2.4), (one, other)
    assert distance(STROKES["Unif Sample"].light, STROKES["Unif Sum"].light, seen) > 10


def test_no_two_methods_share_a_dash():
    assert len({stroke.pattern for stroke in STROKES.values()}) == len(RULES)
    assert len({stroke.dash for stroke in STROKES.values()}) == len(RULES)
