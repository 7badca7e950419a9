"""SAP against closed forms, scikit-learn and the values of the original implementation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.svm import LinearSVC

from gordium.metrics._scalar_svm import fit_scalar_svms
from gordium.metrics.sap import sap

BITS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])  # two independent fair bits
MANY = np.tile(BITS, (300, 1))
SIGNS = 2 * MANY - 1


def test_sap_of_bits_is_one_half():
    # Each bit predicts itself always, and the other half the time.
    assert sap(SIGNS, MANY) == pytest.approx(0.5, abs=1e-12)


def test_sap_of_duplicates_is_zero():
    assert sap(np.hstack([SIGNS, SIGNS]), MANY) == 0.0


def test_squared_correlation_of_bits_is_one():
    assert sap(BITS, BITS, continuous=True) == pytest.approx(1.0, abs=1e-12)


def test_squared_correlation_of_a_sum_beside_a_bit_is_one_half():
    a, b = BITS.T
    # r^2(a, a) - r^2(a + b, a) = 1 - 1/2, and r^2(a + b, b) - r^2(a, b) = 1/2 - 0.
    codes = np.stack([a, a + b], axis=1)
    assert sap(codes, BITS * 0.3, continuous=True) == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize("continuous", [False, True])
def test_dead_codes_change_nothing_where_others_predict(continuous):
    with_dead = np.hstack([SIGNS, np.zeros((len(SIGNS), 1))])
    alone, beside = (sap(z, MANY, continuous=continuous) for z in (SIGNS, with_dead))
    assert beside == pytest.approx(alone, abs=1e-12)
    assert sap(0 * SIGNS, MANY, continuous=continuous) == 0.0


def test_sap_depends_on_the_scale_of_the_codes():
    factors = np.tile(np.arange(4), 300)[:, None]
    codes = np.hstack([factors - 1.5, np.zeros_like(factors)])
    # Regularised: a small code is left with the extremes of its classes.
    assert sap(0.01 * codes, factors) < sap(codes, factors) - 0.1


@pytest.mark.parametrize("sizes", [(2, 2), (3, 5), (2, 7)])
def test_the_machines_are_those_of_scikit_learn(sizes):
    rng = np.random.default_rng(0)
    factors = rng.integers(sizes, size=(400, 2))
    code = 0.5 * factors[:, 0] + rng.standard_normal(400)
    found = np.split(fit_scalar_svms(code, factors), [sizes[0]], axis=1)
    for lines, truth in zip(found, factors.T, strict=True):
        # `dual=False` is the primal problem; a fine tolerance, to compare coefficients.
        svm = LinearSVC(C=0.01, class_weight="balanced", dual=False, tol=1e-10, max_iter=100_000)
        svm.fit(code[:, None], truth)
        expected = np.stack([svm.coef_[:, 0], svm.intercept_])
        assert lines[:, -expected.shape[1] :] == pytest.approx(expected, abs=1e-6)


def test_sap_agrees_with_scikit_learn_on_unequal_classes():
    rng = np.random.default_rng(1)
    factors = np.stack([rng.binomial(4, 0.3, 900), rng.binomial(1, 0.2, 900)], axis=1)
    codes = (factors @ rng.standard_normal((2, 3)) + 0.3 * rng.standard_normal((900, 3))) * 3
    scores = np.zeros((3, 2))
    for j, k in np.ndindex(3, 2):
        svm = LinearSVC(C=0.01, class_weight="balanced", dual=False)
        svm.fit(codes[:600, j : j + 1], factors[:600, k])
        scores[j, k] = svm.score(codes[600:, j : j + 1], factors[600:, k])
    second, best = np.sort(scores, axis=0)[-2:]
    assert sap(codes, factors) == pytest.approx(np.mean(best - second), abs=0.005)


@given(st.integers(0, 2**32 - 1))
def test_sap_ignores_order_and_sign_of_codes(seed):
    rng = np.random.default_rng(seed)
    factors = rng.integers(4, size=(300, 2))
    codes = factors @ rng.standard_normal((2, 3)) + 0.3 * rng.standard_normal((300, 3))
    moved = (codes * rng.choice([-1.0, 1.0], 3))[:, rng.permutation(3)]
    for continuous in (False, True):
        found = sap(codes, factors, continuous=continuous)
        assert 0 <= found <= 1
        assert sap(moved, factors, continuous=continuous) == pytest.approx(found, abs=1e-9)


def test_codes_far_from_zero_converge():
    assert np.isfinite(sap(SIGNS * 1e-3 + 1e4, MANY))


def test_sap_agrees_with_the_original_implementation(cases):
    for case in cases:
        expected = case.golden["sap"]["scores"]["SAP_score"]
        found = sap(case.codes, case.factors, test=case.test)
        assert found == pytest.approx(expected, abs=0.005), case.name
        expected = case.golden["sap_continuous"]["scores"]["SAP_score"]
        found = sap(case.codes, case.factors, continuous=True)
        assert found == pytest.approx(expected, abs=1e-6), case.name


def test_a_value_that_only_the_test_rows_hold_is_predicted_wrongly():
    # A third of the test rows hold a value that was never fitted; the others are as before.
    unseen = np.concatenate([MANY, np.full((600, 2), 5)])
    codes = np.concatenate([SIGNS, np.ones((600, 2))])
    assert sap(SIGNS, MANY, test=(codes, unseen)) == pytest.approx(1 / 3, abs=1e-12)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ((SIGNS[:, :1], MANY, None), ValueError, "at least 2 codes are needed; got 1"),
        ((SIGNS[:5], MANY[:5], None), ValueError, "at least 6 samples are needed to hold out"),
        ((SIGNS, MANY.astype(str), None), TypeError, "factors must be real numbers; got <U"),
        ((SIGNS, MANY, (SIGNS, MANY[:, :1])), ValueError, "test must be .* 2 codes and 2 factors"),
        ((SIGNS, MANY, (SIGNS[:7], MANY)), ValueError, r"got \(7, 2\) and \(1200, 2\)"),
        ((SIGNS, MANY, (SIGNS, MANY * 1j)), TypeError, "factors of test must be real numbers"),
        ((SIGNS[:900], np.sort(MANY, axis=0)[:900], None), ValueError, "one value in all 600"),
    ],
)
def test_bad_arguments_are_named(arguments, error, text):
    codes, factors, test = arguments
    with pytest.raises(error, match=text):
        sap(codes, factors, test=test)
