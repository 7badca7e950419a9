"""MIG in bins of equally many samples, against closed forms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gordium.metrics import mig
from gordium.metrics.mig_equal_frequency import mig_equal_frequency

BITS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])  # two independent fair bits


def test_the_factors_themselves_score_one():
    assert mig_equal_frequency(BITS, BITS) == pytest.approx(1.0, abs=1e-12)


def test_duplicates_and_dead_codes_score_zero():
    assert mig_equal_frequency(np.hstack([BITS, BITS]), BITS) == pytest.approx(0.0, abs=1e-12)
    assert mig_equal_frequency(0 * BITS, BITS) == pytest.approx(0.0, abs=1e-12)


def test_a_bit_and_an_and_gate_score_one_half():
    a, b = BITS.T
    # With h = I(a&b; a) bits: factor a leaves a gap of 1 - h; factor b a gap of h - 0.
    codes = np.stack([a, a & b], axis=1)
    assert mig_equal_frequency(codes, BITS) == pytest.approx(0.5, abs=1e-12)


def test_bins_hold_equally_many_samples():
    # 40 ranks in 4 bins of 10: the first code tells the quarter it is in, and nothing within.
    quarter, within = np.divmod(np.arange(40), 10)
    codes = np.stack([np.exp(np.arange(40.0)), within], axis=1)
    factors = np.stack([quarter, quarter], axis=1)
    assert mig_equal_frequency(codes, factors, bins=4) == pytest.approx(1.0, abs=1e-12)
    assert mig(codes, factors, bins=4) < 0.2  # of equal width, nearly all fall in one


def test_an_outlier_spoils_equal_width_alone():
    rng = np.random.default_rng(0)
    factors = rng.integers(3, size=(1000, 2))
    codes = factors.astype(float)
    codes[0] = 1e6
    assert mig(codes, factors) < 0.01
    assert mig_equal_frequency(codes, factors) > 0.95


@given(st.integers(0, 2**32 - 1))
def test_order_sign_and_increasing_maps_of_codes_are_ignored(seed):
    rng = np.random.default_rng(seed)
    factors = rng.integers(4, size=(190, 3))
    codes = factors + 0.3 * rng.standard_normal((190, 3))
    found = mig_equal_frequency(codes, factors)
    assert 0 <= found <= 1
    assert mig_equal_frequency(np.exp(codes), factors) == pytest.approx(found, abs=1e-12)
    # 19 bins of ten ranks each: no rank lies on an edge.
    found = mig_equal_frequency(codes, factors, bins=19)
    moved = -codes[:, rng.permutation(3)]
    assert mig_equal_frequency(moved, factors, bins=19) == pytest.approx(found, abs=1e-12)


def test_too_few_bins_and_codes_are_named():
    with pytest.raises(ValueError, match="bins must be at least 2; got 1"):
        mig_equal_frequency(BITS, BITS, bins=1)
    with pytest.raises(ValueError, match="at least 2 codes are needed; got 1"):
        mig_equal_frequency(BITS[:, :1], BITS)
