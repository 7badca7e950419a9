"""DCI against closed forms, scikit-learn's trees and the values of the original."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gordium.metrics import _trees
from gordium.metrics.dci import dci

RNG = np.random.default_rng(0)
FACTORS = RNG.integers(4, size=(600, 3))
NOISE = RNG.standard_normal((600, 3))


def test_factors_themselves_are_disentangled_complete_and_informative():
    found = dci(FACTORS, FACTORS)
    assert found[:4] == pytest.approx((1, 1, 1, 1), abs=1e-4)
    assert found.importance == pytest.approx(np.eye(3), abs=1e-4)


def test_permuted_flipped_and_scaled_factors_are_as_good():
    found = dci(FACTORS[:, [2, 0, 1]] * [-1e-3, 7.0, 100.0], FACTORS)
    assert found[:4] == pytest.approx((1, 1, 1, 1), abs=1e-4)


def test_duplicated_codes_are_disentangled_but_not_complete():
    found = dci(np.hstack([FACTORS, FACTORS]), FACTORS)
    assert found.disentanglement == pytest.approx(1, abs=1e-4)
    # Each factor is spread over two of six codes by the toss of a coin: 1 - log 2 / log 6.
    assert found.completeness == pytest.approx(1 - np.log(2) / np.log(6), abs=0.03)


def test_codes_without_information_are_neither():
    found = dci(NOISE, FACTORS)
    assert found.disentanglement < 0.1
    assert found.completeness < 0.1
    assert found.informativeness == pytest.approx(0.25, abs=0.1)


def test_an_and_gate_is_read_from_two_codes_equally():
    a, b = np.tile([[0, 0], [0, 1], [1, 0], [1, 1]], (150, 1)).T
    found = dci(np.stack([a, b], axis=1), np.stack([a, a & b], axis=1))
    # Code a alone predicts factor a. The gate needs both codes: the first cut, on either, takes
    # 1/3 of its variance and the second, on the other, the rest; tosses even that out.
    assert found.importance[:, 0] == pytest.approx([1, 0], abs=1e-4)
    assert found.importance[:, 1] == pytest.approx([0.5, 0.5], abs=0.2)
    assert found.informativeness == 1


def test_a_sine_and_a_cosine_are_disentangled_but_not_complete():
    angle = 2 * np.pi * FACTORS[:, 0] / 4
    codes = np.stack([np.sin(angle + 0.5), np.cos(angle + 0.5), FACTORS[:, 1]], axis=1)
    found = dci(codes, FACTORS[:, :2])
    assert found.disentanglement == pytest.approx(1, abs=1e-4)
    assert found.completeness < 0.95


def test_dead_codes_do_not_matter_to_disentanglement():
    codes = np.insert(FACTORS + 0.3 * NOISE, 1, 0.0, axis=1)
    with_dead, without = dci(codes, FACTORS), dci(np.delete(codes, 1, axis=1), FACTORS)
    assert with_dead.importance[1].tolist() == [0, 0, 0]
    assert with_dead.disentanglement == pytest.approx(without.disentanglement, abs=0.01)


def test_all_codes_dead_is_zero():
    found = dci(np.zeros((600, 3)), FACTORS)
    assert found[:2] == pytest.approx((0, 0), abs=1e-9)


def test_one_factor_leaves_disentanglement_undefined_and_one_code_completeness():
    assert np.isnan(dci(FACTORS, FACTORS[:, :1]).disentanglement)
    assert np.isnan(dci(FACTORS[:, :1], FACTORS).completeness)


def test_the_last_third_is_held_out():
    test = (FACTORS[400:], FACTORS[400:])
    codes = FACTORS + 0.3 * NOISE
    found = dci(codes, FACTORS)
    expected = dci(codes[:400], FACTORS[:400], test=(codes[400:], test[1]))
    assert found[:4] == expected[:4]


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_scores_lie_between_0_and_1_whatever_the_order_and_scale(seed):
    rng = np.random.default_rng(seed)
    factors = rng.integers(3, size=(600, 2))  # of 150 rows, ties of splits decide up to 0.09
    codes = factors + 0.5 * rng.standard_normal((600, 2))
    found = dci(codes, factors, seed=seed)
    assert all(-1e-9 <= value <= 1 + 1e-9 for value in found[:4])
    assert dci(4.0 * codes, factors, seed=seed)[:4] == found[:4]
    assert dci(codes[:, ::-1], factors, seed=seed)[:4] == pytest.approx(found[:4], abs=0.05)


def test_fast_trees_agree_with_those_of_the_reference_mode():
    codes = (FACTORS + 0.4 * NOISE) @ np.array([[1, 0, 0], [0.5, 1, 0], [0, 0, 1]])
    fast, reference = dci(codes, FACTORS), dci(codes, FACTORS, mode="reference")
    assert fast[:4] == pytest.approx(reference[:4], abs=0.02)
    assert fast.importance == pytest.approx(reference.importance, abs=0.03)


@pytest.mark.parametrize(
    "case",
    [
        "all_dead",
        "class_missing_in_test",
        "class_missing_in_train",
        "linear_dependent",
        "ok",
        "outlier",
        "single_factor",
        "single_latent",
    ],
)
def test_reference_mode_is_the_original(reference, case):
    golden = json.loads((reference / "metrics" / "golden.json").read_text())
    with np.load(reference / "metrics" / f"edge__{case}.npz") as arrays:
        z, v = arrays["mus"], arrays["ys"]
    found = dci(z[:1200], v[:1200], test=(z[1200:], v[1200:]), mode="reference")
    _compare(found, golden[f"edge__{case}"]["dci"]["scores"], 0.01)


@pytest.mark.parametrize(
    ("case", "k"), [("dsprites__c02b_noise05", 0), ("shapes3d__c07_missing", 4)]
)
def test_reference_mode_is_the_original_on_a_factor_of_few_values(reference, case, k):
    golden = json.loads((reference / "metrics" / "golden.json").read_text())[case]["dci"]["scores"]
    with np.load(reference / "metrics" / f"{case}.npz") as arrays:
        test = (arrays["mus_test"], arrays["ys_test"][:, [k]])
        found = dci(arrays["mus_train"], arrays["ys_train"][:, [k]], test=test, mode="reference")
    assert found.importance[:, 0] == pytest.approx(
        np.array(golden["importance_matrix"])[:, k], abs=0.01
    )
    expected = golden["accuracy_test_per_factor"][k], golden["accuracy_train_per_factor"][k]
    assert found[2:4] == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(
    "case",
    [
        "dsprites__c02a_noise01",
        "dsprites__c02b_noise05",
        "shapes3d__c02a_noise01",
        "shapes3d__c06_redundant",
        "shapes3d__c07_missing",
        "shapes3d__c08_purenoise",
    ],
)
def test_fast_mode_agrees_with_the_original(reference, case):
    golden = json.loads((reference / "metrics" / "golden.json").read_text())
    with np.load(reference / "metrics" / f"{case}.npz") as arrays:
        test = (arrays["mus_test"], arrays["ys_test"])
        found = dci(arrays["mus_train"], arrays["ys_train"], test=test)
    _compare(found, golden[case]["dci"]["scores"], 0.02)


@pytest.mark.parametrize("threads", ["1", "3"])
def test_threads_change_no_bit(monkeypatch, threads):
    rng = np.random.default_rng(0)
    codes = FACTORS + 0.3 * rng.standard_normal(FACTORS.shape)
    before = dci(codes, FACTORS)
    monkeypatch.setenv("OMP_NUM_THREADS", threads)
    after = dci(codes, FACTORS)
    assert after[:4] == before[:4]
    assert np.array_equal(after.importance, before.importance)


def _compare(found, scores, tolerance):
    names = ("disentanglement", "completeness", "informativeness_test", "informativeness_train")
    expected = [float(scores[name]) for name in names]
    assert found[:4] == pytest.approx(expected, abs=tolerance, nan_ok=True)


def test_bad_arguments_are_named():
    with pytest.raises(
        ValueError, match="mode must be one of fast, exact, reference; got 'quantiles'"
    ):
        dci(FACTORS, FACTORS, mode="quantiles")
    with pytest.raises(ValueError, match=r"factor columns \[1\] take one value"):
        dci(FACTORS, FACTORS * [1, 0, 1])
    with pytest.raises(ValueError, match=r"code columns \[0\] hold values that are not finite"):
        dci(FACTORS * [np.nan, 1, 1], FACTORS)


def test_very_many_rows_are_cut_at_quantiles_unless_exactly_asked(monkeypatch):
    codes = FACTORS + 0.3 * NOISE
    few = codes.round(1)
    before, before_few = dci(codes, FACTORS), dci(few, FACTORS)
    monkeypatch.setattr(_trees, "MANY_ROWS", 100)
    monkeypatch.setattr(_trees, "FEWER_RANKS", 64)
    after, exact = dci(codes, FACTORS), dci(codes, FACTORS, mode="exact")
    assert np.array_equal(exact.importance, before.importance)
    assert not np.array_equal(after.importance, before.importance)
    assert after.informativeness == pytest.approx(before.informativeness, abs=0.05)
    assert np.array_equal(dci(few, FACTORS).importance, before_few.importance)  # few values
