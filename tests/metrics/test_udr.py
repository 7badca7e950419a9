"""UDR against closed forms and the values of the original implementation."""

import itertools
import json

import numpy as np
import pytest

from gordium.metrics.udr import udr

SIGNS = np.array(list(itertools.product([-1.0, 1.0], repeat=3)))  # three independent fair signs
MOVED = SIGNS[:, [2, 0, 1]] * [-3.0, 0.1, 5.0]


def test_models_that_agree_up_to_order_sign_and_scale_score_the_most():
    # Lasso takes its 0.1 off each coefficient of 1: 0.9^2 / 0.9.
    assert udr([SIGNS, MOVED]).scores == pytest.approx([0.9, 0.9])
    assert udr([SIGNS, MOVED], method="spearman").scores == pytest.approx([1, 1])


def test_a_rotated_pair_matches_by_halves():
    a, b, c = SIGNS.T
    rotated = np.stack([a + b, a - b, c], axis=1)
    # Coefficients 1/sqrt(2) - 0.1 twice for two codes of each model, 0.9 for the third.
    half = (np.sqrt(0.5) - 0.1) / 2
    expected = [(2 * half + 0.9) / 3] * 2
    assert udr([SIGNS, rotated]).scores == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("method", ["lasso", "spearman"])
def test_unrelated_models_score_zero(method):
    assert udr([SIGNS[:, :1], SIGNS[:, 1:2]], method=method).scores == pytest.approx([0, 0])


def test_the_score_is_the_median_over_the_other_models():
    lonely = np.stack([SIGNS.prod(axis=1)] * 3, axis=1)  # parity correlates with no sign
    found = udr([SIGNS, MOVED, SIGNS, lonely], method="spearman").scores
    assert found == pytest.approx([1, 1, 1, 0])


def test_codes_of_low_kl_take_no_part():
    noisy = np.column_stack([SIGNS, SIGNS[:, 0] * SIGNS[:, 1]])
    kl = [[1, 1, 1], [1, 1, 1, 0.001]]
    assert udr([SIGNS, noisy], kl=kl).scores == pytest.approx([0.9, 0.9])
    assert udr([SIGNS, noisy]).scores.max() < 0.9


def test_dead_codes_count_as_unmatched():
    dead = np.column_stack([SIGNS, np.zeros(8)])
    # Three perfect matches among four and three codes, both ways: (3 + 3) / 7.
    assert udr([dead, SIGNS], method="spearman").scores == pytest.approx([6 / 7, 6 / 7])


def test_a_model_without_active_codes_scores_zero():
    kl = [[1, 1, 1], [0, 0, 0], [1, 1, 1]]
    found = udr([SIGNS, SIGNS, MOVED], kl=kl).scores
    assert found == pytest.approx([0.45, 0, 0.45])


def test_the_original_averages_rows_and_columns_apart():
    # One code against three: it is matched fully, two of three not. Ours: (1 + 1) / 4; the
    # original: (1 + 1/3) / 2.
    kl = [[1, 0, 0], [1, 1, 1]]
    ours = udr([SIGNS, SIGNS], kl=kl, method="spearman").scores
    theirs = udr([SIGNS, SIGNS], kl=kl, method="spearman", original="filtered").scores
    assert ours == pytest.approx([1 / 2, 1 / 2])
    assert theirs == pytest.approx([2 / 3, 2 / 3])


def test_one_dead_code_makes_the_original_zero():
    dead = np.column_stack([SIGNS[:, :2], np.zeros(8)])
    models = {"representations": [dead, SIGNS], "method": "spearman"}
    assert udr(**models, original="unfiltered").scores.tolist() == [0, 0]
    assert udr(**models).scores == pytest.approx([4 / 6, 4 / 6])


def test_udr_agrees_with_the_original_implementation(reference):
    golden = json.loads((reference / "metrics" / "golden.json").read_text())
    compared = 0
    for case in (name for name in golden if name.startswith("udr__")):
        with np.load(reference / "metrics" / f"{case}.npz") as arrays:
            models, kl = arrays["reps"], arrays["kl"]
        for record in golden[case].values():
            params = record["params"]
            options = {
                "method": params["correlation_matrix"],
                "threshold": params["kl_filter_threshold"],
            }
            kind = "filtered" if params["filter_low_kl"] else "unfiltered"
            found = udr(models, kl=kl, original=kind, **options)
            expected = record["scores"]["model_scores"]
            assert found.scores == pytest.approx(expected, abs=1e-5), (case, params)
            if kind == "filtered" and params["kl_filter_threshold"] == 0.01:
                # All models keep equally many codes: nothing to repair.
                assert udr(models, kl=kl, **options).scores == pytest.approx(expected, abs=1e-5)
            compared += 1
    assert compared >= 28


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="two or more arrays"):
        udr([SIGNS])
    with pytest.raises(ValueError, match=r"the same rows; got \[\(8, 3\), \(5, 3\)\]"):
        udr([SIGNS, SIGNS[:5]])
    with pytest.raises(ValueError, match=r"each code of each model, \[3, 3\]; got \[\(3,\)\]"):
        udr([SIGNS, SIGNS], kl=[[1, 1, 1]])
    with pytest.raises(ValueError, match="method must be lasso or spearman; got 'ridge'"):
        udr([SIGNS, SIGNS], method="ridge")
    with pytest.raises(ValueError, match="original must be None, filtered or unfiltered"):
        udr([SIGNS, SIGNS], original="yes")
