"""Repetitions: each is an ordinary run, the statistics are the textbook's, and lambda is chosen by the paper's rule."""

from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp
from scipy import stats

import aklo
from aklo import repetition
from aklo.sources import one_repetition, seed_of_draws

from .test_bad_input import refused
from .test_exact import make_stream

LENGTHS = (5, 12, 1, 12, 7)
OPTIONS = [
    {"alpha": aklo.Linear(), "clip": "sum"},
    {"alpha": aklo.Linear(0.5), "clip": "advice"},
    {"alpha": aklo.Power(0.5), "clip": "advice", "horizon": "unknown"},
]


def ragged(sparse=False, seed=0, lengths=LENGTHS):
    return aklo.TaskStream.of(make_stream(seed, lengths, 4, sparse=sparse))


def fresh(sparse=False, seed=0):
    """A generator of own streams, as `repeat` takes one."""
    return ragged(sparse, seed=seed)


SOURCES = {
    "syn1": partial(aklo.syn1, n_tasks=6, n_examples=15),
    "digits": partial(aklo.digits, n_tasks=4, n_examples=10),
    "fresh ragged": fresh,
    "fresh sparse": partial(fresh, sparse=True),
    "one stream": aklo.syn2(n_tasks=6, n_examples=15),
    "one ragged": ragged(),
    "one sparse": ragged(sparse=True),
}
sources = pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)


def one_by_one(source, n, seed, lam, **options):
    """(n, 6, T): every repetition learnt and mixed alone, with its own seed."""
    found = []
    for child in np.random.SeedSequence(seed).spawn(n):
        learned = aklo.learn(one_repetition(source, child), lam=lam)
        found.append(aklo.mix(learned, seed=seed_of_draws(child), **options).task_errors)
    return np.array(found)


@sources
@pytest.mark.parametrize("options", OPTIONS, ids=["printed", "tabulated", "unknown"])
def test_repetition_equals_a_single_run(source, options):
    """Repetition r is that very stream run alone with that very seed."""
    got = aklo.repeat(source, 4, lam=0.01, seed=9, **options)
    np.testing.assert_array_equal(got.task_errors, one_by_one(source, 4, 9, 0.01, **options))


@sources
@pytest.mark.parametrize("together", [1, 2, 3])
def test_number_of_repetitions_learned_together_does_not_matter(source, together, monkeypatch):
    """All at once, one at a time, or a few."""
    whole = aklo.repeat(source, 5, lam=0.01, seed=2).task_errors
    first = one_repetition(source, np.random.SeedSequence(2).spawn(1)[0])
    monkeypatch.setattr(repetition, "TOGETHER", together * first.X.size)
    np.testing.assert_array_equal(aklo.repeat(source, 5, lam=0.01, seed=2).task_errors, whole)


@sources
def test_repetitions_differ_and_follow_the_seed(source):
    """Equal calls are equal; repetitions of one call, and other seeds, are other data."""
    a, b, other = (aklo.repeat(source, 4, lam=0.01, seed=seed).task_errors for seed in (1, 1, 2))
    assert a.tobytes() == b.tobytes() and a.tobytes() != other.tobytes()
    children = np.random.SeedSequence(1).spawn(4)
    streams = [one_repetition(source, child) for child in children]
    dense = [s.X.toarray() if sp.issparse(s.X) else s.X for s in streams]
    assert len({X.tobytes() for X in dense}) == 4
    assert len({seed_of_draws(child) for child in children}) == 4
    if isinstance(source, aklo.TaskStream):  # the same examples in new orders
        assert len({tuple(np.sort(X.ravel())) for X in dense}) == 1


def test_more_repetitions_do_not_change_the_first_ones():
    """So that a longer run refines a shorter one."""
    source = SOURCES["syn1"]
    few, many = (aklo.repeat(source, n, lam=0.01).task_errors for n in (2, 5))
    np.testing.assert_array_equal(many[:2], few)


def test_repeat_many_is_repeat_of_each():
    """Learning once for several mixes changes no number."""
    mixes = [(o["alpha"], o["clip"], o.get("horizon", "known")) for o in OPTIONS]
    together = repetition.repeat_many(SOURCES["one ragged"], 3, lam=0.1, mixes=mixes, seed=4)
    for got, options in zip(together, OPTIONS, strict=True):
        want = aklo.repeat(SOURCES["one ragged"], 3, lam=0.1, seed=4, **options)
        np.testing.assert_array_equal(got.task_errors, want.task_errors)


# ------------------------------------------------------------------------------------------------ the statistics


def test_statistics_match_the_textbook_formulas():
    """Mean, std with R - 1, ACE after each task, and Student's paired intervals as scipy has them."""
    result = aklo.repeat(SOURCES["syn1"], 7, lam=0.01)
    assert result.task_errors.shape == (7, 6, 6) and list(result.ace.columns) == list(aklo.METHODS)
    ace = result.task_errors.mean(axis=2)
    np.testing.assert_allclose(result.table["mean"], ace.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(result.table["std"], ace.std(axis=0, ddof=1), rtol=1e-12)
    assert list(result.table.index) == list(aklo.METHODS)
    for k in range(6):
        np.testing.assert_allclose(result.ace_after[:, :, k], result.task_errors[:, :, : k + 1].mean(axis=2))
    for level in (0.5, 0.95, 0.99):
        rows = result.differences(level)
        assert len(rows) == 15
        for first, second, mean, low, high in rows.itertuples(index=False):
            gap = result.ace[first] - result.ace[second]
            np.testing.assert_allclose(mean, gap.mean())
            interval = stats.t.interval(level, 6, loc=gap.mean(), scale=stats.sem(gap))
            np.testing.assert_allclose((low, high), interval, rtol=1e-9)
    np.testing.assert_array_equal(result.differences(), result.differences(0.95))
    pairs = [(a, b) for i, a in enumerate(aklo.METHODS) for b in aklo.METHODS[i + 1 :]]
    assert list(zip(rows["first"], rows["second"], strict=True)) == pairs


def test_one_repetition_has_no_standard_deviation():
    """NaN, said quietly."""
    result = aklo.repeat(SOURCES["syn1"], 1, lam=0.01)
    assert result.table["mean"].notna().all() and result.table["std"].isna().all()
    gaps = result.differences()
    assert gaps["mean"].notna().all() and gaps[["low", "high"]].isna().all(axis=None)


def test_progress_is_called_and_its_exception_ends_the_work(monkeypatch):
    """It is told of all repetitions, the last time with n of n, and what it raises ends the work."""
    monkeypatch.setattr(repetition, "TOGETHER", 360)  # two of 6 x 15 x 2 numbers
    seen, made = [], []

    def source(seed):
        made.append(seed)
        return SOURCES["syn1"](seed=seed)

    aklo.repeat(source, 5, lam=0.01, progress=lambda *now: seen.append(now))
    assert seen == [(2, 5), (4, 5), (5, 5)] and len(made) == 5

    def stop(done, n):
        raise InterruptedError(f"{done} of {n}")

    made.clear()
    with pytest.raises(InterruptedError, match="2 of 5"):
        aklo.repeat(source, 5, lam=0.01, progress=stop)
    assert len(made) == 2


# ---------------------------------------------------------------------------------------------------------- lambda


@pytest.mark.parametrize("sparse", [False, True])
def test_choose_lambda_is_the_literal_minimum(sparse):
    """Over separate runs: the least ITOL error, ties to the smaller, however the lambdas are ordered."""
    assert np.allclose(aklo.LAMBDAS, [1e-3, 1e-2, 1e-1, 1, 10, 100, 1000], rtol=1e-15)
    ties = 0
    for seed in range(30):
        stream = ragged(sparse, seed)
        errors = {lam: float(aklo.run(stream, lam=lam).ace["ITOL"]) for lam in aklo.LAMBDAS}
        best = [lam for lam in aklo.LAMBDAS if errors[lam] == min(errors.values())]
        ties += 1 < len(best) < 7 and best[0] > aklo.LAMBDAS[0]
        for lams in (aklo.LAMBDAS, aklo.LAMBDAS[::-1], np.array(aklo.LAMBDAS)):
            choice = aklo.choose_lambda(stream, lams)
            assert choice.lam == best[0]
            assert choice.errors.to_dict() == errors and choice.errors.index.is_monotonic_increasing
    assert ties > 0, "no stream of this test has a tie"


def test_choose_lambda_takes_the_smallest_of_a_tie():
    """Tasks of one example: every learner starts at 0, so lambda makes no difference."""
    stream = aklo.TaskStream.of([([[1.0]], [1]), ([[2.0]], [-1])])
    assert aklo.choose_lambda(stream, [5.0, 0.25, 1.0]).lam == 0.25
    assert aklo.choose_lambda(stream).lam == 1e-3


def test_choose_lambda_averages_over_streams():
    """Their errors are averaged, dense and sparse ones side by side."""
    several = [ragged(seed=1), ragged(sparse=True, seed=2), ragged(seed=3)]
    want = np.mean([[aklo.run(s, lam=lam).ace["ITOL"] for lam in aklo.LAMBDAS] for s in several], axis=0)
    choice = aklo.choose_lambda(several)
    np.testing.assert_allclose(choice.errors, want, rtol=1e-12)
    assert choice.lam == aklo.LAMBDAS[int(want.argmin())]
    assert aklo.choose_lambda(iter(several)).lam == choice.lam


def test_source_may_return_sparse_and_dense_streams():
    """Dense and sparse repetitions side by side are what each is alone."""

    def source(seed):
        return ragged(sparse=seed % 2 == 0, seed=seed)

    for seed in (0, 1):
        kinds = {sp.issparse(one_repetition(source, c).X) for c in np.random.SeedSequence(seed).spawn(4)}
        assert kinds == {True, False}, "this seed does not try what the test is for"
        got = aklo.repeat(source, 4, lam=0.01, seed=seed).task_errors
        np.testing.assert_array_equal(got, one_by_one(source, 4, seed, 0.01))


def test_bad_arguments_are_refused():
    """Before any work, in one sentence."""
    stream = SOURCES["one stream"]
    refused(lambda: aklo.repeat(stream, 0, lam=0.1), "0")
    refused(lambda: aklo.repeat(stream, -3, lam=0.1), "-3")
    refused(lambda: aklo.repeat(stream, 2, lam=0), "lambda", "0")
    refused(lambda: aklo.repeat(stream, 2, lam=0.1, clip="both"), "both")
    refused(lambda: aklo.repeat(stream, 2, lam=0.1, horizon="unknown"), "Linear")
    refused(lambda: aklo.repeat(stream, 2, lam=0.1, alpha=aklo.Custom([0, 1])), "Custom")
    refused(lambda: aklo.choose_lambda(stream, []), "lambda")
    refused(lambda: aklo.choose_lambda([]), "stream")
    refused(lambda: aklo.choose_lambda(stream, [0.1, 0, 1]), "lambda", "0")
    refused(lambda: aklo.choose_lambda(stream, [0.1, float("nan")]), "nan")


def test_first_continues_earlier_repetitions():
    whole = aklo.repeat(fresh, 5, lam=0.1, seed=3).task_errors
    parts = [aklo.repeat(fresh, n, lam=0.1, seed=3, first=first).task_errors for first, n in ((0, 2), (2, 3))]
    np.testing.assert_array_equal(np.concatenate(parts), whole)
