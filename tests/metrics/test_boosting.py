"""The fast booster against steps worked out by hand."""

import numpy as np
import pytest

from gordium.metrics._boosting import boost, cut_points, to_ranks
from gordium.metrics._boosting_kernels import _exp

THREE = np.repeat([0, 1, 2], 10)


def _ranks(*columns):
    codes = np.stack(columns, axis=1).astype(float)
    return to_ranks(codes, cut_points(codes))


def test_the_first_newton_step_of_two_classes():
    labels = np.repeat([0, 1], 10)
    booster = boost(_ranks(labels), labels, seed=0, rounds=1)
    # r = +-1/2, so r / (|r| (1 - |r|)) = +-2, times the rate 0.1.
    assert np.unique(booster.value) == pytest.approx([-0.2, 0.0, 0.2])
    assert booster.fitted.tolist() == labels.tolist()


def test_the_first_newton_step_of_three_classes():
    booster = boost(_ranks(THREE), THREE, seed=0, rounds=1)
    # Inside r = 2/3 gives 2/3 (2/3) / (2/9) = 2; outside r = -1/3 gives -1; times 0.1.
    for leaves in np.round(booster.value[0], 6):
        assert set(leaves) <= {np.float32(-0.1), np.float32(0.0), np.float32(0.2)}
        assert leaves.max() == pytest.approx(0.2)


def test_importance_is_the_fall_in_squared_error():
    booster = boost(_ranks(THREE, np.zeros(30)), THREE, seed=0, rounds=1)
    # Perfect cuts take all of the variance 3 n 1/3 2/3 of the three targets.
    assert booster.importance == pytest.approx([20, 0], abs=1e-4)


def test_predictions_on_the_fitted_rows_are_the_fitted_ones():
    rng = np.random.default_rng(0)
    codes, labels = rng.standard_normal((300, 4)), rng.integers(5, size=300)
    ranks = to_ranks(codes, cut_points(codes))
    booster = boost(ranks, labels, seed=0)
    assert (booster.predict(ranks) == booster.fitted).all()


def test_a_code_with_too_many_values_is_cut_at_quantiles():
    codes = np.arange(1000.0)[:, None]
    (cuts,) = cut_points(codes, max_ranks=4)
    assert cuts == pytest.approx([249.75, 499.5, 749.25])
    assert np.bincount(to_ranks(codes, [cuts])[0]).tolist() == [250] * 4


def test_exp_is_the_exponential():
    x = np.linspace(-60, 0, 1001, dtype=np.float32)
    found = np.empty_like(x)
    _exp(x, found)
    assert found == pytest.approx(np.exp(x.astype(float)), rel=1e-5)
