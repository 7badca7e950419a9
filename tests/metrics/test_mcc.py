"""The mean correlation coefficient against closed forms."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from gordium.metrics.mcc import mcc

SIGNS = np.array(list(itertools.product([-1.0, 1.0], repeat=3)))  # three independent fair signs


def test_permuted_flipped_and_scaled_factors_score_one():
    assert mcc(SIGNS[:, [2, 0, 1]] * [-1e-9, 3.0, 1e9] + 5, SIGNS) == pytest.approx(1)


def test_a_rotation_by_45_degrees_leaves_its_cosine():
    a, b, c = SIGNS.T
    # Sum and difference correlate by 1/sqrt(2) with both factors, and c is untouched.
    found = mcc(np.stack([a + b, a - b, c], axis=1), SIGNS)
    assert found == pytest.approx((1 + np.sqrt(2)) / 3)


def test_a_monotone_curve_is_perfect_by_rank_only():
    factors = np.linspace(-2, 2, 9)[:, None]
    assert mcc(np.exp(factors), factors, rank=True) == pytest.approx(1)
    assert mcc(np.exp(factors), factors) < 0.95


def test_an_assignment_is_not_greedy():
    a, b, noise = SIGNS.T
    codes = np.stack([0.8 * a + 0.6 * b, 0.6 * a + 0.8 * noise], axis=1)
    # Code 0 correlates by 0.8 and 0.6 with the factors, code 1 by 0.6 and 0. The greedy choice
    # takes 0.8 + 0, the best one 0.6 + 0.6.
    assert mcc(codes, SIGNS[:, :2]) == pytest.approx(0.6)


def test_duplicates_change_nothing_and_a_missing_factor_counts_zero():
    assert mcc(np.hstack([SIGNS, SIGNS]), SIGNS) == pytest.approx(1)
    assert mcc(SIGNS[:, :2], SIGNS) == pytest.approx(2 / 3)


def test_dead_and_independent_codes_score_zero():
    assert mcc(np.full((8, 3), 0.1), SIGNS) == 0
    assert mcc(SIGNS[:, :1], SIGNS[:, 1:]) == pytest.approx(0, abs=1e-12)


def test_rank_correlation_is_that_of_scipy():
    rng = np.random.default_rng(0)
    factors = rng.integers(5, size=(100, 1))
    codes = factors + rng.standard_normal((100, 1))
    expected = abs(spearmanr(codes[:, 0], factors[:, 0]).statistic)
    assert mcc(codes, factors, rank=True) == pytest.approx(expected)


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_order_sign_and_scale_do_not_matter(seed, rank):
    rng = np.random.default_rng(seed)
    factors = rng.standard_normal((50, 3))
    codes = factors @ rng.standard_normal((3, 3))
    moved = (codes * [-2.0, 0.1, 30.0])[:, rng.permutation(3)]
    score = mcc(codes, factors, rank=rank)
    assert 0 <= score <= 1 + 1e-12
    assert mcc(moved, factors, rank=rank) == pytest.approx(score)


def test_bad_arrays_are_named():
    with pytest.raises(ValueError, match=r"factor columns \[1\] take one value"):
        mcc(SIGNS, SIGNS * [1, 0, 1])
    with pytest.raises(ValueError, match=r"got \(8, 3\) and \(5, 3\)"):
        mcc(SIGNS, SIGNS[:5])
