"""One encode pass, and which units are active in it."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import gordium as gd
from gordium.evaluation.representation import Representation, choose_rows
from gordium.networks import Linear, autoencoder


@pytest.fixture
def model():
    chance = torch.Generator().manual_seed(0)
    return autoencoder(Linear(), (3, 16, 16), 2, likelihood="gaussian", generator=chance)


def test_codes_are_those_of_the_image_in_the_same_row(model, room):
    found = gd.encode(model, room, n=None, batch_size=50)
    images = room.images(room.index_of(found.factors))
    posterior = model.encode(torch.from_numpy(images) / 255)
    np.testing.assert_allclose(found.codes, posterior.mean.detach(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(
        found.log_variances, posterior.log_variance.detach(), rtol=1e-4, atol=1e-5
    )


def test_draws_follow_the_seed_and_keep_codes_and_factors_together(model, room):
    one, same, other = (gd.encode(model, room, n=40, seed=seed) for seed in (0, 0, 1))
    assert np.array_equal(one.codes, same.codes)
    assert not np.array_equal(one.codes, other.codes)
    whole = gd.encode(model, room, n=None)
    place = np.argsort(room.index_of(whole.factors))
    rows = place[room.index_of(one.factors)]
    np.testing.assert_allclose(one.codes, whole.codes[rows], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("n", "rows"), [(40, 40), (119, 119), (120, 120), (10_000, 120)])
def test_no_image_is_encoded_twice_and_their_order_is_random(n, rows, model, room):
    indices = room.index_of(gd.encode(model, room, n=n).factors)
    assert len(indices) == len(set(indices.tolist())) == rows
    # Of the steps of a random order about half go up; of a sorted one, all.
    assert rows / 4 < (np.diff(indices) > 0).sum() < 3 * rows / 4


def test_every_image_by_default_if_there_are_few(model, room):
    np.testing.assert_array_equal(
        gd.encode(model, room).factors, gd.encode(model, room, n=None).factors
    )


@given(size=st.integers(1, 300), n=st.integers(1, 400), seed=st.integers(0, 5))
def test_rows_are_different_ones_and_all_if_there_are_few(size, n, seed):
    rows = choose_rows(size, n=n, seed=seed).tolist()
    assert len(rows) == len(set(rows)) == min(n, size)
    assert set(rows) <= set(range(size))


def test_a_unit_is_active_if_its_mean_variance_is_below_08():
    # Unit 0: variances 0.1 and 1.4, mean 0.75. Unit 1: 0.7 and 1.0, mean 0.85.
    log_variances = np.log(np.array([[0.1, 0.7], [1.4, 1.0]], dtype=np.float32))
    assert gd.active_units(log_variances).tolist() == [True, False]


@pytest.mark.parametrize(("n_factors", "pruned"), [(1, False), (2, True)])
def test_fewer_active_units_than_factors_is_over_pruned(n_factors, pruned):
    log_variances = np.log(np.array([[0.1, 0.9], [0.1, 0.9]], dtype=np.float32))
    factors = np.zeros((2, n_factors), dtype=np.int64)
    assert gd.over_pruned(Representation(log_variances, log_variances, factors)) is pruned


def test_no_images_is_an_error(model, room):
    with pytest.raises(ValueError, match="n must be at least 1, or None"):
        gd.encode(model, room, n=0)
