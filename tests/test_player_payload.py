"""What the player is sent: the same numbers as the replay's, small, and in order."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import aklo
from aklo.lab.components.player import PlayerOptions, PlayerView, TaskContext
from aklo.lab.components.player.payload import NOBODY, pack
from aklo.lab.components.player.view import read_view
from aklo.lab.compute.plane import plane_of
from aklo.methods import KNOWING, SAMPLING
from tests.sent import read_block


@pytest.fixture(scope="module")
def replay() -> aklo.Replay:
    return aklo.run(aklo.syn1(n_tasks=50, n_examples=100, seed=0), lam=1e-3).replay(49)


def test_payload_is_below_50_kilobytes(replay):
    names = [f"task {k} (D1)" for k in range(49)]
    assert len(pack(replay, task=TaskContext(names=names, groups=[0] * 49))) < 50_000


def test_payload_of_a_large_task_is_small_and_its_weights_precise():
    stream = aklo.syn1(n_tasks=200, n_examples=1000, seed=0)
    large = aklo.play(stream[199].X, stream[199].y, experts=np.random.default_rng(0).normal(size=(199, 2)), lam=1e-3)
    block = pack(large)
    assert len(block) < 600_000
    _, arrays = read_block(block)
    weights = arrays["weights"].reshape(1000, 199) / 65535 * arrays["scale"][:, None]
    np.testing.assert_allclose(weights, large.weights, atol=1e-5)


def test_payload_holds_the_arrays_of_the_replay(replay):
    header, arrays = read_block(pack(replay, task=TaskContext(group=1, title="Task 49", number=49, n_tasks=50)))
    N, T = 100, 49
    assert (header["n"], header["T"], header["task"], header["nTasks"], header["caption"]) == (N, T, 49, 50, "")
    np.testing.assert_allclose(arrays["points"].reshape(N, 2), replay.X, rtol=1e-6)
    np.testing.assert_array_equal(arrays["labels"], replay.y)
    np.testing.assert_array_equal(arrays["alpha"], replay.alpha)
    np.testing.assert_allclose(arrays["weights"].reshape(N, T), replay.weights, atol=1e-7)
    np.testing.assert_array_equal(arrays["experts"].reshape(T, 3), np.column_stack([np.zeros(T), replay.experts]))
    learner = arrays["learner"].reshape(N + 1, 3)
    np.testing.assert_allclose(learner[:N, 1:], replay.learner, rtol=1e-12)
    np.testing.assert_allclose(arrays["joint"].reshape(N + 1, 3)[:N, 1:], replay.joint_learner, rtol=1e-12)
    np.testing.assert_array_equal(
        arrays["errors"].reshape(6, N), np.stack([replay.errors[m] for m in aklo.METHODS]).astype(int)
    )
    np.testing.assert_array_equal(arrays["drawn"].reshape(2, N), np.stack([replay.drawn[m] for m in SAMPLING]))


def test_last_learner_of_the_payload_is_the_next_expert():
    """What the learner turns into when the task ends is the next task's newest expert."""
    run = aklo.run(aklo.syn1(n_tasks=3, n_examples=30, seed=0), lam=1e-2)
    _, arrays = read_block(pack(run.replay(1)))
    np.testing.assert_allclose(arrays["learner"].reshape(31, 3)[30, 1:], run.replay(2).experts[1], rtol=1e-12)


@pytest.mark.parametrize("clip", ["sum", "advice"])
def test_confidence_is_the_mixture_of_the_payload(clip):
    replay = aklo.run(aklo.syn1(n_tasks=9, n_examples=50, seed=1), lam=1e-3, clip=clip).replay(8)
    _, arrays = read_block(pack(replay))
    words = arrays["words"].reshape(4, 50)
    assert (np.abs(words) <= 1 + 1e-6).all()
    for row, method in zip(words, KNOWING, strict=True):
        said = (1 - replay.alpha) * arrays["own"] + replay.alpha * row
        np.testing.assert_allclose(said, replay.confidence[method], atol=1e-6)
    for method in SAMPLING:
        asked = replay.advice[np.arange(50), replay.drawn[method]]
        np.testing.assert_allclose(words[KNOWING.index(method)], asked, atol=1e-6)


def test_payload_has_no_knowledge_where_alpha_is_zero_or_experts_are_missing():
    stream = aklo.syn1(n_tasks=2, n_examples=20, seed=0)
    run = aklo.run(stream, lam=1e-2, alpha=aklo.Step(at=5))
    _, arrays = read_block(pack(run.replay(1)))
    np.testing.assert_array_equal(np.isnan(arrays["words"].reshape(4, 20)[0]), np.arange(20) >= 5)
    header, arrays = read_block(pack(run.replay(0)))
    assert header["T"] == 0
    assert np.isnan(arrays["words"]).all()
    assert (arrays["drawn"] == NOBODY).all()
    assert arrays["weights"].size == 0
    assert "mixed" not in arrays


def test_more_than_two_features_become_a_slice_through_the_mean():
    replay = aklo.run(aklo.digits(n_tasks=4, n_examples=60, seed=0), lam=0.1).replay(3)
    header, arrays = read_block(pack(replay))
    assert "principal components" in header["caption"]
    assert "slice through the mean" in header["caption"]
    plane = plane_of(replay.X)
    for u in ([0.0, 0.0], [0.7, -1.2]):
        x = plane.mean + plane.directions @ u
        scores = arrays["experts"].reshape(3, 3) @ [1.0, *u]
        np.testing.assert_allclose(scores, replay.experts @ x, atol=1e-9)
        np.testing.assert_allclose(
            arrays["learner"].reshape(61, 3)[:60] @ [1.0, *u], replay.learner @ x, atol=1e-9, rtol=1e-9
        )
    np.testing.assert_allclose(plane.U, (replay.X - plane.mean) @ plane.directions, atol=1e-9)


@pytest.mark.parametrize("limit", [10**9, 10], ids=["made dense", "kept sparse"])
def test_payload_of_sparse_features(monkeypatch, limit):
    monkeypatch.setattr("aklo.lab.compute.plane.DENSE_NUMBERS", limit)
    X = sp.random_array((30, 50), density=0.2, rng=np.random.default_rng(0), format="csr")
    y = np.where(np.arange(30) % 2, 1.0, -1.0)
    replay = aklo.play(X, y, experts=np.random.default_rng(1).normal(size=(2, 50)), lam=0.1)
    header, arrays = read_block(pack(replay))
    plane = plane_of(replay.X)
    x = plane.mean + plane.directions @ [0.3, -0.2]
    np.testing.assert_allclose(arrays["learner"].reshape(31, 3)[:30] @ [1, 0.3, -0.2], replay.learner @ x, atol=1e-9)
    assert ("singular directions" if limit == 10 else "principal components") in header["caption"]


@pytest.mark.parametrize(
    "X",
    [
        [[1.0], [2.0], [-1.0]],
        [[0.0, 0.0]],
        [[1.0, 2.0, 3.0]],
        [[1.0, 2.0, 3.0]] * 4,
        [[1.0, 2.0, 3.0], [3.0, 1.0, 0.0]],
    ],
    ids=["one feature", "one point", "one point in space", "all points the same", "two points"],
)
def test_payload_of_unusual_shapes_is_finite(X):
    y = [1.0, -1.0, 1.0, -1.0][: len(X)]
    header, arrays = read_block(pack(aklo.play(X, y, experts=np.ones((1, len(X[0]))), lam=0.1)))
    left, right, bottom, top = header["box"]
    assert left < right
    assert bottom < top
    assert np.isfinite(arrays["points"]).all()


def test_digest_changes_with_the_title(replay):
    same = [read_block(pack(replay, task=TaskContext(title=title)))[0]["digest"] for title in ("a", "a", "b")]
    assert same[0] == same[1] != same[2]


def test_names_must_match_the_experts(replay):
    with pytest.raises(ValueError, match="2 names were given for 49 experts"):
        pack(replay, task=TaskContext(names=["a", "b"]))
    with pytest.raises(ValueError, match="not one of ITOL"):
        PlayerView(method="AKLO")


def test_digest_does_not_depend_on_the_view():
    replay = aklo.run(aklo.syn1(n_tasks=2, n_examples=5, seed=0), lam=1e-3, seed=0).replay(1)
    first, _ = read_block(pack(replay))
    second, _ = read_block(
        pack(
            replay,
            options=PlayerOptions(link_keys={"step": "i"}),
            view=PlayerView(4, method="TOL"),
            revision=3,
            report=True,
        )
    )
    assert first["digest"] == second["digest"]
    assert second["view"]["step"] == 4 and second["revision"] == 3


@pytest.mark.parametrize(
    "wrong",
    [
        None, 3, "view", {}, {"task": 1}, {"step": 0}, {"step": 6}, {"step": True}, {"step": 2.0}, {"method": "AKLO"},
        {"wide": 1},
        {"told": False}, {"guess": None}, {"regret": None}, {"method": "One pool"}, {"method": ["TOL"]},
    ],
)  # fmt: skip
def test_reported_view_is_validated(wrong):
    good = {"step": 5, "told": True, "method": "TOL", "wide": False, "guess": True, "regret": True, "task": 2}
    assert read_view(good, 2, 5) == PlayerView(5, True, "TOL", False, True, True)
    assert read_view({**good, "guess": False, **wrong} if isinstance(wrong, dict) and wrong else wrong, 2, 5) is None
