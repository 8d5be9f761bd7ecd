"""The library against the slow reference, on streams of every legal kind."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import aklo

from . import reference

CERTAIN = ("ITOL", "TOL", "Unif Sum", "AKLO Sum")  # the methods without a drawn expert
TIE = 1e-9  # below this a confidence is a tie beyond floating point: either sign is right
many = settings(max_examples=150)


@dataclass
class Case:
    """One stream and all settings."""

    tasks: list  # as the user hands them over: dense or sparse
    lam: float
    name: str  # of the schedule
    parameters: tuple
    clip: str
    horizon: str

    @property
    def dense(self):
        """The tasks as the reference wants them."""
        return dense(self.tasks)

    @property
    def options(self):
        """What aklo.mix wants beside the learned stream and the seed."""
        schedule = getattr(aklo, self.name)(*self.parameters)
        return {"alpha": schedule, "clip": self.clip, "horizon": self.horizon}

    def alpha(self, n):
        """The literal alpha_1..alpha_n."""
        return reference.SCHEDULES[self.name](n, *self.parameters)

    def run(self, seed=0):
        """The library's run, in its two steps."""
        learned = aklo.learn(aklo.TaskStream.of(self.tasks), lam=self.lam)
        return aklo.mix(learned, seed=seed, **self.options)

    def reference(self):
        """The reference's run."""
        return reference.run(self.dense, self.lam, self.alpha, self.clip, self.horizon, history=True)


def make_stream(seed, lengths, d, scale=1.0, sparse=False, flips=0.1):
    """Tasks with labels from random linear rules, some flipped, as dense arrays or csr (30 % nonzeros)."""
    rng = np.random.default_rng(seed)
    tasks = []
    for n in lengths:
        X = scale * rng.normal(size=(n, d))
        if sparse:
            X = X * (rng.random(X.shape) < 0.3)
        y = np.where(X @ rng.normal(size=d) >= 0, 1, -1)
        tasks.append((X, np.where(rng.random(n) < flips, -y, y)))
    return [(sp.csr_matrix(X), y) for X, y in tasks] if sparse else tasks


def dense(tasks):
    """The same tasks as plain arrays."""
    return [(X.toarray() if sp.issparse(X) else np.asarray(X, float), np.asarray(y)) for X, y in tasks]


shares = st.integers(0, 100).map(lambda k: k / 100)
# No sum of alpha is tiny here: a huge eps would magnify rounding (test_kinks has those).
SCHEDULES = {
    "Linear": st.tuples(shares),
    "Ramp": st.tuples(shares, st.integers(1, 60)),
    "Cosine": st.just(()),
    "Custom": st.lists(shares, min_size=1, max_size=6).map(lambda points: (sorted(points, reverse=True),)),
    "Constant": st.tuples(shares),
    "Exponential": st.tuples(st.floats(0.5, 100)),
    "Power": st.tuples(st.floats(0, 3)),
    "Step": st.tuples(st.integers(0, 50)),
    "Logistic": st.tuples(st.floats(-20, 60), st.floats(0.5, 20)),
}


@st.composite
def cases(draw):
    """Any legal case."""
    horizon = draw(st.sampled_from(("known", "unknown")))
    names = [name for name in SCHEDULES if horizon == "known" or name not in reference.NEED_HORIZON]
    name = draw(st.sampled_from(names))
    tasks = make_stream(
        seed=draw(st.integers(0, 2**32 - 1)),
        lengths=draw(st.lists(st.integers(1, 40), min_size=1, max_size=8)),
        d=draw(st.integers(1, 30)),
        scale=draw(st.sampled_from((0.1, 1.0, 10.0))),
        sparse=draw(st.booleans()),
    )
    return Case(
        tasks=tasks,
        lam=draw(st.sampled_from((1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3))),
        name=name,
        parameters=draw(SCHEDULES[name]),
        clip=draw(st.sampled_from(("sum", "advice"))),
        horizon=horizon,
    )


def close(got, want):
    """Equal shapes, equal values to 1e-9 of max(1, |value|)."""
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape
    far = ~(np.abs(got - want) <= 1e-9 * np.maximum(1, np.abs(want)))  # not <=, so that NaN is far too
    assert not far.any(), f"{far.sum()} values differ, first {got[far][0]!r} for {want[far][0]!r}"


def same_errors(got, want, confidence):
    """Equal errors, but for ties: examples where the reference's |confidence| is lost in rounding."""
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape
    assert got.dtype == bool
    differ = np.flatnonzero((got != want) & (np.abs(confidence) >= TIE))
    assert differ.size == 0, f"{differ.size} examples differ, first {differ[0]}, confidence {confidence[differ[0]]}"


def small_case(**changes):
    """A fixed little stream on which every method errs now and then."""
    tasks = make_stream(seed=3, lengths=(12, 20, 7, 25, 16), d=3)
    case = Case(tasks, 0.1, "Linear", (0.2,), "sum", "known")
    return replace(case, **changes)


def everything(run):
    """All a run says, as bytes."""
    parts = [run.ace.to_numpy()]
    for method in aklo.METHODS:
        parts += run.errors[method]
    for method in reference.SAMPLING:
        parts += run.expected[method]
    for task in range(len(run.errors["ITOL"])):
        replay = run.replay(task=task)
        parts += [replay.weights, replay.learner, replay.joint_learner, replay.eps, replay.alpha, replay.advice]
        parts += [replay.confidence[method] for method in aklo.METHODS]
        parts += [replay.drawn[method] for method in reference.SAMPLING if task > 0]
    return b"|".join(np.ascontiguousarray(part).tobytes() for part in parts)


def test_method_names():
    """Six names, in their order."""
    assert tuple(aklo.METHODS) == reference.METHODS


@many
@given(cases())
def test_errors_and_ace_match_the_reference(case):
    """Every prediction of the four methods that draw nothing; ACE of all six; tasks of any lengths."""
    run, truth = case.run(), case.reference()
    for method in CERTAIN:
        assert len(run.errors[method]) == len(run.predictions[method]) == len(case.tasks)
        for said, (_, y), wrong in zip(run.predictions[method], case.tasks, run.errors[method], strict=True):
            assert np.array_equal(said, np.where(wrong, -y, y))
        for got, want, confidence in zip(
            run.errors[method], truth.errors[method], truth.confidence[method], strict=True
        ):
            same_errors(got, want, confidence)
    assert list(run.ace.index) == list(aklo.METHODS)
    for method in aklo.METHODS:
        assert run.ace[method] == pytest.approx(np.mean([e.mean() for e in run.errors[method]]), abs=1e-12)


def check_replays(case):
    """Compare the whole inner life of each task."""
    run, truth = case.run(), case.reference()
    for task, (X, y) in enumerate(case.dense):
        replay = run.replay(task=task)
        close(replay.X.toarray() if sp.issparse(replay.X) else replay.X, X)
        assert np.array_equal(replay.y, y)
        close(replay.alpha, case.alpha(len(y)))
        close(replay.eps, truth.eps[task])
        close(replay.weights, truth.weights[task])
        close(replay.learner, truth.learner[task])
        close(replay.joint_learner, truth.joint_learner[task])
        close(replay.experts, truth.experts[:task])
        close(replay.advice, np.clip(X @ truth.experts[:task].T, -1, 1))
        for method in CERTAIN:
            close(replay.confidence[method], truth.confidence[method][task])
        for method in aklo.METHODS:
            assert np.array_equal(replay.errors[method], run.errors[method][task])


@many
@given(cases())
def test_replay_matches_the_reference(case):
    """Streams of every kind, seen from inside."""
    check_replays(case)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize(("horizon", "clip"), [("known", "sum"), ("unknown", "advice")])
@pytest.mark.parametrize(("lengths", "d"), [((1500, 3, 900), 4), (np.arange(80) % 9 + 1, 3), ((70, 45, 80), 3000)])
def test_large_streams_match_the_reference(lengths, d, horizon, clip, sparse):
    """Sizes beyond any block a fast implementation may work in: long tasks, many tasks, many features."""
    tasks = make_stream(seed=d, lengths=lengths, d=d, sparse=sparse)
    check_replays(Case(tasks, 0.01, "Power", (0.3,), clip, horizon))


@many
@given(cases())
def test_sampled_predictions_follow_the_drawn_experts(case):
    """What was drawn explains each sampled prediction, and the expected errors are the reference's."""
    run, truth = case.run(seed=1), case.reference()
    for task, (X, y) in enumerate(case.dense):
        replay = run.replay(task=task)
        alone, alpha = truth.confidence["ITOL"][task], case.alpha(len(y))
        advice = np.clip(X @ truth.experts[:task].T, -1, 1)
        for method in reference.SAMPLING:
            value = alone
            if task > 0:
                drawn = np.asarray(replay.drawn[method])
                assert drawn.shape == y.shape
                assert drawn.dtype.kind == "i"
                assert drawn.min() >= 0
                assert drawn.max() < task
                value = (1 - alpha) * alone + alpha * advice[np.arange(len(y)), drawn]
            close(replay.confidence[method], value)
            same_errors(run.errors[method][task], np.where(value >= 0, 1, -1) != y, value)
            expected = run.expected[method][task]
            assert np.all((expected >= 0) & (expected <= 1 + 1e-12))  # a sum of rounded weights
            clear = truth.closest[task] >= TIE  # no expert's prediction hangs on a rounding
            assert expected.shape == y.shape
            close(expected[clear], truth.expected[method][task][clear])


@many
@given(cases())
def test_play_matches_the_reference(case):
    """One task against given experts is that task of the stream; TOL has no other task, so it is the learner."""
    truth, last = case.reference(), len(case.tasks) - 1
    replay = case.run().replay(task=last)
    X, y = case.tasks[last]
    played = aklo.play(X, y, experts=replay.experts if last else None, lam=case.lam, seed=0, **case.options)
    for name in ("alpha", "eps", "weights", "learner", "advice"):
        close(getattr(played, name), getattr(replay, name))
    close(played.joint_learner, replay.learner)
    for method in ("ITOL", "Unif Sum", "AKLO Sum"):
        close(played.confidence[method], replay.confidence[method])
        same_errors(played.errors[method], replay.errors[method], truth.confidence[method][last])
    assert np.array_equal(played.errors["TOL"], played.errors["ITOL"])


@settings(max_examples=30)
@given(cases())
def test_run_equals_learn_and_mix_for_any_budget(case):
    """The short cut, and a budget too small to keep any advice, change nothing."""
    stream = aklo.TaskStream.of(case.tasks)
    run = case.run(seed=5)
    at_once = aklo.run(stream, lam=case.lam, seed=5, **case.options)
    frugal = aklo.mix(aklo.learn(stream, lam=case.lam, budget=0), seed=5, **case.options)
    for method in aklo.METHODS:
        for whole, other, third in zip(run.errors[method], at_once.errors[method], frugal.errors[method], strict=True):
            assert np.array_equal(whole, other)
            assert np.array_equal(whole, third)


@settings(max_examples=30)
@given(cases())
def test_predictions_do_not_depend_on_later_labels(case):
    """A label changes nothing that was said before it was shown."""
    X, y = case.tasks[-1]
    flipped = y.copy()
    flipped[-1] *= -1
    other = replace(case, tasks=[*case.tasks[:-1], (X, flipped)])
    task = len(case.tasks) - 1
    before, after = case.run().replay(task=task), other.run().replay(task=task)
    close(after.weights, before.weights)
    for method in aklo.METHODS:
        close(after.confidence[method], before.confidence[method])


@pytest.mark.parametrize("clip", ["sum", "advice"])
@pytest.mark.parametrize("method", reference.SAMPLING)
def test_mean_of_sampled_errors_is_the_expected_error(clip, method):
    """Over 400 seeds mean and spread of the mistakes are those of fresh draws at each example."""
    case, n_seeds = small_case(clip=clip), 400
    learned = aklo.learn(aklo.TaskStream.of(case.tasks), lam=case.lam)
    runs = [aklo.mix(learned, seed=s, **case.options) for s in range(n_seeds)]
    wrong = np.array([np.concatenate(run.errors[method]) for run in runs])
    chance = np.concatenate(runs[0].expected[method])
    assert not wrong[:, chance < 1e-12].any()
    assert wrong[:, chance > 1 - 1e-12].all()
    mistakes = wrong.sum(axis=1)
    variance = np.sum(chance * (1 - chance))
    assert variance > 1  # or the test would say nothing
    assert abs(mistakes.mean() - chance.sum()) < 5 * np.sqrt(variance / n_seeds)
    assert abs(mistakes.var() / variance - 1) < 5 * np.sqrt(2 / n_seeds)  # one draw for a whole task would be wider


def test_same_call_gives_identical_results():
    """Equal calls agree to the last bit; another seed draws other experts."""
    case = small_case()
    assert everything(case.run(seed=7)) == everything(case.run(seed=7))
    drawn = {case.run(seed=s).replay(task=4).drawn["Unif Sample"].tobytes() for s in range(5)}
    assert len(drawn) == 5


def test_global_random_state_is_not_changed():
    """numpy's global generator neither matters nor moves."""
    case, seen = small_case(), []
    for global_seed in (1, 2):
        np.random.seed(global_seed)  # noqa: NPY002 (the legacy generator is the point)
        before = np.random.get_state()  # noqa: NPY002
        seen.append(everything(case.run(seed=7)))
        after = np.random.get_state()  # noqa: NPY002
        assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))
    assert seen[0] == seen[1]


@pytest.mark.parametrize("dress", [sp.csr_matrix, sp.csr_array, sp.csc_matrix, sp.coo_matrix, np.asfortranarray])
def test_dense_and_sparse_features_give_the_same_results(dress):
    """Any scipy format, matrix or array, and any memory order give the same answers and stay as they were."""
    plain = make_stream(seed=4, lengths=(9, 14, 11), d=6)
    dressed = [(dress(X), y.astype(float)) for X, y in plain]
    ours, theirs = (small_case(tasks=tasks, clip="advice").run(seed=2) for tasks in (plain, dressed))
    for method in aklo.METHODS:
        for got, want in zip(theirs.errors[method], ours.errors[method], strict=True):
            assert np.array_equal(got, want)
    for (X, y), (X_after, y_after) in zip(plain, dense(dressed), strict=True):
        assert np.array_equal(X, X_after)
        assert np.array_equal(y, y_after)


def test_narrow_number_types_give_the_same_results():
    """Whole-number and single-precision features are the same numbers as doubles."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(-5, 6, size=(30, 4)), rng.choice([-1, 1], size=30)
    options = {"experts": np.eye(4), "lam": 0.5, **small_case().options}
    want = aklo.play(X.astype(float), y, seed=0, **options)
    for narrow in (X, X.astype(np.int8), X.astype(np.float32)):
        got = aklo.play(narrow, y.astype(np.int8), seed=0, **options)
        close(got.learner, want.learner)
        close(got.confidence["AKLO Sum"], want.confidence["AKLO Sum"])
