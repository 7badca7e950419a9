"""IRS against closed forms and the values of the original implementation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gordium.metrics.irs import irs

BITS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])  # two independent fair bits


def test_irs_of_the_factors_themselves_is_one():
    assert irs(BITS, BITS) == pytest.approx(1.0, abs=1e-12)


def test_irs_of_a_sum_and_a_difference_is_one_half():
    a, b = BITS.T
    # Held at either value, the other bit moves each code by 1/2 to both sides; in all it is 1.
    assert irs(np.stack([a + b, a - b], axis=1), BITS) == pytest.approx(0.5, abs=1e-12)


def test_irs_of_a_code_that_no_factor_moves_is_zero():
    a, b = BITS.T
    assert irs((a ^ b)[:, None], BITS) == pytest.approx(0.0, abs=1e-12)


def test_irs_weighs_codes_by_how_far_they_move():
    a, b = BITS.T
    # The bit scores 1 and moves 3/2; a xor b scores 0 and moves 1/2.
    assert irs(np.stack([3 * a, a ^ b], axis=1), BITS) == pytest.approx(0.75, abs=1e-12)


def test_dead_codes_are_left_out():
    dead = np.full((4, 1), 0.1)
    assert irs(np.hstack([BITS, dead]), BITS) == pytest.approx(1.0, abs=1e-12)
    assert irs(dead, BITS) == 0.0


def test_the_quantile_forgives_a_rare_excursion_that_the_paper_counts():
    factors = np.repeat([0, 1], 1000)[:, None]
    codes = factors.astype(float)
    codes[0] = 0.5
    assert irs(codes, factors) > 0.99
    assert irs(codes, factors, quantile=1.0) < 0.6


def test_factors_may_be_any_real_numbers():
    grid = np.linspace(0, 1, 2000)
    # Within one of 20 bins the code moves 1/40 of its range either way, 1/20 of the greatest.
    assert irs(grid[:, None], grid[:, None], quantile=1.0) == pytest.approx(0.95, abs=1e-3)


@given(st.integers(0, 2**32 - 1))
def test_irs_ignores_order_sign_and_a_common_scale_of_codes(seed):
    rng = np.random.default_rng(seed)
    factors = rng.integers(4, size=(200, 3))
    codes = factors + 0.3 * rng.standard_normal((200, 3))
    moved = (7 * codes * rng.choice([-1.0, 1.0], 3))[:, rng.permutation(3)]
    assert irs(moved, factors) == pytest.approx(irs(codes, factors), abs=1e-9)
    assert irs(codes, factors) <= 1


def test_irs_agrees_with_the_original_implementation(cases):
    for case in cases:
        expected = case.golden["irs"]["scores"]["IRS"]
        assert irs(case.codes, case.factors) == pytest.approx(expected, abs=1e-5), case.name


@pytest.mark.parametrize(
    ("factors", "options", "text"),
    [
        (BITS[:3], {}, r"got \(4, 2\) and \(3, 2\). Take both from one"),
        (BITS * [1, np.nan], {}, r"factor columns \[1\] hold values that are not finite"),
        (BITS * [0, 1], {}, r"factor columns \[0\] take one value in all 4"),
        (BITS, {"bins": 1}, "bins must be at least 2; got 1"),
        (BITS, {"quantile": 0.0}, "quantile must be above 0 and at most 1; got 0.0"),
    ],
)
def test_bad_arguments_are_named(factors, options, text):
    with pytest.raises(ValueError, match=text):
        irs(BITS, factors, **options)


def test_complex_factors_are_named():
    with pytest.raises(TypeError, match="factors must be real numbers; got complex128"):
        irs(BITS, BITS * 1j)
