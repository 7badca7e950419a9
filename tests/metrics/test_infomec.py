"""InfoMEC against closed forms."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gordium.metrics.infomec import infomec

BITS = np.tile([[0, 0], [0, 1], [1, 0], [1, 1]], (60, 1))  # two independent fair bits
A, B = BITS.T


def test_the_factors_themselves_score_one():
    assert infomec(BITS, BITS)[:3] == pytest.approx((1, 1, 1), abs=1e-3)


def test_permuted_flipped_and_scaled_factors_score_one():
    assert infomec(BITS[:, ::-1] * [-3, 0.5], BITS)[:3] == pytest.approx((1, 1, 1), abs=1e-3)


def test_a_sum_and_a_difference_are_explicit_but_neither_modular_nor_compact():
    # Both codes tell half a bit of both factors, and half their sum or difference is a factor.
    found = infomec(np.stack([A + B, A - B], axis=1), BITS)
    assert found.shared == pytest.approx(np.full((2, 2), 0.5))
    assert found[:3] == pytest.approx((0, 1, 0), abs=1e-3)


def test_duplicates_are_modular_but_not_compact():
    found = infomec(np.hstack([BITS, BITS]), BITS)
    # Half of what is told of a factor is in its best code, of four: (1/2 - 1/4) / (1 - 1/4).
    assert found[:3] == pytest.approx((1, 1, 1 / 3), abs=1e-3)


def test_parity_is_not_explicit():
    # No linear model on a ^ b tells a or b, and none by itself shares anything with it.
    found = infomec(np.stack([A ^ B, A], axis=1), BITS)
    assert found.explicitness == pytest.approx(0.5, abs=0.01)
    # Parity tells nothing of one factor (0), code a tells a alone (1).
    assert found.modularity == pytest.approx(0.5)


def test_an_and_gate_beside_a_bit():
    # I(a & b; a) = h for both factors: code a has all of its telling in a (1), the gate half
    # in each (0).
    assert infomec(np.stack([A, A & B], axis=1), BITS).modularity == pytest.approx(0.5)


def test_inactive_codes_are_pruned():
    codes = np.column_stack([BITS, np.zeros(240), 0.04 * A])
    found = infomec(codes, BITS)
    assert found.is_active.tolist() == [True, True, False, False]
    assert found[:3] == pytest.approx((1, 1, 1), abs=1e-3)


def test_dead_codes_alone_score_zero():
    assert infomec(np.zeros((240, 2)), BITS)[:3] == pytest.approx((0, 0, 0), abs=1e-3)


def test_one_factor_leaves_modularity_undefined_and_one_code_compactness():
    assert np.isnan(infomec(BITS, BITS[:, :1]).modularity)
    assert np.isnan(infomec(BITS[:, :1], BITS).compactness)


def test_balanced_classes_are_measured_against_equal_chances():
    # Nothing is told of a rare class. Against its own frequencies the loss is that of a
    # constant (0); with classes made equal both losses are log 2 (0 again).
    rare = np.tile([0, 0, 0, 1], 60)[:, None]
    dead = np.column_stack([np.zeros(240), np.zeros(240)])
    assert infomec(dead, rare).explicitness == pytest.approx(0, abs=1e-6)
    assert infomec(dead, rare, balanced=True).explicitness == pytest.approx(0, abs=1e-6)
    hint = dead + 2 * rare + np.random.default_rng(0).standard_normal((240, 2))
    plain, weighted = (infomec(hint, rare, balanced=b).explicitness for b in (False, True))
    assert abs(plain - weighted) > 0.01


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_order_and_sign_do_not_matter_and_scores_are_bounded(seed):
    rng = np.random.default_rng(seed)
    factors = rng.integers(3, size=(300, 2))
    codes = factors + 0.3 * rng.standard_normal((300, 2))
    found, moved = infomec(codes, factors), infomec(-codes[:, ::-1], factors)
    assert moved[:3] == pytest.approx(found[:3], abs=1e-3)
    assert all(0 <= value <= 1 for value in found[:3])


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="bins must be at least 2; got 1"):
        infomec(BITS, BITS, bins=1)
    test = BITS[:40], np.full((40, 1), 2)
    with pytest.raises(ValueError, match=r"factor columns \[0\] take values in the rows to test"):
        infomec(BITS, BITS[:, :1], test=test)
