"""The digits: pairs, balance, bias, ranges."""

from itertools import combinations

import numpy as np
import pytest

import aklo
from aklo.datasets import GENERATORS, _images

from .test_bad_input import refused


def pair(name):
    """'7 against 2' as (2, 7)."""
    high, low = map(int, name.split(" against "))
    return low, high


def test_every_pair_of_digits_is_used_before_one_repeats():
    """45 pairs, then all of them anew in another order."""
    pairs = [pair(name) for name in aklo.digits(n_tasks=100, n_examples=2).names]
    every = set(combinations(range(10), 2))
    assert set(pairs[:45]) == set(pairs[45:90]) == every
    assert len(set(pairs[90:])) == 10 and pairs[:45] != pairs[45:90]


@pytest.mark.parametrize("n", [1, 2, 7, 40, 348])
def test_examples_are_images_of_the_two_digits(n):
    """Half of each (+1 has one more where n is odd), no image twice, the larger digit being +1."""
    images, labels = _images()
    digit = {image.tobytes(): label for image, label in zip(images, labels, strict=True)}
    assert len(digit) == len(images)  # so that an image tells its digit
    for task in aklo.digits(n_tasks=6, n_examples=n, bias=False, seed=3):
        low, high = pair(task.name)
        assert task.group == high > low
        assert [digit[x.tobytes()] for x in task.X] == [high if label > 0 else low for label in task.y]
        assert len({x.tobytes() for x in task.X}) == n
        assert (task.y > 0).sum() == n - n // 2


def test_features_are_in_the_unit_interval_with_an_optional_bias():
    """64 pixels in [0, 1], and a last column of ones unless it is not wanted."""
    with_bias, without = aklo.digits(), aklo.digits(bias=False)
    assert (len(with_bias), with_bias.d, without.d, set(with_bias.lengths.tolist())) == (20, 65, 64, {100})
    assert (with_bias.X[:, 64] == 1).all() and (with_bias.X[:, :64] == without.X).all()
    assert without.X.min() == 0 and without.X.max() == 1


def test_labels_come_in_random_order():
    """Not first one digit, then the other: both are in each half of most tasks."""
    halves = [task.y.reshape(2, -1).mean(axis=1) for task in aklo.digits()]
    assert np.abs(halves).max() < 0.6


def test_same_seed_gives_the_same_digits():
    """Equal seeds give equal bytes, others do not; what was asked for before changes nothing."""
    one, again, other = (aklo.digits(n_tasks=3, n_examples=9, seed=seed) for seed in (1, 1, 2))
    assert one.X.tobytes() == again.X.tobytes() and one.y.tobytes() == again.y.tobytes() and one.names == again.names
    assert one.names != other.names and one.X.tobytes() != other.X.tobytes()


@pytest.mark.parametrize(
    ("keyword", "value"), [("n_tasks", 0), ("n_tasks", 1001), ("n_examples", 0), ("n_examples", 349)]
)
def test_bad_sizes_are_refused(keyword, value):
    """There are only so many images."""
    refused(lambda: aklo.digits(**{keyword: value}), keyword, str(value))


def test_every_generator_takes_a_seed_and_runs():
    """What the command line and the lab offer; each takes a seed and gives a stream that runs."""
    assert list(GENERATORS) == ["syn1", "syn2", "conflict", "digits"]
    for make in GENERATORS.values():
        stream = make(n_tasks=2, n_examples=3, seed=1)
        assert aklo.run(stream, lam=0.1).ace.between(0, 1).all()
