"""Transfer: gains, the map over angle and share, and where the weight goes."""

from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aklo
from aklo.transfer import ANGLES, SHARES
from tests import reference

SMALL = partial(aklo.conflict, n_tasks=6, n_examples=15)
METHOD = {name: i for i, name in enumerate(aklo.METHODS)}


@pytest.fixture(scope="module")
def default_stream():
    """Angle -> the transfer on the default stream (conflict, 50 × 100, lambda 0.1, as printed), 10 repetitions."""
    return {angle: found for (angle, _), found in aklo.transfer_map([(a, 0.5) for a in ANGLES], lam=0.1)}


def test_errors_at_each_angle_match_recorded_values(default_stream):
    """In percent, from 0° to 180°: ITOL near 7; TOL 1 to 41; Unif Sample 3 to 28, Sum 3 to 15; AKLO Sum 3 to 5.5."""
    ace = {angle: dict(zip(aklo.METHODS, 100 * found.ace.mean(axis=0), strict=True))
           for angle, found in default_stream.items()}  # fmt: skip
    assert all(errors["ITOL"] == pytest.approx(7, abs=0.5) for errors in ace.values())
    assert all(2.5 <= errors["AKLO Sum"] <= 5.75 for errors in ace.values())
    for method, low, high in (("TOL", 1, 41), ("Unif Sample", 3, 28), ("Unif Sum", 3, 15)):
        assert ace[0.0][method] == pytest.approx(low, abs=0.7), method
        assert ace[180.0][method] == pytest.approx(high, abs=2.5), method
    for method in ("TOL", "Unif Sample"):
        rising = [errors[method] for errors in ace.values()]
        assert rising == sorted(rising)


def test_aklo_sum_is_never_above_itol(default_stream):
    """In the mean at every angle, and in every single repetition; the uniform methods and TOL are, from 90° on."""
    for angle, found in default_stream.items():
        assert (found.gain[:, METHOD["AKLO Sum"]] > 0).all(), angle
        if angle >= 90:
            assert (found.gain[:, [METHOD[m] for m in ("TOL", "Unif Sample", "Unif Sum")]] < 0).all(), angle


@pytest.mark.parametrize(("lam", "reading"), [(1e-3, "as printed"), (0.1, "as tabulated")])
def test_conflict_at_180_degrees_with_syn2_s_mean_is_syn2(lam, reading):
    """To the last error, for the same seeds."""
    how = {"lam": lam, "alpha": aklo.READINGS[reading].alpha, "clip": aklo.READINGS[reading].clip, "seed": 3}
    for share in (0.25, 0.5):
        syn2 = aklo.repeat(partial(aklo.syn2, n_tasks=12, n_examples=40, share=share), 3, **how)
        turned = partial(aklo.conflict, n_tasks=12, n_examples=40, mean=(10.0, 10.0))
        ((_, found),) = aklo.transfer_map([(180, share)], 3, source=turned, **how)
        np.testing.assert_array_equal(found.ace, syn2.ace)
        np.testing.assert_array_equal(found.negative, aklo.Transfer.of(syn2.task_errors).negative)
    theirs, ours = aklo.syn2(seed=5), aklo.conflict(180, mean=(10.0, 10.0), seed=5)
    np.testing.assert_array_equal(theirs.X, ours.X)
    np.testing.assert_array_equal(theirs.y, ours.y)


@given(errors=st.integers(0, 2**32 - 1), tasks=st.integers(1, 5), repetitions=st.integers(1, 4))
@settings(max_examples=40)
def test_gain_is_itol_s_error_minus_the_method_s(errors, tasks, repetitions):
    task_errors = np.random.default_rng(errors).integers(0, 5, (repetitions, 6, tasks)) / 4
    gain, found = aklo.gains(task_errors), aklo.Transfer.of(task_errors)
    assert (gain[:, 0] == 0).all() and (found.negative[:, 0] == 0).all()
    np.testing.assert_allclose(found.gain, gain.mean(axis=2), atol=1e-12)
    for r, m in product(range(repetitions), range(6)):
        hurt = sum(task_errors[r, m, k] > task_errors[r, 0, k] for k in range(tasks))
        assert found.negative[r, m] == hurt / tasks
    table = found.table
    np.testing.assert_allclose(table["mean"], found.gain.mean(axis=0), atol=1e-12)
    exact = (4 * gain).sum(axis=(0, 2))  # whole numbers: a tie is a tie
    np.testing.assert_array_equal(np.sign(table["mean"]), np.sign(exact))
    assert table["std"].isna().all() == (repetitions == 1)


def test_first_task_has_no_gain():
    run = aklo.run(aklo.conflict(180, 5, 20), lam=0.1)
    assert (aklo.gains(run.task_errors)[:, 0] == 0).all()


def test_places_without_a_second_group_are_computed_once():
    """Without an angle the groups are one, whatever their share; and without D2 the angle turns nothing."""
    assert (ANGLES[0], ANGLES[-1], SHARES[0], SHARES[-1]) == (0, 180, 0, 1) and (len(ANGLES), len(SHARES)) == (13, 9)
    edge = [(0.0, share) for share in SHARES] + [(angle, 0.0) for angle in ANGLES] + [(45.0, 0.5)]
    found = dict(aklo.transfer_map(edge, 2, lam=0.1, source=SMALL))
    for angle, share in edge:
        alone = aklo.repeat(partial(SMALL, angle=angle, share=share), 2, lam=0.1)
        np.testing.assert_array_equal(found[angle, share].ace, alone.ace)
    assert len({id(one) for one in found.values()}) == 2


@pytest.mark.parametrize("together", [1, 2, 3, 10])
def test_number_computed_together_does_not_matter(together):
    places, calls = [(90, 0.5), (180, 0.25)], []
    whole = list(aklo.transfer_map(places, 5, lam=0.1, source=SMALL, seed=7))
    parts = list(
        aklo.transfer_map(
            places, 5, lam=0.1, source=SMALL, seed=7, together=together, progress=lambda *done: calls.append(done)
        )
    )
    for (place, a), (same, b) in zip(whole, parts, strict=True):
        assert place == same
        np.testing.assert_array_equal(a.ace, b.ace)
        np.testing.assert_array_equal(a.negative, b.negative)
    alone = aklo.repeat(partial(SMALL, angle=180, share=0.25), 5, lam=0.1, seed=7)
    np.testing.assert_array_equal(parts[1][1].ace, alone.ace)
    assert calls == [(5 * i + first, 10) for i in (0, 1) for first in range(0, 5, together)]


def test_map_stops_when_the_generator_is_closed():
    """Nothing is computed ahead, and what the progress raises ends it."""
    made = []

    def source(**words):
        made.append(words["angle"])
        return SMALL(**words)

    ask = aklo.transfer_map([(0, 0.5), (90, 0.5), (180, 0.5)], 1, lam=0.1, source=source)
    assert next(ask)[0] == (0, 0.5) and made == [0]
    ask.close()
    assert made == [0]

    class Stopped(Exception):
        pass

    def stop(done, total):
        if done:
            raise Stopped

    kept = []
    with pytest.raises(Stopped):
        kept.extend(aklo.transfer_map([(0, 0.5), (90, 0.5)], 1, lam=0.1, source=source, progress=stop))
    assert made == [0, 0]
    assert [place for place, _ in kept] == [(0, 0.5)]  # what was finished before had been handed over


@pytest.mark.parametrize("words", [{"n": 0}, {"n": 2.5}, {"lam": -1.0}, {"clip": "nowhere"}, {"seed": -1}])
def test_bad_input_is_refused(words):
    with pytest.raises(ValueError, match=r"\.$"):
        list(aklo.transfer_map([(0, 0.5)], **{"n": 2, "lam": 0.1, "source": SMALL} | words))
    with pytest.raises(ValueError, match="share is 2"):
        list(aklo.transfer_map([(0, 2)], 1, lam=0.1, source=SMALL))


def uneven(seed: int) -> aklo.TaskStream:
    """Tasks of different lengths in three groups."""
    rng = np.random.default_rng(seed)
    lengths, groups = rng.integers(1, 25, 9), rng.integers(0, 3, 9)
    W = rng.standard_normal((3, 4))
    tasks = []
    for n, g in zip(lengths, groups, strict=True):
        X = rng.standard_normal((n, 4))
        tasks.append((X, np.where(X @ W[g] >= 0, 1, -1)))
    return aklo.TaskStream.of(tasks, groups=groups)


@pytest.mark.parametrize("horizon", aklo.HORIZONS)
@pytest.mark.parametrize("seed", range(4))
def test_friends_are_the_weights_of_the_literal_reference(seed, horizon):
    stream, alpha = uneven(seed), aklo.Power(0.5)
    found = aklo.friends(aklo.run(stream, lam=0.1, alpha=alpha, horizon=horizon))
    literal = reference.run(
        [(stream[k].X, stream[k].y) for k in range(len(stream))], 0.1, alpha.values, horizon=horizon, history=True
    )
    assert found.own.shape == (9, stream.lengths.max()) and np.isnan(found.own[0]).all() and not found.both[0]
    with_choice = []
    for k in range(1, 9):
        same = np.array([stream.groups[i] == stream.groups[k] for i in range(k)])
        own = np.array(literal.weights[k])[:, same].sum(axis=1)
        np.testing.assert_allclose(found.own[k, : len(own)], own, atol=1e-9)
        assert np.isnan(found.own[k, len(own) :]).all()
        assert found.uniform[k] == pytest.approx(same.mean())
        assert found.both[k] == (0 < same.sum() < k)
        if found.both[k]:
            with_choice.append(own)
    longest = max(map(len, with_choice))
    assert found.mean.shape == (longest,)
    for t in range(longest):
        at_t = [own[t] for own in with_choice if len(own) > t]
        assert found.mean[t] == pytest.approx(np.mean(at_t))
        assert found.quantile(0.1)[t] == pytest.approx(np.quantile(at_t, 0.1))
    assert found.uniform_mean == pytest.approx(found.mean[0])  # p_1 is uniform


def test_weight_on_friends_rises_above_uniform():
    """The more the groups differ, the sooner; at 0° there is nothing to tell apart."""
    after = {angle: aklo.friends(aklo.run(aklo.conflict(angle), lam=0.1)) for angle in (0, 30, 90, 180)}
    assert all(found.mean[0] == pytest.approx(0.51, abs=0.02) for found in after.values())
    assert after[0].mean[-1] == pytest.approx(after[0].mean[0], abs=0.03)
    at_10 = [found.mean[10] for found in after.values()]
    assert at_10 == sorted(at_10) and at_10[-1] > 0.85
    assert after[90].mean[-1] > 0.98 and after[180].quantile(0.1)[50] > 0.98


def test_friends_of_several_streams_are_those_of_each():
    streams = [aklo.conflict(120, 5, 12, seed=seed) for seed in range(3)]
    learned = aklo.learned.learn_together(streams, lam=0.1)
    together = aklo.friends(aklo.experiment.mix_together(learned, seeds=range(3)))
    alone = [aklo.friends(aklo.run(stream, lam=0.1)) for stream in streams]
    np.testing.assert_allclose(together.own, np.concatenate([found.own for found in alone]))
    np.testing.assert_array_equal(together.both, np.concatenate([found.both for found in alone]))


def test_friends_without_a_choice_are_empty():
    for stream in (aklo.conflict(90, 1, 5), aklo.conflict(90, 4, 5, share=0.0)):
        found = aklo.friends(aklo.run(stream, lam=0.1))
        assert found.mean.shape == found.quantile(0.5).shape == (0,) and np.isnan(found.uniform_mean)
    rng = np.random.default_rng(0)
    nameless = aklo.TaskStream.of([(rng.standard_normal((3, 2)), [1, -1, 1])] * 2)
    with pytest.raises(ValueError, match="no groups"):
        aklo.friends(aklo.run(nameless, lam=0.1))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=1, max_size=8))
def test_first_below_zero_is_where_a_fine_walk_along_the_lines_finds_it(heights):
    """The reference walks along the polyline in small steps; a line that only touches zero is not below it."""
    x, y = np.arange(len(heights)) * 10.0, np.array(heights, dtype=float)
    found = aklo.transfer.first_below_zero(x, y)
    fine = np.linspace(0, x[-1], 100 * (len(x) - 1) + 1)
    below = fine[np.interp(fine, x, y) < -1e-9]
    if not len(below):
        assert np.isnan(found)
    else:
        assert found == pytest.approx(below[0], abs=0.11)


def test_onsets_on_the_default_stream_match_recorded_values(default_stream):
    """As printed: TOL at 28°, Unif Sample at 34°, Unif Sum at 43°, each to about a degree; AKLO Sum at no angle."""
    found = aklo.onsets({(angle, 0.5): one for angle, one in default_stream.items()})
    for method, angle in (("TOL", 28), ("Unif Sample", 34), ("Unif Sum", 43)):
        assert found[method].angle == pytest.approx(angle, abs=1)
        assert found[method].low < found[method].angle < found[method].high
        assert found[method].high - found[method].low < 6
    assert np.isnan(found["AKLO Sum"].angle) and "ITOL" not in found


def test_onsets_of_one_repetition_have_no_interval():
    cells = dict(aklo.transfer_map([(0, 0.5), (90, 0.5), (180, 0.5)], 1, lam=0.1, source=SMALL))
    for onset in aklo.onsets(cells).values():
        assert np.isnan(onset.low) and np.isnan(onset.high)
