"""MIG against closed forms and the values of the original implementation."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gordium.metrics import mig

BITS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])  # two independent fair bits


def test_mig_of_the_factors_themselves_is_one():
    assert mig(BITS, BITS) == pytest.approx(1.0, abs=1e-12)


def test_mig_of_a_bit_and_an_and_gate_is_one_half():
    a, b = BITS.T
    codes = np.stack([a, a & b], axis=1)
    # With h = I(a&b; a) bits: factor a leaves a gap of 1 - h; factor b a gap of h - 0.
    assert mig(codes, BITS) == pytest.approx(0.5, abs=1e-12)


def test_mig_of_duplicates_is_zero():
    assert mig(np.hstack([BITS, BITS]), BITS) == pytest.approx(0.0, abs=1e-12)


def test_mig_of_a_sum_and_a_difference_is_zero():
    a, b = BITS.T
    # Rotated by 45 degrees both codes tell half a bit of each factor.
    assert mig(np.stack([a + b, a - b], axis=1), BITS) == pytest.approx(0.0, abs=1e-12)


def test_mig_of_a_sum_beside_a_bit_is_one_half():
    a, b = BITS.T
    # I(a+b; a) = I(a+b; b) = 1/2: factor a has a gap of 1 - 1/2, factor b of 1/2 - 0.
    assert mig(np.stack([a, a + b], axis=1), BITS) == pytest.approx(0.5, abs=1e-12)


@given(st.integers(0, 2**32 - 1))
def test_mig_ignores_order_sign_and_scale_of_codes(seed):
    rng = np.random.default_rng(seed)
    factors = rng.integers(4, size=(200, 3))
    codes = factors + 0.3 * rng.standard_normal((200, 3))
    moved = (codes * rng.choice([-8.0, -0.5, 2.0], 3))[:, rng.permutation(3)]
    # Flipping the sign swaps which edge a bin holds, and no code lies on one.
    assert mig(moved, factors) == pytest.approx(mig(codes, factors), abs=1e-9)


def test_mig_agrees_with_the_original_implementation(reference):
    golden = json.loads((reference / "metrics" / "golden.json").read_text())
    compared = 0
    for path in sorted((reference / "metrics").glob("*__c??*.npz")):
        if path.stem.startswith("edge") or "mig" not in golden.get(path.stem, {}):
            continue
        with np.load(path) as arrays:
            found = mig(arrays["mus_train"], arrays["ys_train"])
        expected = golden[path.stem]["mig"]["scores"]["discrete_mig"]
        assert found == pytest.approx(expected, abs=1e-6), path.stem
        compared += 1
    assert compared >= 14


@pytest.mark.parametrize(
    ("codes", "factors", "error", "text"),
    [
        (BITS[:3], BITS, ValueError, r"got \(3, 2\) and \(4, 2\)"),
        (BITS[:, :1], BITS, ValueError, "at least 2 codes are needed; got 1"),
        (BITS, BITS * 1j, TypeError, "factors must be real numbers; got complex128"),
        (BITS, BITS * [0, 1], ValueError, r"factor columns \[0\] take one value in all 4"),
        (BITS * [np.nan, 1], BITS, ValueError, r"code columns \[0\] hold values that are not"),
        (BITS * 1j, BITS, TypeError, "codes must be real numbers; got complex128"),
        (BITS[:0], BITS[:0], ValueError, "n_samples"),
    ],
)
def test_bad_arrays_are_named(codes, factors, error, text):
    with pytest.raises(error, match=text):
        mig(codes, factors)


def test_too_few_bins_are_named():
    with pytest.raises(ValueError, match="bins must be at least 2; got 1"):
        mig(BITS, BITS, bins=1)
