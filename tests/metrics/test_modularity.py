"""Modularity against closed forms and the values of the original implementation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gordium.metrics.modularity import modularity

BITS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])  # two independent fair bits
DEAD = np.zeros((4, 1))


def test_modularity_of_the_factors_themselves_is_one():
    assert modularity(BITS, BITS) == pytest.approx(1.0, abs=1e-12)


def test_modularity_of_duplicates_is_one():
    assert modularity(np.hstack([BITS, BITS]), BITS) == pytest.approx(1.0, abs=1e-12)


def test_modularity_of_a_sum_and_a_difference_is_zero():
    a, b = BITS.T
    # Both codes tell half a bit of each factor: 1 - (1/2)^2 / (1/2)^2.
    assert modularity(np.stack([a + b, a - b], axis=1), BITS) == pytest.approx(0.0, abs=1e-12)


def test_modularity_of_a_bit_and_an_and_gate_is_one_half():
    a, b = BITS.T
    # The bit scores 1; the gate tells equally much of both factors and scores 0.
    assert modularity(np.stack([a, a & b], axis=1), BITS) == pytest.approx(0.5, abs=1e-12)


def test_a_dead_code_is_left_out_and_counts_as_zero_in_the_reference():
    codes = np.hstack([BITS, DEAD])
    assert modularity(codes, BITS) == pytest.approx(1.0, abs=1e-12)
    assert modularity(codes, BITS, reference=True) == pytest.approx(2 / 3, abs=1e-12)


def test_a_live_code_that_tells_of_no_factor_is_left_out_too():
    a, b = BITS.T
    # a xor b is independent of a and of b.
    assert modularity(np.stack([a, a ^ b], axis=1), BITS) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("reference", [False, True])
def test_modularity_of_dead_codes_is_zero(reference):
    assert modularity(np.hstack([DEAD, DEAD]), BITS, reference=reference) == 0.0


def test_six_samples_of_a_dead_code_leave_no_rounding():
    # Sums of sixths are off one by rounding, and so is the information of a constant.
    factors = np.array([[0, 0], [1, 0], [2, 1]] * 2)
    assert modularity(np.full((6, 1), 0.1), factors, reference=True) == 0.0


@given(st.integers(0, 2**32 - 1))
def test_modularity_ignores_order_sign_and_scale_of_codes(seed):
    rng = np.random.default_rng(seed)
    factors = rng.integers(4, size=(200, 3))
    codes = factors + 0.3 * rng.standard_normal((200, 3))
    moved = (codes * rng.choice([-8.0, -0.5, 2.0], 3))[:, rng.permutation(3)]
    found = modularity(codes, factors)
    assert 0 <= found <= 1
    assert modularity(moved, factors) == pytest.approx(found, abs=1e-9)


def test_modularity_agrees_with_the_original_implementation(cases):
    for case in cases:
        expected = case.golden["modularity_explicitness"]["scores"]["modularity_score"]
        found = modularity(case.codes, case.factors, reference=True)
        assert found == pytest.approx(expected, abs=1e-6), case.name
        dead = case.name.endswith("dead")
        assert modularity(case.codes, case.factors) - found == (
            pytest.approx(found / 5, abs=1e-6) if dead else 0.0
        ), case.name


def test_one_factor_and_too_few_bins_are_named():
    with pytest.raises(ValueError, match="at least 2 factors are needed; got 1"):
        modularity(BITS, BITS[:, :1])
    with pytest.raises(ValueError, match="bins must be at least 2; got 1"):
        modularity(BITS, BITS, bins=1)
