"""Streams: the generators keep their docstrings' word, own arrays are copied, and nobody looks at the groups."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from scipy import stats

import aklo

from .test_bad_input import refused

GENERATORS = [aklo.syn1, aklo.syn2, aklo.conflict]
every = pytest.mark.parametrize("make", GENERATORS)


def dense(X):
    return X.toarray() if sp.issparse(X) else X


def same(a, b):
    """Equal to the last byte, with all that is only for drawing."""
    assert a.X.tobytes() == b.X.tobytes() and a.y.tobytes() == b.y.tobytes()
    assert a.offsets.tolist() == b.offsets.tolist()
    assert (a.groups, a.names) == (b.groups, b.names) and a.vectors.tobytes() == b.vectors.tobytes()


def ragged(form=np.asarray):
    """Four tasks of different lengths and three features."""
    rng = np.random.default_rng(5)
    sizes = [(n, rng.normal(size=(n, 3)) * (rng.random((n, 3)) < 0.7)) for n in (4, 1, 7, 3)]
    return [(form(X), rng.choice([-1.0, 1.0], n)) for n, X in sizes]


# ------------------------------------------------------------------------------------------------- the generators


@every
def test_streams_have_the_promised_shapes_and_labels(make):
    """The paper's sizes are the defaults; each label is the sign of its task's vector on x."""
    stream = make()
    assert (len(stream), stream.d, set(stream.lengths.tolist())) == (50, 2, {100})
    assert sorted(stream.groups) == [0] * 25 + [1] * 25
    for k, group in enumerate(stream.groups):
        task = stream[k]
        assert (task.group, task.name, len(task)) == (group, f"task {k} (D{group + 1})", 100)
        assert task.y.tolist() == [1 if x @ task.vector >= 0 else -1 for x in task.X]
    assert make(n_tasks=7, n_examples=3).X.shape == (21, 2)


@every
def test_same_seed_gives_the_same_stream(make):
    """Equal seeds give equal bytes; another seed gives another order, other vectors and other points."""
    same(make(seed=3), make(seed=3))
    one, other = make(seed=3), make(seed=4)
    assert one.groups != other.groups
    assert not np.isin(one.X, other.X).any()
    assert not np.isin(one.vectors, other.vectors).any()


def test_syn1_has_the_given_means_and_vectors():
    """Each group has its own mean and labelling vector: the paper's, or those given."""
    for given, means, vectors in [
        ({}, [[10, 10], [20, 5]], [[-1, 1], [-0.25, 1]]),
        (
            {"mean1": (1, 2), "mean2": (-3, 4), "vector1": (5, 6), "vector2": (7, -8)},
            [[1, 2], [-3, 4]],
            [[5, 6], [7, -8]],
        ),
    ]:
        stream = aklo.syn1(n_examples=200, **given)
        e = stream.vectors - np.array(vectors)[list(stream.groups)]
        np.testing.assert_allclose(e[:, 0], e[:, 1], atol=1e-12)  # one number for each task
        assert 0 < np.abs(e).max() < 5e-3
        for group in (0, 1):
            points = np.concatenate([task.X for task in stream if task.group == group])
            np.testing.assert_allclose(points.mean(axis=0), means[group], atol=5 / np.sqrt(len(points)))


def test_syn2_and_conflict_have_one_mean():
    """D2's vector is D1's with e added, then turned: by 180 degrees in syn2, by the angle in conflict."""
    flat = aklo.syn2(mean=(3, -2), vector=(2, 5))
    np.testing.assert_allclose(flat.X.mean(axis=0), (3, -2), atol=5 / np.sqrt(5000))
    e = flat.vectors * np.where(np.array(flat.groups) == 1, -1, 1)[:, None] - (2, 5)
    np.testing.assert_array_less(np.abs(e), 5e-3)
    np.testing.assert_allclose(e[:, 0], e[:, 1], atol=1e-12)
    for angle in (-90, 30, 90, 135, 360):
        stream, straight = aklo.conflict(angle, seed=2), aklo.conflict(0, seed=2)
        np.testing.assert_allclose(stream.X.mean(axis=0), 0, atol=5 / np.sqrt(5000))
        assert stream.X.tobytes() == straight.X.tobytes() and stream.groups == straight.groups
        for group, a, b in zip(stream.groups, stream.vectors, straight.vectors, strict=True):
            turned = complex(*b) * np.exp(1j * np.radians(angle * group))
            np.testing.assert_allclose(a, [turned.real, turned.imag], atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_conflict_at_0_and_180_degrees_is_one_group_and_syn2(seed):
    """0 degrees: both groups label alike; 180 degrees at (10, 10): syn2, byte for byte, D2 exactly opposed."""
    same(aklo.conflict(180, mean=(10, 10), seed=seed), aklo.syn2(seed=seed))
    family = aklo.conflict(0, sd=0, seed=seed)
    assert (family.vectors == (-1, 1)).all()
    enemies = aklo.syn2(sd=0, seed=seed)
    assert (enemies.vectors == np.where(np.array(enemies.groups)[:, None] == 1, (1, -1), (-1, 1))).all()


@every
def test_spread_and_sd_only_scale_their_noise(make):
    """Nothing else moves: not the order, not the other noise. At 1 the noise is standard normal."""
    still, one, three = (make(spread=spread, seed=1) for spread in (0, 1, 3))
    assert still.groups == one.groups == three.groups
    assert still.vectors.tobytes() == one.vectors.tobytes() == three.vectors.tobytes()
    np.testing.assert_allclose(three.X - still.X, 3 * (one.X - still.X), atol=1e-12)
    assert stats.kstest((one.X - still.X).ravel(), "norm").pvalue > 0.01
    exact, small, large = (make(sd=sd, seed=1, n_tasks=400) for sd in (0, 0.5, 2))
    assert exact.X.tobytes() == small.X.tobytes() == large.X.tobytes()
    e = small.vectors - exact.vectors
    np.testing.assert_allclose(large.vectors - exact.vectors, 4 * e, atol=1e-12)
    assert stats.kstest(e[np.array(exact.groups) == 0, 0] / 0.5, "norm").pvalue > 0.01


@every
def test_share_and_order_set_the_groups(make):
    """`share` of the tasks are D2, to the nearest whole; in blocks, evenly alternating, or shuffled."""
    for share, n, ones in [(0, 5, 0), (1, 5, 5), (0.5, 5, 3), (0.25, 8, 2), (0.3, 10, 3), (0.5, 1, 1)]:
        for order in ("shuffled", "blocks", "alternating"):
            assert sum(make(n_tasks=n, n_examples=1, share=share, order=order).groups) == ones
    assert make(n_tasks=5, share=0.4, order="blocks", seed=7).groups == (0, 0, 0, 1, 1)
    assert make(n_tasks=6, order="alternating", seed=7).groups == (0, 1, 0, 1, 0, 1)
    assert make(n_tasks=9, share=1 / 3, order="alternating", seed=7).groups == (0, 0, 1) * 3
    drawn = {make(n_tasks=6, n_examples=1, seed=seed).groups for seed in range(200)}
    assert len(drawn) == 20  # all ways to place three of six


@every
def test_a_tie_is_labelled_plus_one(make):
    """Points exactly on the line, on either side of a turned vector (where the product may be -0)."""
    place = {"mean1": (1, 1), "mean2": (4, 1)} if make is aklo.syn1 else {"mean": (1, 1)}
    turn = {"angle": 180} if make is aklo.conflict else {}
    assert (make(n_tasks=6, n_examples=2, spread=0, sd=0, **place, **turn).y == 1).all()


@every
@pytest.mark.parametrize(
    ("keyword", "value", "name"),
    [
        ("n_tasks", 0, "0"), ("n_tasks", 2.5, "2.5"), ("n_examples", -1, "-1"), ("spread", -1, "-1"),
        ("spread", np.nan, "nan"), ("spread", np.inf, "inf"), ("spread", 1e200, "1e+100"), ("sd", -0.5, "-0.5"),
        ("sd", 1e300, "sd"), ("share", 1.5, "1.5"), ("share", -0.1, "-0.1"), ("share", np.nan, "nan"),
        ("order", "up", "'up'"),
    ],
)  # fmt: skip
def test_bad_parameters_are_refused(make, keyword, value, name):
    """A bad value is refused in one sentence that names it."""
    refused(lambda: make(**{keyword: value}), keyword, name)


@pytest.mark.parametrize("angle", [np.nan, np.inf])
def test_bad_means_and_vectors_are_refused(angle):
    """Angles, means and vectors have to be finite."""
    refused(lambda: aklo.conflict(angle), "angle", str(angle))
    refused(lambda: aklo.syn2(mean=(angle, 1)), "means")
    refused(lambda: aklo.syn1(vector2=(1, angle)), "vectors")


# ----------------------------------------------------------------------------------------------------- own arrays


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.coo_matrix, sp.csc_matrix])
def test_of_keeps_every_task(form):
    """Different lengths, dense or sparse, with groups and names."""
    tasks = ragged(form)
    stream = aklo.TaskStream.of(tasks, groups=[3, 1, 3, 0], names=["a", "b", "c", "d"])
    assert (len(stream), stream.d, stream.lengths.tolist()) == (4, 3, [4, 1, 7, 3])
    for task, (X, y), group, name in zip(stream, tasks, [3, 1, 3, 0], "abcd", strict=True):
        assert (dense(task.X) == dense(X)).all() and task.y.tolist() == y.tolist()
        assert (task.group, task.name, task.vector) == (group, name, None)
    plain = aklo.TaskStream.of([aklo.Task(X, y) for X, y in tasks])
    assert (plain.groups, plain.names, plain[2].name) == (None, None, "task 2")
    assert (dense(plain.X) == dense(stream.X)).all()


def test_of_mixes_dense_and_sparse():
    """One sparse task makes the stream sparse, and changes no number."""
    tasks = ragged()
    mixed = aklo.TaskStream.of([(sp.csr_array(X) if k == 2 else X, y) for k, (X, y) in enumerate(tasks)])
    assert sp.issparse(mixed.X) and (mixed.X.toarray() == aklo.TaskStream.of(tasks).X).all()


def test_of_refuses_bad_groups_names_and_pairs():
    """Groups or names that are not one a task, and what is no pair."""
    refused(lambda: aklo.TaskStream.of(ragged(), groups=[1, 2]), "2 groups", "4")
    refused(lambda: aklo.TaskStream.of(ragged(), names=["a"] * 5), "5 names", "4")
    refused(lambda: aklo.TaskStream.of([*ragged(), 3]), "task 4")
    refused(lambda: aklo.TaskStream.of([*ragged(), (1, 2, 3)]), "task 4")


@pytest.mark.parametrize("k", [-5, 4, 100])
def test_missing_task_raises_index_error(k):
    """Tasks count from 0, or from the end as in a list."""
    with pytest.raises(IndexError, match=rf"task {k} does not exist: the stream's tasks are 0 to 3\."):
        aklo.TaskStream.of(ragged())[k]


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_shuffled_keeps_the_examples_of_each_task(form):
    """The order of tasks and of the examples within each changes, and nothing else."""
    stream = aklo.TaskStream.of(ragged(form), groups=range(4), names="abcd")
    orders, inner = set(), set()
    for seed in range(60):
        other = stream.shuffled(np.random.default_rng(seed))
        orders.add(other.groups)
        for task in other:
            home = stream[task.group]
            rows, ours = (np.column_stack([dense(t.X), t.y]).tolist() for t in (home, task))
            assert sorted(rows) == sorted(ours) and task.name == home.name
            if task.group == 3:
                inner.add(tuple(map(tuple, ours)))
    assert len(orders) > 20 and len(inner) == 6
    syn = aklo.syn1(n_tasks=5, n_examples=4).shuffled(np.random.default_rng(1))
    assert all(task.y.tolist() == [1 if x @ task.vector >= 0 else -1 for x in task.X] for task in syn)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csr_matrix, sp.coo_array])
def test_given_arrays_are_neither_changed_nor_shared(form):
    """Neither changed nor shared, not even where sparse entries are given twice and have to be summed."""
    X = form(np.array([[1.0, 0.0], [3.0, 4.0]]))
    if sp.issparse(X) and X.format == "csr":
        X = form((np.array([5.0, -4.0, 4.0, 3.0]), np.array([0, 0, 1, 0]), np.array([0, 2, 4])), shape=(2, 2))
    y = np.array([1.0, -1.0])
    arrays = [y, *((v for v in vars(X).values() if isinstance(v, np.ndarray)) if sp.issparse(X) else [X])]
    before = [array.copy() for array in arrays]
    stream = aklo.TaskStream.of([(X, y)])
    aklo.repeat(stream, 2, lam=0.1)
    assert all(array.tobytes() == old.tobytes() for array, old in zip(arrays, before, strict=True))
    for array in arrays:
        array[:] = 0
    assert dense(stream.X).tolist() == [[1, 0], [3, 4]] and stream.y.tolist() == [1, -1]


def test_methods_ignore_groups_names_and_vectors():
    """Streams that differ in nothing else give the same errors in all six methods."""
    stream = aklo.syn1(n_tasks=8, n_examples=20)
    bare = replace(stream, groups=None, names=None, vectors=None)
    other = replace(stream, groups=(7,) * 8, names=("x",) * 8, vectors=-stream.vectors)
    wrong = [aklo.run(s, lam=1e-3, alpha=aklo.Linear(0.5), clip="advice").wrong for s in (stream, bare, other)]
    assert (wrong[0] == wrong[1]).all() and (wrong[0] == wrong[2]).all()
    aces = [aklo.repeat(s, 3, lam=1e-3).ace.to_numpy() for s in (stream, bare, other)]
    assert (aces[0] == aces[1]).all() and (aces[0] == aces[2]).all()
