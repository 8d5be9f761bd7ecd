"""The tests of differences against scipy's, and how often they are wrong when nothing differs."""

import numpy as np
import pytest
from scipy import stats

import aklo
from aklo.significance import holm, paired_p, welch_p
from aklo.sources import what_varies

from .test_bad_input import refused


def test_p_values_match_scipys():
    rng = np.random.default_rng(0)
    gaps = rng.normal(0.1, 1, (12, 5))
    np.testing.assert_allclose(paired_p(gaps), stats.ttest_1samp(gaps, 0).pvalue)
    assert paired_p(np.array([[0.0, 0.2], [0.0, 0.2]])).tolist() == [1, 0]
    assert np.isnan(paired_p(np.ones((1, 3)))).all()
    for _ in range(20):
        m1, m2, s1, s2 = rng.uniform(0.1, 5, 4)
        n1, n2 = rng.integers(2, 30, 2)
        want = stats.ttest_ind_from_stats(m1, s1, n1, m2, s2, n2, equal_var=False).pvalue
        assert welch_p(m1, s1, n1, m2, s2, n2) == pytest.approx(want)
    assert np.isnan(welch_p(1, 0, 5, 1, 0, 5)) and np.isnan(welch_p(1, 1, 1, 1, 1, 5))


def test_holm_matches_the_definition():
    """Step by step: the i-th smallest of k is rejected if it and all smaller ones are below level / (k - i)."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        p = rng.random(rng.integers(1, 8)) ** 3
        corrected, order = holm(p), np.argsort(p)
        for level in (0.01, 0.05, 0.2):
            rejected = np.zeros(len(p), dtype=bool)
            for i, at in enumerate(order):
                if p[at] > level / (len(p) - i):
                    break
                rejected[at] = True
            np.testing.assert_array_equal(corrected <= level, rejected)


@pytest.mark.parametrize("best", [False, True])
def test_equal_methods_are_seldom_called_different(best):
    """In 2 to 5 % of cases is any of five comparisons "more than chance"; without the correction in 18 to 36 %."""
    rng = np.random.default_rng(2)
    corrected = plain = 0
    for _ in range(1500):
        repeats = aklo.Repeats(rng.normal(0.3, 0.02, (10, 6, 1)))
        reference = aklo.METHODS[int(repeats.moments[0].argmin())] if best else "ITOL"
        found = repeats.p_values(reference)
        assert found.loc[reference].isna().all() and found.drop(reference).notna().all(axis=None)
        corrected += bool((found["corrected"] < 0.05).any())
        plain += bool((found["p"] < 0.05).any())
    assert 0.02 < corrected / 1500 < 0.05 and plain / 1500 > 0.15


def test_true_differences_are_still_found():
    rng = np.random.default_rng(3)
    means = np.array([0.4, 0.3, 0.5, 0.45, 0.2, 0.1])[None, :, None]
    repeats = aklo.Repeats(means + rng.normal(0, 0.01, (10, 6, 1)))
    for reference in aklo.METHODS:
        assert (repeats.p_values(reference)["corrected"].drop(reference) < 0.001).all()
    refused(lambda: repeats.p_values("One pool"), "'One pool'")
    assert aklo.Repeats(means).p_values("ITOL").isna().all(axis=None)


def test_own_data_covers_its_order_alone():
    assert "the order alone" in what_varies(aklo.syn1(2, 3)) and "new data" in what_varies(aklo.syn1)
