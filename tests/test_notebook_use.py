"""What a person types in a notebook: short reprs, text for schedules, slices, predictions, and natural arguments."""

from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp

import aklo

from .test_bad_input import refused
from .test_exact import make_stream

SMALL = partial(aklo.syn1, n_tasks=4, n_examples=12)
RAGGED = (5, 12, 1, 7)


def ragged(sparse=False):
    return aklo.TaskStream.of(make_stream(0, RAGGED, 3, sparse=sparse), groups=[0, 1, 0, 1], names="abcd")


def dense(X):
    return X.toarray() if sp.issparse(X) else X


def test_reprs_are_short_and_tell_the_size_and_the_results():
    stream = aklo.syn1()
    run = aklo.run(stream, lam=1e-3, methods=tuple(aklo.RULES))
    replay = run.replay(49)
    bound = aklo.theorem1(replay, R=2.0)
    shown = [
        (stream, ["TaskStream", "50 tasks of 100 examples", "2 features"]),
        (stream[3], ["Task 'task 3", "100 examples", "2 features"]),
        (ragged(sparse=True), ["4 tasks of 1 to 12 examples", "3 sparse features"]),
        (run.learned, ["LearnedStream", "50 tasks of 100 examples", "lam=0.001"]),
        (run, ["Run", "lam=0.001", "alpha='linear:end=0'", f"AKLO Sum {100 * run.ace['AKLO Sum']:.1f} %"]),
        (replay, ["Replay", "100 examples, 49 experts", f"One pool {replay.errors['One pool'].sum()}"]),
        (bound, ["Theorem 1", f"{bound.total:.3g} = ", f"mistakes: {replay.errors['AKLO Sum'].sum()} of 100"]),
        (aklo.regret(run), ["Regret", "50 tasks", "best expert", "best classifier", "One pool"]),
        (aklo.repeat(SMALL, 3, lam=0.1), ["Repeats", "3 repetitions of 4 tasks", "mean ACE: ITOL"]),
        (aklo.Collection.of([("a", [[1.0]], [1])]), ["Collection", "1 task of 1 example", "1 feature"]),
    ]
    for thing, words in shown:
        text = repr(thing)
        assert len(text) < 600 and "\n" not in text and all(word in text for word in words), text


def test_text_is_taken_wherever_a_schedule_is():
    text, schedule, stream = "linear:end=0.5", aklo.Linear(end=0.5), SMALL()
    learned, task = aklo.learn(stream, lam=0.1), stream[2]
    calls = [
        lambda alpha: aklo.run(stream, lam=0.1, alpha=alpha).wrong,
        lambda alpha: aklo.mix(learned, alpha=alpha).wrong,
        lambda alpha: aklo.play(task.X, task.y, experts=[[1.0, 0.0]], lam=0.1, alpha=alpha).alpha,
        lambda alpha: aklo.repeat(SMALL, 2, lam=0.1, alpha=alpha).task_errors,
        lambda alpha: aklo.choose_lambda(stream, method="AKLO Sum", alpha=alpha).errors,
        lambda alpha: next(aklo.transfer_map([(90, 0.5)], 2, lam=0.1, alpha=alpha))[1].mean,
        lambda alpha: next(aklo.sweep(SMALL, aklo.grid([0.1], [alpha]), n=2))["ace"],
        lambda alpha: aklo.price_of_not_knowing(alpha, [10], n_experts=3, X=1, R=1),
    ]
    for call in calls:
        np.testing.assert_array_equal(call(text), call(schedule))
        refused(lambda call=call: call("lineal"), "'lineal'", "linear")
        refused(lambda call=call: call(0.5), "0.5", "schedule")
    world = aklo.World.after(learned, alpha="power:k=1")
    assert world.alpha == aklo.Power(1)


@pytest.mark.parametrize("sparse", [False, True])
def test_slices_indices_and_iteration_agree_with_a_list(sparse):
    stream = ragged(sparse)
    tasks = list(stream)
    assert len(stream) == len(tasks) == 4 and [len(task) for task in tasks] == list(RAGGED)
    for part in (slice(2), slice(1, None), slice(None, None, -1), slice(-2, None), slice(0, 4, 2)):
        ours, theirs = stream[part], tasks[part]
        assert [task.name for task in ours] == [task.name for task in theirs]
        assert ours.groups == tuple(task.group for task in theirs)
        for one, other in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(dense(one.X), dense(other.X))
            np.testing.assert_array_equal(one.y, other.y)
    assert stream[-1].name == tasks[-1].name == "d"
    np.testing.assert_array_equal(aklo.run(stream, lam=0.1).replay(-1).y, tasks[-1].y)
    refused(lambda: stream[4:], "4")
    vectors = aklo.syn1(n_tasks=5, n_examples=3)
    np.testing.assert_array_equal(vectors[1:3].vectors, vectors.vectors[1:3])


def test_predictions_are_the_signs_of_the_confidence():
    run = aklo.run(SMALL(), lam=0.1, methods=("One pool", "AKLO Sample", "TOL"))
    for task in range(4):
        replay = run.replay(task)
        for method in run.methods:
            np.testing.assert_array_equal(
                run.predictions[method][task], np.where(replay.confidence[method] >= 0, 1, -1)
            )


def test_lambda_is_chosen_on_a_generator_as_on_its_stream():
    one, other = aklo.choose_lambda(SMALL, seed=3), aklo.choose_lambda(SMALL(seed=3))
    assert one.lam == other.lam and one.errors.equals(other.errors)
    assert aklo.choose_lambda([SMALL(seed=0), SMALL(n_tasks=2)]).lam in aklo.LAMBDAS


def test_given_streams_are_the_repetitions():
    streams = [SMALL(seed=i) for i in range(3)]
    found = aklo.repeat(streams, lam=0.1, seed=5)
    assert found.task_errors.shape == (3, 6, 4)
    for errors, stream in zip(found.task_errors, streams, strict=True):  # ITOL and TOL draw nothing
        np.testing.assert_array_equal(errors[:2], aklo.run(stream, lam=0.1).task_errors[:2])
    np.testing.assert_array_equal(aklo.repeat(streams, 2, first=1, lam=0.1, seed=5).task_errors, found.task_errors[1:])
    refused(lambda: aklo.repeat(streams, 4, lam=0.1), "4 repetitions", "3")
    refused(lambda: aklo.repeat([SMALL(), SMALL(n_tasks=2)], lam=0.1), "2 tasks", "4")


def test_what_is_no_source_is_refused():
    for call in (partial(aklo.repeat, lam=0.1), aklo.choose_lambda):
        refused(lambda call=call: call([]), "empty")
        refused(lambda call=call: call(3), "int", "stream")
        refused(lambda call=call: call([SMALL(), 3]), "int")
        refused(lambda call=call: call(lambda seed: 3), "int", "TaskStream")


def test_minus_says_which_is_subtracted():
    repeats = aklo.repeat(SMALL, 5, lam=0.1)
    minus = repeats.minus("ITOL")
    assert minus.columns.name == "method minus ITOL" and np.isnan(minus.loc["ITOL", "mean"])
    expected = repeats.shares[:, 5].mean() - repeats.shares[:, 0].mean()
    assert minus.loc["AKLO Sum", "mean"] == pytest.approx(expected)
    assert repeats.against("ITOL").equals(minus)
