"""Bad input is refused at the boundary: ValueError, one sentence, naming the task and the value."""

import math
import re

import numpy as np
import pytest
import scipy.sparse as sp

import aklo

FORMS = pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix, sp.csr_array, sp.coo_matrix])


def tasks(form=np.asarray, n_tasks=4):
    """Good tasks of 11 examples and 3 features, as [X, y] so that a test can spoil one."""
    rng = np.random.default_rng(0)
    return [[form(rng.normal(size=(11, 3))), rng.choice([-1.0, 1.0], size=11)] for _ in range(n_tasks)]


def run(stream, lam=0.5, alpha=None, clip="sum", horizon="known"):
    """The whole way, so that a test does not say where on it the refusal comes."""
    stream = aklo.TaskStream.of([tuple(task) for task in stream])
    return aklo.run(stream, lam=lam, alpha=alpha or aklo.Power(0.5), clip=clip, horizon=horizon, seed=0)


def refused(call, *names):
    """Check the refusal and its sentence, in which each of the names begins a word or a number."""
    with pytest.raises(ValueError, match=r"\.\Z") as caught:
        call()
    text = str(caught.value)
    assert "\n" not in text
    assert not re.search(r"[.!?]\s", text), f"more than one sentence: {text}"
    for name in names:
        assert re.search(rf"(?<![\w.]){re.escape(name)}(?!\d)", text, re.IGNORECASE), f"{name!r} not in: {text}"


@FORMS
def test_good_input_passes(form):
    """The tasks the others spoil are fine."""
    assert run(tasks(form)).ace.between(0, 1).all()


@FORMS
@pytest.mark.parametrize(("label", "name"), [(0, "0"), (7, "7"), (0.5, "0.5"), (math.nan, "nan"), (math.inf, "inf")])
@pytest.mark.parametrize("task", [0, 2])
def test_labels_other_than_plus_minus_one_are_refused(form, label, name, task):
    """A label that is not -1 or +1."""
    stream = tasks(form)
    stream[task][1][4] = label
    refused(lambda: run(stream), f"task {task}", name)


@FORMS
@pytest.mark.parametrize(("value", "name"), [(math.nan, "nan"), (math.inf, "inf"), (-math.inf, "inf")])
@pytest.mark.parametrize("task", [0, 2])
def test_features_that_are_not_finite_are_refused(form, value, name, task):
    """A feature that is no finite number."""
    stream = tasks()
    stream[task][0][6, 1] = value
    refused(lambda: run([(form(X), y) for X, y in stream]), f"task {task}", name)


@FORMS
@pytest.mark.parametrize("task", [0, 2])
def test_different_numbers_of_rows_and_labels_are_refused(form, task):
    """11 rows, 9 labels."""
    stream = tasks(form)
    stream[task][1] = stream[task][1][:9]
    refused(lambda: run(stream), f"task {task}", "11", "9")


@FORMS
@pytest.mark.parametrize("width", [2, 5])
def test_tasks_with_different_numbers_of_features_are_refused(form, width):
    """All tasks live in one space."""
    stream = tasks(form)
    stream[2][0] = form(np.ones((11, width)))
    refused(lambda: run(stream), "task 2", str(width))


@pytest.mark.parametrize(
    "X", [[[1.0, 2.0, 3.0]] * 10 + [[1.0, 2.0]], np.ones(11), np.ones((11, 3, 2))], ids=["ragged", "flat", "cube"]
)
def test_features_that_are_not_a_table_are_refused(X):
    """Rows of different lengths, a flat X, one in three dimensions."""
    stream = tasks()
    stream[1][0] = X
    refused(lambda: run(stream), "task 1")


@FORMS
@pytest.mark.parametrize("task", [0, 1])
def test_empty_task_is_refused(form, task):
    """A task has at least one example."""
    stream = tasks(form)
    stream[task] = [form(np.ones((0, 3))), np.ones(0)]
    refused(lambda: run(stream), f"task {task}")


def test_stream_without_tasks_is_refused():
    """A stream has at least one task."""
    refused(lambda: run([]))


@FORMS
@pytest.mark.parametrize(("lam", "name"), [(0, "0"), (-0.5, "-0.5"), (math.nan, "nan")])
def test_lambda_that_is_not_positive_is_refused(form, lam, name):
    """Lambda divides: it has to be above 0."""
    refused(lambda: run(tasks(form), lam=lam), name)
    X, y = tasks(form)[0]
    refused(lambda: aklo.play(X, y, experts=None, lam=lam, alpha=aklo.Power(0.5), clip="sum", horizon="known"), name)


def test_unknown_clip_and_horizon_are_refused():
    """Settings that are words know their words."""
    refused(lambda: run(tasks(), clip="both"), "both")
    refused(lambda: run(tasks(), horizon="infinite"), "infinite")
    X, y = tasks()[0]
    good = {"experts": np.ones((2, 3)), "lam": 0.5, "alpha": aklo.Power(0.5), "clip": "sum", "horizon": "known"}
    refused(lambda: aklo.play(X, y, **{**good, "clip": "both"}), "both")
    refused(lambda: aklo.play(X, y, **{**good, "horizon": "infinite"}), "infinite")


@FORMS
@pytest.mark.parametrize(
    ("make", "parameter", "names"), [(aklo.Custom, [0.25, 0.75], []), (aklo.Constant, 1.5, ["1.5"])]
)
def test_alpha_that_rises_or_leaves_the_unit_interval_is_refused(form, make, parameter, names):
    """A schedule that rises or leaves [0, 1] does not come through, neither in a run nor in a play."""
    refused(lambda: run(tasks(form), alpha=make(parameter)), *names)
    X, y = tasks(form)[0]
    good = {"experts": np.ones((2, 3)), "lam": 0.5, "clip": "sum", "horizon": "known"}
    refused(lambda: aklo.play(X, y, alpha=make(parameter), **good), *names)


@FORMS
def test_bad_experts_are_refused_by_play(form):
    """Experts live in the space of the examples and are finite numbers."""
    X, y = tasks(form)[0]
    options = {"lam": 0.5, "alpha": aklo.Power(0.5), "clip": "sum", "horizon": "known"}
    refused(lambda: aklo.play(X, y, experts=np.ones((2, 5)), **options), "5")
    refused(lambda: aklo.play(X, y, experts=np.array([[1, 2, math.nan]]), **options), "nan")
    refused(lambda: aklo.play(X, np.where(y > 0, 1, 7), experts=np.ones((2, 3)), **options), "7")


def test_labels_0_and_1_are_refused_with_the_way_out():
    X = np.zeros((2, 1))
    refused(lambda: aklo.TaskStream.of([(X, [1, 0])]), "task 0", "label 0", "2 * y - 1")
    with pytest.raises(ValueError, match=r"are known\.$"):
        aklo.TaskStream.of([(X, [1, 7])])


@pytest.mark.parametrize(("lam", "named"), [("choose", "'choose'"), ([0.1, 0.2], "[0.1, 0.2]"), (None, "None")])
def test_lambda_that_is_no_number_is_refused(lam, named):
    refused(lambda: aklo.run(aklo.syn1(2, 3), lam=lam), "lambda is")
    with pytest.raises(ValueError, match=re.escape(named)):
        aklo.learn(aklo.syn1(2, 3), lam=lam)
    refused(lambda: aklo.grid([0.0], ["linear"]), "lambda is 0")


def test_misspelt_method_is_refused_with_the_likely_one():
    refused(lambda: aklo.run(aklo.syn1(2, 3), lam=0.1, methods=["AKLO sum"]), "AKLO sum", "perhaps 'AKLO Sum'")
    with pytest.raises(ValueError, match="'xyz' is not a method: choose"):
        aklo.run(aklo.syn1(2, 3), lam=0.1, methods=["xyz"])


def test_arrays_in_place_of_a_stream_or_a_run_are_refused():
    refused(lambda: aklo.run([(np.zeros((2, 1)), [1, -1])], lam=0.1), "list", "TaskStream.of")
    refused(lambda: aklo.regret(aklo.syn1(2, 3)), "TaskStream", "aklo.run")
