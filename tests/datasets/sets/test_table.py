"""Vectors with real factors are a data set like any other: train, encode, score."""

import numpy as np
import pytest

import gordium as gd
from gordium.datasets import SyntheticLinear, from_declaration, in_memory
from gordium.networks import Linear


def test_square_is_stretched_and_turned() -> None:
    data = SyntheticLinear(n=1000, ratio=3.0)
    values = data.factors_at(np.arange(1000))
    centred = data.images(np.arange(1000))[:, :, 0, 0]
    assert centred.shape == (1000, 3)
    # A rotation keeps inner products: those of the points are those of the stretched square.
    flat = values * (3.0, 1.0)
    np.testing.assert_allclose(centred @ centred.T, flat @ flat.T, atol=1e-5)
    # The axis of the rotation stays where it is, so heights along it are those before.
    axis = np.array([1, -1, 1]) / np.sqrt(3)
    np.testing.assert_allclose(centred @ axis, (flat[:, 0] - flat[:, 1]) / np.sqrt(3), atol=1e-5)
    assert values.min() >= 0
    assert values.max() <= 1
    assert abs(values.mean() - 0.5) < 0.02


def test_declared_again() -> None:
    data = gd.load_dataset("synthetic-linear", n=10, ratio=1.5)
    again = from_declaration(data.declaration)
    assert again == data
    np.testing.assert_array_equal(again.images([3, 1]), data.images([3, 1]))
    assert in_memory(data) is data


def test_trains_encodes_and_scores() -> None:
    data = SyntheticLinear(n=2000)
    run = gd.train(
        gd.methods.BetaVAE(beta=1e-3),
        data,
        steps=30,
        latent_dim=2,
        architecture=Linear(),
        likelihood="gaussian",
    )
    representation = gd.encode(run.model, data, n=None)
    values = data.factors_at(np.arange(2000))
    assert sorted(representation.factors.tolist()) == sorted(values.tolist())
    assert representation.codes.shape == (2000, 2)
    assert 0 <= gd.metrics.mcc(representation.codes, representation.factors) <= 1


def test_what_needs_a_grid_says_so() -> None:
    data = SyntheticLinear(n=10)
    with pytest.raises(ValueError, match="not a grid"):
        data.index_of([[0.0, 0.0]])
    with pytest.raises(ValueError, match="unit is a real number, which no two images may share"):
        data.hold(unit=0)
    with pytest.raises(ValueError, match="not a grid"):
        gd.train(gd.methods.METHODS["slow-vae"](), data, steps=1, latent_dim=2)
    with pytest.raises(ValueError, match="ratio"):
        SyntheticLinear(ratio=0)
