"""Regret against brute force: every expert, and a fine search for the best classifier, one example at a time."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import aklo

from .test_bad_input import refused
from .test_bounds import on_a_grid
from .test_exact import dense, make_stream

METHODS = (*aklo.METHODS, "One pool")


def literal_expert(X, y, experts):
    """The mistakes at each step of the expert that makes the fewest, the first of several."""
    best = None
    for w in experts:
        made = [(1 if float(w @ x) >= 0 else -1) != label for x, label in zip(X, y, strict=True)]
        if best is None or sum(made) < sum(best):
            best = made
    return np.array(best, dtype=float)


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.lists(st.integers(1, 15), min_size=1, max_size=5), st.booleans(), st.integers(1, 4))
def test_regret_against_the_best_expert_matches_brute_force(seed, lengths, sparse, d):
    tasks = make_stream(seed, lengths, d, sparse=sparse)
    run = aklo.run(aklo.TaskStream.of(tasks), lam=0.1, methods=METHODS)
    found = aklo.regret(run)
    total = np.zeros(len(METHODS))
    for k, (X, y) in enumerate(dense(tasks)):
        curve = found.curve(k)
        assert curve.shape == (len(y), 7) and list(curve.columns) == list(METHODS)
        if k == 0:
            assert curve.isna().all(axis=None) and found.tasks().loc[0].isna().all()
            continue
        rival = literal_expert(X, y, run.learned.experts[0][:k])
        for m, method in enumerate(METHODS):
            want = np.cumsum(run.errors[method][k] - rival)
            np.testing.assert_array_equal(curve[method], want)
            assert found.tasks()[method][k] == want[-1]
            total[m] += want[-1]
    np.testing.assert_array_equal(found.table["best expert"], total)
    np.testing.assert_array_equal(found.over_stream()[:, -1], total)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("R", [None, 0.7])
def test_best_classifier_of_a_task_has_the_least_hinge_loss(seed, R):
    """No point of a fine grid of the ball loses less, and the mistakes counted are those of the w that was found."""
    run = aklo.run(aklo.conflict(60, n_tasks=4, n_examples=25, seed=seed), lam=0.1)
    found, radius = aklo.regret(run, R=R), 1 / np.sqrt(0.1) if R is None else R
    for k in range(4):
        X, y = run.learned.stream[k].X, run.learned.stream[k].y
        best = aklo.best_in_ball(X, y, R=radius)
        assert best.losses.sum() <= on_a_grid(X, y, radius, np.ones(25)) + 1e-6
        rival = [(1 if float(best.w @ x) >= 0 else -1) != label for x, label in zip(X, y, strict=True)]
        for method in aklo.METHODS:
            want = np.cumsum(run.errors[method][k].astype(int) - np.array(rival))
            np.testing.assert_array_equal(found.curve(k, "best classifier")[method], want)


def test_sparse_and_dense_streams_have_the_same_regret():
    tasks = make_stream(3, (8, 9, 10), 5, sparse=True)
    runs = [aklo.run(aklo.TaskStream.of(form), lam=0.1) for form in (tasks, dense(tasks))]
    assert sp.issparse(runs[0].learned.stream.X)
    np.testing.assert_array_equal(*(aklo.regret(run).table["best expert"] for run in runs))


def test_regret_is_below_zero_where_a_method_beats_every_expert():
    """The one expert is always wrong, and the learner is right but for its first guess."""
    stream = aklo.TaskStream.of([([[1.0]] * 3, [-1, -1, -1]), ([[1.0]] * 5, [1, 1, 1, 1, 1])])
    run = aklo.run(stream, lam=1.0)
    assert aklo.regret(run).tasks()["ITOL"][1] == -5
    assert aklo.regret(run).tasks("best classifier")["ITOL"].tolist() == [1.0, 0.0]


def test_bad_questions_are_refused():
    run = aklo.run(aklo.syn1(3, 5), lam=0.1)
    found = aklo.regret(run)
    refused(lambda: found.curve(3), "3")
    refused(lambda: found.curve(1, "the best"), "'the best'")
    refused(lambda: aklo.regret(run, R=0.0), "R is 0")
