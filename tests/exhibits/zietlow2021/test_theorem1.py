"""The exhibit at its smallest, and its measures on matrices whose answers are known."""

import numpy as np
import pytest

from gordium.exhibits.base import Place
from gordium.exhibits.zietlow2021.linear_models import (
    LinearModel,
    cosines,
    expected_loss,
    largest_angle,
    off_permutation,
)
from gordium.exhibits.zietlow2021.theorem1 import make
from gordium.theory import linear_vae_loss, linear_vae_optimum


def test_smoke(tmp_path, judged):
    made = make(Place("smoke", tmp_path, workers=1))
    assert [row["model"] for row in made.rows] == ["closed form", "trained AE", "trained VAE"]
    assert len(judged("zietlow2021-theorem1", made)) == 2 + 4  # claims, and lines under them
    assert made.pictures["theorem1.png"].startswith(b"\x89PNG")
    assert made.rows[2]["loss_above"] > 0


def test_angles_do_not_mind_signs_order_or_length():
    axes = np.eye(3)
    decoder = np.array([[0.0, -2.0, 0.0], [0.0, 0.0, 5.0], [1.0, 0.0, 0.0]])
    assert largest_angle(axes, decoder) == 0
    np.testing.assert_array_equal(cosines(axes, decoder), np.eye(3))
    assert off_permutation(decoder) == pytest.approx(0.0, abs=1e-12)
    turn = np.deg2rad(30)
    mixed = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    assert largest_angle(np.eye(2), mixed * (2.0, 1.0)) == pytest.approx(30)
    # Orthogonal columns of different lengths have V = I; equal columns have V at 45 degrees.
    assert off_permutation(mixed * (2.0, 1.0)) == pytest.approx(0.0, abs=1e-12)
    assert off_permutation(np.array([[1.0, 1.0], [0.1, -0.1]])) == pytest.approx(np.sqrt(0.5))


def test_expected_loss_of_the_optimum_is_that_of_theory():
    x = np.random.default_rng(0).normal(size=(200, 4)) * (3.0, 2.0, 1.0, 0.5) + 1.0
    vae = linear_vae_optimum(x, 2, 0.5)
    encoder = np.concatenate([vae.encoder, np.zeros((2, 4))])
    bias = np.concatenate([-vae.encoder @ vae.mean, np.log(vae.variances)])
    model = LinearModel(vae.decoder, vae.mean, encoder, bias)
    assert expected_loss(model, x, 0.5) == pytest.approx(linear_vae_loss(vae, x, 0.5))
