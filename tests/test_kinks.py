"""Exactly on the kinks, where random data never lands; expectations by hand, lambda a power of two."""

import math

import numpy as np
import pytest

import aklo

KNOWLEDGE = ("Unif Sample", "Unif Sum", "AKLO Sample", "AKLO Sum")


def play(X, y, experts=None, lam=0.5, alpha=None, clip="advice", horizon="known"):
    """aklo.play on short lists: a flat X has one feature, so has a flat list of experts."""
    X = np.array(X, float)
    X = X[:, None] if X.ndim == 1 else X
    if experts is not None:
        experts = np.array(experts, float).reshape(-1, X.shape[1])
    alpha = aklo.Constant(1.0) if alpha is None else alpha
    return aklo.play(X, np.array(y), experts=experts, lam=lam, alpha=alpha, clip=clip, horizon=horizon, seed=0)


def run(*tasks, lam=0.5, alpha=None, clip="advice", horizon="known"):
    """aklo.run on tasks given as (X, y) with one feature."""
    stream = aklo.TaskStream.of([(np.array(X, float)[:, None], np.array(y)) for X, y in tasks])
    return aklo.run(stream, lam=lam, alpha=alpha or aklo.Constant(1.0), clip=clip, horizon=horizon, seed=0)


# The learner. With lambda = 1/2: eta_1 = 2, eta_2 = 1, and the shrinking factors are 0 and 1/2.


@pytest.mark.parametrize("label", [1, -1])
@pytest.mark.parametrize(("x", "w"), [(1.0, 0.5), (np.nextafter(1, 2), 0.5), (np.nextafter(1, 0), 1.5)])
def test_margin_exactly_one_adds_nothing(label, x, w):
    """w_2 = 2 * 0.5 = 1, so the margin at t = 2 is x: at 1 or above w only shrinks to 1/2, below 1 it gains x."""
    learner = play([0.5, x, 1], [label, label, 1]).learner
    assert learner[:2].tolist() == [[0], [label]]
    assert learner[2, 0] == pytest.approx(label * w, rel=1e-15)


def test_margin_exactly_one_within_a_stream():
    """The same kink for ITOL in the first task, and for TOL across the border of two tasks."""
    assert run(([0.5, 1, 1], [1, 1, 1])).replay(task=0).learner.ravel().tolist() == [0, 1, 0.5]
    replay = run(([0.5], [1]), ([1, -1], [1, 1])).replay(task=1)
    assert replay.joint_learner.ravel().tolist() == [1, 0.5]
    assert replay.learner.ravel().tolist() == [0, 2]  # ITOL begins anew: margin 0, w_2 = 2 * 1
    assert replay.experts.ravel().tolist() == [1]


def test_learner_is_the_mean_of_violators_over_lambda():
    """Without a margin reached, w_{t+1} = sum of y x over lambda t."""
    replay = play([0.25, -0.25, 0.25, 0.25], [1, 1, -1, 1], lam=1.0)
    assert replay.learner.ravel() == pytest.approx([0, 0.25, 0, -0.25 / 3], abs=1e-15)
    assert replay.confidence["ITOL"] == pytest.approx([0, -0.0625, 0, -0.0625 / 3], abs=1e-15)


@pytest.mark.parametrize("label", [1, -1])
def test_score_zero_predicts_plus_one(label):
    """The first score (w = 0), x = 0, and x at a right angle to w are all 0: wrong exactly when y = -1."""
    replay = play([[0, 0], [1, 0], [0, 1], [0, 0]], [label, 1, label, label])
    assert replay.confidence["ITOL"].tolist() == [0, 0, 0, 0]
    for method in ("ITOL", "TOL", *KNOWLEDGE):
        assert replay.errors[method].tolist() == [label == -1, False, label == -1, label == -1]


def test_minus_zero_predicts_plus_one():
    """A negative w times x = 0 gives -0.0."""
    replay = play([1, 0, 0], [-1, 1, -1], experts=[-1, -4])
    for method in ("ITOL", *KNOWLEDGE):
        assert replay.errors[method][1:].tolist() == [False, True]


# The knowledge base.


def test_no_experts_is_the_learner_alone():
    """In the first task all six agree, whatever alpha."""
    replay = run(([1, 2, -1, 3], [1, -1, 1, 1])).replay(task=0)
    assert replay.weights.shape == (4, 0)
    assert replay.experts.shape == (0, 1)
    for method in aklo.METHODS:
        assert np.array_equal(replay.errors[method], replay.errors["ITOL"])
        assert np.array_equal(replay.confidence[method], replay.confidence["ITOL"])


@pytest.mark.parametrize("horizon", ["known", "unknown"])
@pytest.mark.parametrize("clip", ["sum", "advice"])
def test_one_expert_has_weight_one(clip, horizon):
    """One expert has all the trust; with alpha = 1 its sign is every prediction."""
    x, y = [1, -2, 0.5, 0, -1, 3, 2], np.array([1, 1, -1, -1, -1, 1, -1])
    replay = play(x, y, experts=[2], clip=clip, horizon=horizon)
    assert replay.eps.tolist() == [0] * 7
    assert replay.weights.tolist() == [[1]] * 7
    for method in KNOWLEDGE:
        assert replay.confidence[method].tolist() == [1, -1, 1, 0, -1, 1, 1]
        assert replay.errors[method].tolist() == [False, True, True, True, False, False, True]


@pytest.mark.parametrize("horizon", ["known", "unknown"])
@pytest.mark.parametrize("clip", ["sum", "advice"])
def test_alpha_zero_is_itol(clip, horizon):
    """With alpha = 0 nobody listens to the experts; eps is 0 and the weights stay uniform."""
    rng = np.random.default_rng(0)
    tasks = [(rng.normal(size=n), rng.choice([-1, 1], size=n)) for n in (5, 1, 20, 9)]
    result = run(*tasks, alpha=aklo.Constant(0), clip=clip, horizon=horizon)
    for task in range(4):
        replay = result.replay(task=task)
        assert not replay.eps.any()
        assert np.all(replay.weights == replay.weights[:, :1])
        for method in KNOWLEDGE:
            assert np.array_equal(result.errors[method][task], result.errors["ITOL"][task])
            assert np.array_equal(replay.confidence[method], replay.confidence["ITOL"])


def test_weights_match_a_hand_computation():
    """Experts +1 and -1/2 on x = y = 1: losses 0 and 9/4 an example; eps = sqrt(log 2 / (8 * 3))."""
    replay = play([1, 1, 1], [1, 1, 1], experts=[1, -0.5])
    eps = math.sqrt(math.log(2) / 24)
    second = [1 / (1 + math.exp(eps * 2.25 * k)) for k in range(3)]  # k losses seen before example k + 1
    assert replay.eps == pytest.approx([eps] * 3)
    assert replay.weights[:, 1] == pytest.approx(second)
    assert replay.confidence["AKLO Sum"] == pytest.approx([1 - 1.5 * p for p in second])
    assert replay.confidence["Unif Sum"] == pytest.approx([0.25] * 3)
    assert replay.advice.tolist() == [[1, -0.5]] * 3


def test_mixture_matches_a_hand_computation():
    """alpha = 1/4 at t = 2: w_2 = 1/4 says -1/8, the expert says 1/2, so 3/4 * -1/8 + 1/4 * 1/2 = 1/32."""
    replay = play([0.25, -0.5], [1, 1], experts=[-1], lam=1.0, alpha=aklo.Custom([1, 0.25]))
    for method in KNOWLEDGE:
        assert replay.confidence[method].tolist() == [-0.25, 1 / 32]
        assert replay.errors[method].tolist() == [True, False]
    assert replay.errors["ITOL"].tolist() == [False, True]


@pytest.mark.parametrize("n_experts", [2, 3, 5, 7, 50])
@pytest.mark.parametrize("horizon", ["known", "unknown"])
def test_first_weights_are_uniform(n_experts, horizon):
    """p_1 knows nothing yet."""
    replay = play([1, 1], [1, -1], experts=np.linspace(-1, 1, n_experts), horizon=horizon)
    assert replay.weights[0] == pytest.approx([1 / n_experts] * n_experts, rel=1e-15)


@pytest.mark.parametrize("pairs", [1, 2, 3, 5, 7, 11])
@pytest.mark.parametrize("label", [1, -1])
def test_opposite_saturated_experts_tie(pairs, label):
    """As many experts at +1 as at -1 and alpha = 1: the mean is 0, which predicts +1; so does AKLO at t = 1."""
    replay = play([1, 1, -1], [label] * 3, experts=[4] * pairs + [-4] * pairs)
    assert replay.errors["Unif Sum"].tolist() == [label == -1] * 3
    assert replay.errors["AKLO Sum"][0] == (label == -1)
    assert replay.errors["AKLO Sum"][1:].tolist() == [False, True]  # then it knows whom to trust; x = -1 deceives it


def test_clip_after_the_sum_differs_from_clip_on_each_expert():
    """Experts 4 and -16 on x = 1: clip after the sum hears -6, so -1; clip on each hears 1 - 1 = 0, so +1."""
    for clip, word, wrong in (("sum", -1, True), ("advice", 0, False)):
        replay = play([1], [1], experts=[4, -16], clip=clip)
        for method in ("Unif Sum", "AKLO Sum"):
            assert replay.confidence[method].tolist() == [word]
            assert replay.errors[method].tolist() == [wrong]


@pytest.mark.parametrize(("B", "mistakes"), [(1e3, 59), (1e6, 100)])
@pytest.mark.parametrize("first", [1, -1])
def test_unclipped_expert_dominates_the_sum(B, mistakes, first):
    """Two loud experts: wrong while B exp(-4 eps (t-1)) > 1 under clip="sum"; at most the first tie otherwise."""
    y = np.resize([first, 1, -1, 1], 100)
    X = np.column_stack([y, np.zeros(100)])
    loud = play(X, y, experts=[[1, 0], [-B, 0]], clip="sum")
    assert loud.errors["AKLO Sum"].sum() == mistakes
    assert loud.errors["AKLO Sum"][:mistakes].all()
    calm = play(X, y, experts=[[1, 0], [-B, 0]], clip="advice")
    assert np.flatnonzero(calm.errors["AKLO Sum"]).tolist() == ([0] if first == -1 else [])


# Time.


@pytest.mark.parametrize("alpha", [aklo.Linear(), aklo.Cosine(), aklo.Custom([1, 0]), aklo.Power(1)])
def test_tasks_of_one_example_are_learned(alpha):
    """alpha_1 = 1 and w_1 = 0: only the experts y x / lambda = 2, -4 speak, uniformly weighted."""
    result = run(([1], [1]), ([2], [-1]), ([0.125], [-1]), alpha=alpha)
    assert [result.errors["ITOL"][k].tolist() for k in range(3)] == [[False], [True], [True]]
    assert [result.errors["TOL"][k].tolist() for k in range(3)] == [[False], [True], [False]]
    assert result.replay(task=1).confidence["AKLO Sum"].tolist() == [1]
    replay = result.replay(task=2)
    assert replay.experts.tolist() == [[2], [-4]]
    assert replay.alpha.tolist() == [1]
    assert replay.weights.tolist() == [[0.5, 0.5]]
    assert replay.confidence["AKLO Sum"].tolist() == replay.confidence["Unif Sum"].tolist() == [-0.125]


@pytest.mark.parametrize("horizon", ["known", "unknown"])
def test_huge_losses_do_not_underflow(horizon):
    """alpha = 1e-9 makes eps * L exceed a million for every expert; the better one still gets all the trust."""
    n = 2000
    replay = play(np.ones(n), -np.ones(n), experts=[0.5, 1, 0.5], alpha=aklo.Constant(1e-9), horizon=horizon)
    assert np.isfinite(replay.eps).all()
    assert replay.eps.min() > 100
    assert replay.weights.sum(axis=1) == pytest.approx(np.ones(n), abs=1e-12)
    assert replay.weights[-1] == pytest.approx([0.5, 0, 0.5], abs=1e-12)
    assert np.isfinite(replay.confidence["AKLO Sum"]).all()
    assert set(np.unique(replay.drawn["AKLO Sample"][-500:])) == {0, 2}


def test_unknown_horizon_resets_losses_at_powers_of_two():
    """At t = 2^m the losses are dropped, eps = sqrt(log 2 / (8 * 2^m)) until t = 2^(m+1) - 1; 4 lost a step."""
    replay = play(np.ones(20), np.ones(20), experts=[1, -1], horizon="unknown")
    for t in range(1, 21):
        start = 2 ** int(math.log2(t))
        eps = math.sqrt(math.log(2) / (8 * start))
        assert replay.eps[t - 1] == pytest.approx(eps)
        assert replay.weights[t - 1, 1] == pytest.approx(1 / (1 + math.exp(eps * 4 * (t - start))))
    uniform = np.flatnonzero(replay.weights[:, 0] == replay.weights[:, 1]) + 1
    assert uniform.tolist() == [1, 2, 4, 8, 16]


def test_unknown_horizon_sums_alpha_up_to_the_period_s_start():
    """alpha = 1, 0, 0, ...: each sum is 1, so eps never falls."""
    replay = play(np.ones(9), np.ones(9), experts=[1, -1], alpha=aklo.Step(at=1), horizon="unknown")
    assert replay.eps == pytest.approx([math.sqrt(math.log(2) / 8)] * 9)
