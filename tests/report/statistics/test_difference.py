"""Tests of a difference: p-values counted by hand, against SciPy, and under no difference."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from gordium.report.statistics.difference import differences, paired_difference, unpaired_difference
from gordium.report.statistics.significance import holm, permutation_test, sign_flip_test
from gordium.report.statistics.student import welch_interval

BETWEEN = ("original", "modified")


def test_sign_flips_counted_by_hand():
    # Of 8 signs of 1, 2, 3 the sums +-6 are as large as 6; of -1, 2, 3 (sum 4): +-4 and +-6.
    assert sign_flip_test([1, 2, 3]) == 2 / 8
    assert sign_flip_test([-1, 2, 3]) == 4 / 8
    assert sign_flip_test([0.1, 0.1, -0.2]) == 1.0
    assert sign_flip_test([1e-12, 2e-12, 3e-12]) == 2 / 8


def test_dealing_counted_by_hand():
    # Of the 6 ways to take two of 0, 1, 2, 3, only {0, 1} and {2, 3} are as far apart.
    assert permutation_test([0, 1], [2, 3]) == pytest.approx(2 / 6)
    assert permutation_test([0, 3], [1, 2]) == 1.0


def test_many_pairs_are_drawn_and_agree_with_the_count_of_all():
    values = np.random.default_rng(0).normal(0.5, 1, size=16)
    sums = (2.0 * (np.arange(2**16)[:, None] >> np.arange(16) & 1) - 1) @ values
    exact = np.mean(np.abs(sums) >= abs(values.sum()) - 1e-12)
    error = np.sqrt(exact * (1 - exact) / 10_000)
    assert 0.005 < exact < 0.5
    assert sign_flip_test(values) == pytest.approx(exact, abs=4 * error)


def test_welch_and_the_interval_are_scipys():
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=7), rng.normal(0.4, 3, size=12)
    theirs = stats.ttest_ind(b, a, equal_var=False)
    assert welch_interval(a, b).p == pytest.approx(theirs.pvalue, rel=1e-9)
    found = unpaired_difference(a, b)
    assert (found.low, found.high) == pytest.approx(theirs.confidence_interval(0.95), rel=1e-9)
    draws = stats.permutation_test((b, a), lambda x, y: x.mean() - y.mean(), rng=rng)
    assert found.p == pytest.approx(draws.pvalue, abs=0.03)


def test_effect_sizes_by_hand():
    # Differences 1, 2, 3: mean 2, deviation 1.
    assert paired_difference([0, 0, 0], [1, 2, 3]).effect == pytest.approx(2)
    # Deviations of 1 and means 3 apart; Hedges' correction is 1 - 3 / (4 * 6 - 9) = 0.8.
    assert unpaired_difference([0, 1, 2], [3, 4, 5]).effect == pytest.approx(3 * 0.8)


def test_without_a_difference_p_values_are_not_too_small():
    rng = np.random.default_rng(2)
    found = [
        (sign_flip_test(rng.normal(size=8)), permutation_test(*rng.normal(size=(2, 5))))
        for _ in range(1000)
    ]
    # An exact test rejects at most 5 %: 128 of 256 sign patterns up to the sign, 126 of 252 deals.
    rates = np.mean(np.array(found) <= 0.05, axis=0)
    assert rates == pytest.approx([12 / 256, 12 / 252], abs=3.3 * np.sqrt(0.05 * 0.95 / 1000))


def test_variants_are_paired_by_seed(tidy):
    first = tidy([0.5, 0.6, 0.9], seed=[0, 1, 2])
    second = tidy([0.6, 0.4, 0.3], seed=[1, 0, 7], variant="modified")
    line = differences(pd.concat([first, second]), BETWEEN).iloc[0]
    # Seeds 0 and 1: 0.4 - 0.5 and 0.6 - 0.6; seeds 2 and 7 have no partner.
    assert line["mean"] == pytest.approx(-0.05)
    assert (line["n"], line["n_unpaired"], line["test"]) == (2, 2, "sign flips, paired")
    assert line["seeds"] == (0, 1, 0, 1)
    assert line["runs"] == ("run00000", "run00001", "run00004", "run00003")


def test_variants_without_common_seeds_are_two_groups(tidy):
    first = tidy([0.5, 0.7], seed=[0, 1])
    second = tidy([0.1, 0.2, 0.9], seed=[5, 6, 7], variant="modified")
    second["over_pruned"] = [False, False, True]
    line = differences(pd.concat([first, second]), BETWEEN, discard=["over_pruned"]).iloc[0]
    assert line["mean"] == pytest.approx(0.15 - 0.6)
    assert (line["n"], line["test"], line["n_discarded"]) == (4, "permutations", 1)
    assert line["between"] == "modified - original"


def test_correction_for_many_by_hand():
    assert holm(np.array([0.04, 0.01, 0.03])) == pytest.approx([0.06, 0.03, 0.06])
    assert holm(np.array([0.9, 0.8])) == pytest.approx([1, 1])
    assert len(holm(np.array([]))) == 0
