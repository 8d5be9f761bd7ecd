"""The wrong predictions of a run, by example and by task, and what knowledge does on one stream: as counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

import aklo
from aklo.lab.compute import bounds, mistakes, repetitions, runs, transfer_map
from aklo.lab.content import ranking, stream_summary
from aklo.lab.settings.schema import Settings

SMALL = Settings().change(n_tasks=6, n_examples=20, task=3, challengers=("One pool",))


@pytest.mark.parametrize("expected", [False, True])
def test_mistakes_by_example_and_by_task_are_those_of_the_run(expected):
    settings = SMALL.change(expected=expected)
    run = runs.run(settings)
    errors = run.errors | (run.expected if expected else {})
    wrong = mistakes.by_example(settings)
    assert wrong.shape == (7, 120)
    shares = mistakes.by_task(settings)
    for row, method in enumerate(run.methods):
        np.testing.assert_allclose(wrong[row], np.concatenate(errors[method]))
        np.testing.assert_allclose(shares.values[row], [task.mean() for task in errors[method]])
        np.testing.assert_allclose(mistakes.in_last_task(settings)[row], errors[method][-1])
    assert shares.worst == shares.values.max() == errors[shares.method][shares.task].mean()


@pytest.mark.parametrize("method", ["TOL", "Unif Sum", "One pool"])
def test_gain_is_counted_task_by_task(method):
    run = runs.run(SMALL)
    found = mistakes.gain(run, method)
    itol, mine = (np.array([task.sum() for task in run.errors[name]]) for name in ("ITOL", method))
    assert found.hurt == (mine > itol).sum()
    assert found.mean == pytest.approx((itol - mine).mean() / 20)


def test_one_stream_stands_for_repetitions_that_are_not_there():
    settings = SMALL.change(seed=4321, repetitions=2)
    assert len(repetitions.found_or_run(settings).shares) == 1
    assert ranking.best(repetitions.found_or_run(settings)) == runs.run(settings).ace.idxmin()
    repetitions.compute(settings)
    assert len(repetitions.found_or_run(settings).shares) == 2


def test_extremes_of_a_map_are_its_best_and_its_worst_place():
    settings = Settings().change(dataset="conflict", n_tasks=4, n_examples=10, repetitions=1)
    cells = transfer_map.compute(settings, transfer_map.line(settings))
    found, gain = transfer_map.extremes(cells, "TOL"), transfer_map.gains(cells, "TOL")
    assert found.most == gain[found.best] == max(gain.values())
    assert found.least == gain[found.worst] == min(gain.values())
    assert found.hurt == len([value for value in gain.values() if value < 0]) > 0


def test_price_is_told_for_the_nearest_number_of_examples():
    settings = Settings().change(n_examples=100)
    prices = bounds.price(settings, bounds.replay(settings))
    near = bounds.price_near(prices, 100)
    assert abs(near.name - 100) == min(abs(n - 100) for n in prices.index)


def test_tasks_of_one_label_and_what_is_left_out_are_counted():
    rng = np.random.default_rng(0)
    labels = [np.ones(5), np.resize([1.0, -1.0], 8), np.resize([1.0, -1.0], 3)]
    found = aklo.Collection.of([(f"{k}", rng.normal(size=(len(y), 2)), y) for k, y in enumerate(labels)])
    assert stream_summary.one_label(found).startswith("In 1 of 3 tasks all examples have the same label")
    said = stream_summary.left_out(found, Settings().change(n_tasks=2, n_examples=4))
    assert said.startswith("1 of 3 is not shown; 2 tasks have more examples than the pages show; ")
