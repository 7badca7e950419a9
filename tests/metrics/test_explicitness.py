"""Explicitness against closed forms, scikit-learn and the original implementation."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from gordium.metrics.explicitness import explicitness

RNG = np.random.default_rng(0)
FACTORS = RNG.integers((3, 4), size=(900, 2))
CODES = FACTORS + 0.3 * RNG.standard_normal((900, 2))


def test_bits_are_explicit():
    bits = np.tile([[0, 0], [0, 1], [1, 0], [1, 1]], (6, 1))
    assert explicitness(bits, bits) == (1.0, 1.0)


def test_an_exclusive_or_is_not_explicit():
    bits = np.tile([[0, 0], [0, 1], [1, 0], [1, 1]], (6, 1))
    # Each bit is independent of both codes; at equal sureness a pair counts one half.
    codes = np.stack([bits[:, 0] ^ bits[:, 1]] * 2, axis=1)
    assert explicitness(codes, bits) == pytest.approx((0.5, 0.5), abs=1e-9)


def test_the_middle_of_three_values_is_ranked_as_well_as_a_linear_score_can():
    factors = np.tile([0, 1, 2], 100)[:, None]
    # With three classes a softmax of lines is surest of the middle one in the middle.
    assert explicitness(factors, factors).score == pytest.approx(1.0, abs=1e-12)


def test_scale_offset_order_and_sign_of_codes_are_ignored():
    moved = (CODES * [-100, 0.01] + [3, -5])[:, ::-1]
    assert explicitness(moved, FACTORS) == pytest.approx(explicitness(CODES, FACTORS), abs=1e-4)


def test_a_dead_code_changes_nothing():
    dead = np.full((900, 1), 0.1)
    assert explicitness(np.hstack([dead, CODES]), FACTORS) == explicitness(CODES, FACTORS)
    assert explicitness(dead, FACTORS) == (0.5, 0.5)


def test_the_area_is_that_of_scikit_learn():
    fit, rest = slice(0, 600), slice(600, 900)
    z = (CODES - CODES[fit].mean(axis=0)) / CODES[fit].std(axis=0)
    areas = []
    for v in FACTORS.T:
        sureness = LogisticRegression().fit(z[fit], v[fit]).predict_proba(z[rest])
        areas.append(roc_auc_score(v[rest], sureness, multi_class="ovr", average="macro"))
    assert explicitness(CODES, FACTORS).score == pytest.approx(np.mean(areas), abs=1e-4)


def test_a_value_missing_in_the_test_rows_is_left_out_of_the_mean():
    there = (FACTORS[:, 0] != 2) & (np.arange(900) >= 600)
    found = explicitness(CODES[:600], FACTORS[:600], test=(CODES[there], FACTORS[there]))
    assert 0.9 < found.score <= 1


def test_a_value_that_only_the_test_rows_hold_counts_among_the_rest():
    fit = FACTORS[:600, 0] != 2
    found = explicitness(CODES[:600][fit], FACTORS[:600][fit], test=(CODES[600:], FACTORS[600:]))
    assert 0.5 < found.score < explicitness(CODES, FACTORS).score


def test_explicitness_agrees_with_the_original_implementation(cases):
    for case in cases:
        golden = case.golden["modularity_explicitness"]["scores"]
        found = explicitness(case.codes, case.factors, test=case.test)
        if case.name.endswith("dead"):  # the original fails; ours is that of the live codes
            live = next(other for other in cases if other.name == "dsprites__c01_identity")
            golden = live.golden["modularity_explicitness"]["scores"]
        expected = golden["explicitness_score_test"], golden["explicitness_score_train"]
        assert found == pytest.approx(expected, abs=0.005), case.name


def test_one_value_in_the_test_rows_is_named():
    with pytest.raises(ValueError, match=r"factor columns \[0, 1\] take one value in the 2 rows"):
        explicitness(CODES, FACTORS, test=(CODES[:2], FACTORS[[0, 0]]))
