"""Intervals and tests against SciPy and against numbers that are known by hand."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import stdtrit

from gordium.report.statistics.correlation import rank, rank_by_group, rank_within, say_rank
from gordium.report.statistics.significance import rank_permutation_test
from gordium.report.statistics.student import (
    equivalence_power,
    jackknife_interval,
    mean_interval,
    paired_interval,
    ratio_interval,
    t_test_power,
    welch_interval,
)

VALUES = st.lists(st.floats(-10, 10).map(lambda v: round(v, 3)), min_size=2, max_size=12)


def test_the_interval_of_1_2_3_is_that_of_the_tables():
    # Mean 2, deviation 1, t(0.975, 2) = 4.3027: 2 -+ 4.3027 / sqrt(3).
    found = mean_interval([1.0, 2.0, 3.0])
    assert found.mean == 2
    assert found.n == 3
    assert found.effect == 2
    assert (found.low, found.high) == pytest.approx((2 - 2.484138, 2 + 2.484138), abs=1e-5)


@given(VALUES)
def test_a_mean_has_scipys_interval_and_p_value(values):
    found = mean_interval(values)
    if np.std(values) < 1e-6:
        return
    theirs = stats.ttest_1samp(values, 0.0)
    ends = theirs.confidence_interval()
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high), rel=1e-6, abs=1e-9)
    assert found.p == pytest.approx(theirs.pvalue, rel=1e-6, abs=1e-12)


@given(VALUES, VALUES)
def test_two_groups_have_welchs_interval_as_scipy_has_it(first, second):
    if min(np.std(first), np.std(second)) < 1e-6:
        return
    found = welch_interval(first, second)
    theirs = stats.ttest_ind(second, first, equal_var=False)
    ends = theirs.confidence_interval()
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high), rel=1e-5, abs=1e-9)
    assert found.p == pytest.approx(theirs.pvalue, rel=1e-5, abs=1e-12)
    assert found.n == min(len(first), len(second))


def test_pairs_are_compared_one_by_one():
    found = paired_interval([1.0, 5.0, 9.0], [2.0, 6.0, 10.0])
    # Each rises by 1: no spread, by which nothing can be tested.
    assert found[:3] == (1.0, 1.0, 1.0)
    assert np.isnan([found.p, found.effect]).all()
    assert not found.has_spread


def test_units_that_differ_by_rounding_are_all_alike():
    # The mean of three times 0.1 is off by a bit, so that the deviation is 1e-17 and not 0.
    for found in (mean_interval([0.1] * 3), paired_interval([0.1, 0.7], [0.3, 0.9])):
        assert not found.has_spread
        assert np.isnan(found.p)
    assert mean_interval([0.1, 0.1, 0.1 + 1e-9]).has_spread


def test_one_unit_has_no_interval():
    for found in (mean_interval([3.0]), welch_interval([1.0], [4.0])):
        assert found.mean == 3.0
        assert found.n == 1
        assert np.isnan([found.low, found.high, found.p, found.effect]).all()


@given(VALUES)
def test_the_jackknife_of_a_mean_is_students_interval(values):
    found = jackknife_interval(lambda some: float(np.mean(some)), values)
    assert found[:3] == pytest.approx(mean_interval(values)[:3], rel=1e-6, abs=1e-6)


def test_the_ratio_of_means_is_no_mean_of_ratios():
    found = ratio_interval([1.0, 3.0], [0.5, 0.5])
    assert found.mean == 1 / 4
    # Without the first pair 1/6, without the second 1/2: pseudo-values 1/3 and 0, and
    # t(0.975, 1) = 12.7062. Half of the interval is t times their deviation over sqrt(2), 1/6.
    half = 12.7062 / 6
    assert found.high - found.low == pytest.approx(2 * half, rel=1e-5)


@given(VALUES)
def test_a_ratio_to_ones_has_students_interval(values):
    found = ratio_interval(np.ones(len(values)), values)
    assert found[:3] == pytest.approx(mean_interval(values)[:3], rel=1e-6, abs=1e-6)


def test_an_estimate_is_printed_with_its_interval_if_it_has_one():
    assert str(mean_interval([1.0, 2.0, 3.0])) == "2.00 [-0.48, 4.48]"
    assert str(mean_interval([0.25])) == "0.25"


def test_power_is_that_of_the_textbook():
    # Cohen 1988, table 2.3: a paired t-test of 34 pairs finds 0.5 deviations with 80 %.
    assert t_test_power(0.5, 34) == pytest.approx(0.81, abs=0.01)
    assert t_test_power(0.0, 10) == pytest.approx(0.025)  # half of the level, on one side
    assert np.isnan(t_test_power(1.0, 1))


def test_power_is_the_share_of_simulated_tests_that_find_it():
    rng = np.random.default_rng(0)
    draws = rng.normal(0.8, 1.0, size=(4000, 10))
    t = draws.mean(axis=1) / (draws.std(axis=1, ddof=1) / np.sqrt(10))
    share = np.mean(t > stats.t.ppf(0.975, 9))
    assert t_test_power(0.8, 10) == pytest.approx(share, abs=0.025)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=4, max_size=30))
def test_rho_is_scipys_with_ties(pairs):
    first, second = np.array(pairs, dtype=float).T
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert np.isnan(rank(first, second).mean)
        return
    found = rank(first, second)
    assert found.mean == pytest.approx(stats.spearmanr(first, second).statistic, abs=1e-9)
    assert -1 <= found.low <= found.mean + 1e-9
    assert found.mean - 1e-9 <= found.high <= 1


def test_fishers_interval_by_hand():
    first = np.arange(12.0)
    found = rank(first, np.array([1, 0, 2, 3, 5, 4, 6, 7, 9, 8, 11, 10.0]))
    # Four swapped neighbours: rho = 1 - 6 * 8 / (12 * 143). z -+ 1.959964 * 1.06 / 3.
    rho = 1 - 48 / 1716
    assert found.mean == pytest.approx(rho)
    half = 1.959964 * 1.06 / 3
    ends = np.tanh(np.arctanh(rho) - half), np.tanh(np.arctanh(rho) + half)
    assert (found.low, found.high) == pytest.approx(ends, abs=1e-6)
    assert found.p < 1e-6
    assert say_rank(found).startswith("+0.97 [+0.89, ")
    assert np.isnan(rank(first[:3], first[:3]).low)


def test_rho_within_strata_is_the_mean_of_theirs_and_each_costs_a_degree_of_freedom():
    rng = np.random.default_rng(2)
    strata = np.repeat(["a", "b", "c"], 10)
    x, y = rng.normal(size=(2, 30)) + 5.0 * np.repeat([0, 1, 2], 10)  # levels that go together
    own = [stats.spearmanr(x[strata == k], y[strata == k]).statistic for k in "abc"]
    found = rank_within(x, y, strata)
    assert rank(x, y).mean > 0.8
    assert found.mean == pytest.approx(np.mean(own))
    half = 1.959964 * 1.06 / np.sqrt(30 - 3 - 2)
    ends = np.tanh(np.arctanh(found.mean) - half), np.tanh(np.arctanh(found.mean) + half)
    assert (found.low, found.high) == pytest.approx(ends, abs=1e-6)
    assert rank_within(x, y, ["a"] * 30)[:4] == pytest.approx(rank(x, y)[:4])
    assert np.isnan(rank_within(x[:4], y[:4], list("aabb")).low)
    assert np.isnan(rank_within([1, 1, 2, 2], [1, 2, 3, 4], list("aabb")).mean)


@pytest.mark.parametrize("strata", ["aaaaaa", "aaabbb", "aaaabb"])
def test_orders_within_strata_are_counted_as_if_written_out(strata):
    names = np.array(list(strata))
    x, y = np.array([[3.0, 1.0, 2.0, 6.0, 5.0, 5.0], [0.1, 0.3, 0.2, 0.9, 0.5, 0.7]])
    places = [np.flatnonzero(names == name) for name in np.unique(names)]
    orders = product(*(permutations(place) for place in places))  # strata stand in their order
    every = [rank_within(x, y[np.concatenate(order)], names).mean for order in orders]
    share = np.mean(np.abs(every) >= abs(rank_within(x, y, names).mean) - 1e-12)
    assert rank_permutation_test(x, y, names) == pytest.approx(share)


def test_more_orders_than_can_be_counted_are_refused():
    with pytest.raises(ValueError, match="at most 12 values of a stratum; got 13"):
        rank_permutation_test(np.arange(13), np.arange(13), ["a"] * 13)


def test_power_of_an_equivalence_is_how_often_it_is_seen():
    rng = np.random.default_rng(3)
    for margin, n in ((1.0, 10), (0.6, 18), (3.0, 3)):
        drawn = rng.normal(size=(20_000, n))
        half = -stdtrit(n - 1, 0.025) * drawn.std(axis=1, ddof=1) / np.sqrt(n)
        seen = np.mean(np.abs(drawn.mean(axis=1)) + half <= margin)
        assert equivalence_power(margin, n) == pytest.approx(seen, abs=0.01)
    assert np.isnan(equivalence_power(1.0, 1))


def test_copies_of_a_pair_are_one_unit():
    """Runs that repeat their setting's scores tell no more than the setting does."""
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(2, 12))
    once = rank_by_group(x, y, [str(i) for i in range(12)])
    copied = rank_by_group(
        np.repeat(x, 5), np.repeat(y, 5), np.repeat(np.arange(12), 5).astype(str)
    )
    assert copied.n == once.n == 12
    assert copied[:4] == pytest.approx(once[:4])
    narrow = rank(np.repeat(x, 5), np.repeat(y, 5))
    assert narrow.high - narrow.low < 0.6 * (copied.high - copied.low)


def test_a_rank_over_groups_without_spread_is_undefined():
    assert np.isnan(rank_by_group([1, 1, 1, 1], [1, 2, 3, 4], list("aabb")).mean)
    assert rank_by_group([], [], []).n == 0
