"""Rows that are no fair test of a predictor are noticed, and fair ones never."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gordium.metrics import METRICS, PROPERTIES, RowsWarning, score
from gordium.metrics._rows import warn_of_rows

GRID = np.stack(np.unravel_index(np.arange(324), (6, 6, 9)), axis=1)
TURN = np.random.default_rng(0).standard_normal((3, 4))
TESTED = (
    *("dci", "sap", "explicitness", "infomec", "disentanglement_score"),
    *("downstream", "downstream_logistic"),
)


def drawn(indices):
    """Deterministic codes of the images of these indices."""
    return np.tanh(GRID[indices] @ TURN), GRID[indices]


def shuffled(seed):
    return np.random.default_rng(seed).permutation(len(GRID))


# The other two refuse values that were not seen, and tests that hold one value.
@pytest.mark.parametrize("name", ["dci", "sap", "downstream", "disentanglement_score"])
def test_every_metric_that_tests_a_predictor_notices_rows_in_the_order_of_the_grid(name):
    text = r"not in random order: factor columns \[0\] take other .* Shuffle codes and factors"
    with pytest.warns(RowsWarning, match=text):
        METRICS[name](*drawn(np.arange(324)))


@pytest.mark.parametrize("name", TESTED)
def test_every_metric_that_tests_a_predictor_notices_images_drawn_again_and_again(name):
    again = np.random.default_rng(0).integers(324, size=2000)
    with pytest.warns(
        RowsWarning, match=r"9\d% of the rows .* Score each image once, or pass"
    ) as w:
        METRICS[name](*drawn(again))
    assert len(w) == 1


def test_several_metrics_warn_once():
    again = np.random.default_rng(0).integers(324, size=2000)
    with pytest.warns(RowsWarning) as told:
        score(*drawn(again), metrics=("sap", "explicitness", "disentanglement_score"))
    assert len(told) == 1


def test_rows_that_are_given_to_test_are_taken_as_they_are():
    codes, factors = drawn(np.arange(324))
    METRICS["sap"](codes, factors, test=(codes[:60], factors[:60]))


@given(st.integers(0, 2**32 - 1))
def test_each_image_once_in_random_order_is_fair(seed):
    warn_of_rows(*drawn(shuffled(seed)))


@given(st.integers(0, 2**32 - 1), st.sampled_from([30, 300, 3000]), st.booleans())
def test_fresh_draws_are_fair_whatever_the_factors(seed, n, is_real):
    rng = np.random.default_rng(seed)
    factors = rng.integers((2, 5, 40, 1000), size=(n, 4))
    factors = factors + is_real * rng.standard_normal((n, 4))
    warn_of_rows(factors @ rng.standard_normal((4, 4)) + rng.standard_normal((n, 4)), factors)


def test_codes_that_are_labels_repeat_without_being_copies():
    labels = np.random.default_rng(0).integers((3, 4), size=(900, 2))
    warn_of_rows(labels * 0.5, labels)


def test_a_real_factor_in_rising_order_is_noticed():
    rising = np.linspace(0, 1, 90)[:, None]
    with pytest.warns(RowsWarning, match=r"factor columns \[0\]"):
        warn_of_rows(rising, rising)


def test_metrics_that_test_no_predictor_do_not_mind_the_order():
    codes, factors = drawn(np.arange(324))
    untested = [name for name in METRICS if name not in TESTED]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score(codes, factors, metrics=untested, log_variances=np.full(codes.shape, -4.0))
    drawing = {"beta_vae_score", "factor_vae_score"}  # these draw from all rows
    assert {n for n in METRICS if PROPERTIES[n].held_out} == set(TESTED) | drawing
