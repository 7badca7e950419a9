"""What settled decoders can and cannot tell apart."""

import numpy as np
import pytest
from scipy import integrate

from gordium.manipulation.settled import confusion

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
    least = integrate.trapezoid(density * (1 - np.tanh(m * z)) ** 2, z)
    matrix = confusion([[-m], [m]], [[0.0], [0.0]], samples=200_000)
    x = np.array([-1.0, 1.0])
    assert x @ matrix @ x == pytest.approx(least, abs=0.005)
