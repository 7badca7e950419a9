"""Proposition 4 of Rolinek et al. 2019."""

import numpy as np

from gordium.theory import decompose_reconstruction

RNG = np.random.default_rng(0)
MEANS, X = RNG.standard_normal((5, 2)), RNG.standard_normal((5, 3))
HALF = RNG.standard_normal((50, 5, 2))
NOISE = np.concatenate([HALF, -HALF])  # its mean is exactly zero
W = RNG.standard_normal((2, 3))


def test_an_unbiased_decoder_splits_exactly():
    parts = decompose_reconstruction(lambda z: z @ W, MEANS, NOISE, X)
    np.testing.assert_allclose(parts.bias, 0, atol=1e-12)
    np.testing.assert_allclose(parts.total, parts.deterministic + parts.stochastic)
    np.testing.assert_allclose(parts.deterministic, ((MEANS @ W - X) ** 2).sum(axis=1))
    np.testing.assert_allclose(parts.stochastic, ((NOISE @ W) ** 2).sum(axis=2).mean(axis=0))


def test_a_biased_decoder_leaves_twice_the_bias_times_the_error():
    decoder = lambda z: (z @ W) ** 2  # noqa: E731
    parts = decompose_reconstruction(decoder, MEANS, NOISE, X)
    # E (z W)^2 - (mu W)^2 = E (eps W)^2 for noise of mean zero.
    bias = ((NOISE @ W) ** 2).mean(axis=0)
    cross = 2 * (bias * (decoder(MEANS) - X)).sum(axis=1)
    np.testing.assert_allclose(parts.bias, np.linalg.norm(bias, axis=1))
    np.testing.assert_allclose(parts.total, parts.deterministic + parts.stochastic + cross)
    assert np.abs(cross).min() > 0.01
