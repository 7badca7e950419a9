"""What settled decoders can and cannot tell apart."""

import numpy as np
import pytest

from gordium.manipulation.room import confusion, room

GRID = np.stack(np.meshgrid(np.arange(8), np.arange(8), indexing="ij"), axis=-1).reshape(-1, 2)
W = (GRID - 3.5) / GRID.std()


def q(codes, sigmas):
    log_variances = np.broadcast_to(2 * np.log(np.asarray(sigmas, float)), codes.shape)
    return confusion(codes, log_variances, samples=200)


def test_codes_without_noise_confuse_nothing():
    assert np.abs(q(W, 1e-4)).max() < 1e-12


def test_codes_that_hold_nothing_leave_the_variance_of_the_images():
    # All images are equally likely given z: the best decoder gives their mean.
    n = len(W)
    np.testing.assert_allclose(q(0 * W, 1.0), (np.eye(n) - 1 / n) / n, atol=1e-12)


def test_no_decoder_does_better_than_the_quadratic_form():
    # Two images at +-m with unit noise: the best decoder of x = +-1 is tanh(m z).
    m = 0.7
    z = np.linspace(-12, 12, 200_001)
    density = np.exp(-0.5 * (z - m) ** 2) / np.sqrt(2 * np.pi)
    least = np.trapezoid(density * (1 - np.tanh(m * z)) ** 2, z)
    matrix = confusion([[-m], [m]], [[0.0], [0.0]], samples=200_000)
    x = np.array([-1.0, 1.0])
    assert x @ matrix @ x == pytest.approx(least, abs=0.005)


def test_unequal_noise_leaves_room_for_a_change_along_the_diagonal():
    # An entangled code has the harmonic mean of both noises in every direction, the aligned
    # one the arithmetic mean along the diagonal, which is larger.
    strong, weak = 0.1, 0.4
    mixed = np.sqrt(2 / (strong**-2 + weak**-2))
    turned = W @ np.array([[1, 1], [1, -1]]) / np.sqrt(2)
    assert room([q(turned, mixed)], [q(W, (strong, weak))], GRID).gain < -0.05


def test_equal_noise_leaves_none():
    turned = W @ np.array([[1, 1], [1, -1]]) / np.sqrt(2)
    assert room([q(turned, 0.2)], [q(W, 0.2)], GRID).gain > -0.02
