"""The parts of the reconstruction loss, against closed forms and quadrature."""

import numpy as np
import pytest
import torch

from gordium.geometry import loss_decomposition
from gordium.networks import Posterior

RNG = np.random.default_rng(0)


def tensor(*shape):
    return torch.from_numpy(RNG.standard_normal(shape))


def chance(seed=0):
    return torch.Generator().manual_seed(seed)


def test_a_linear_decoder_by_trace():
    # Dec(mu + e) = M mu + M e: unbiased, so (15) holds, and E |M e|^2 = sum_j sigma_j^2 |M_j|^2.
    matrix, x, mean, log_variance = tensor(6, 3), tensor(4, 6), tensor(4, 3), tensor(4, 3)
    posterior = Posterior(mean, log_variance)
    n = 3000
    found = loss_decomposition(
        lambda z: z @ matrix.T, x, posterior, noise=chance(), n_samples=n, chunk=3
    )
    noise = (log_variance.exp() * matrix.square().sum(dim=0)).sum(dim=1).numpy()
    plain = (mean @ matrix.T - x).square().sum(dim=1).numpy()
    np.testing.assert_allclose(found.quadratic, noise, rtol=1e-12)
    np.testing.assert_allclose(found.deterministic, plain, rtol=1e-12)
    # The variance of |M e|^2 is 2 tr((M S M^T)^2) <= 2 (tr M S M^T)^2.
    np.testing.assert_allclose(found.stochastic, noise, rtol=5 * np.sqrt(2 / n))
    spread = 2 * noise**2 + 4 * plain * noise
    assert (np.abs(found.total - plain - noise) < 5 * np.sqrt(2 * spread / n)).all()


def test_a_full_covariance_by_trace():
    matrix, root = tensor(6, 2), tensor(5, 2, 2).tril()
    covariance = root @ root.mT
    log_variance = covariance.diagonal(dim1=1, dim2=2).log()
    posterior = Posterior(tensor(5, 2), log_variance, root)
    found = loss_decomposition(
        lambda z: z @ matrix.T, tensor(5, 6), posterior, noise=chance(), n_samples=3000, chunk=2
    )
    expected = torch.einsum("pi,nij,pj->n", matrix, covariance, matrix).numpy()
    np.testing.assert_allclose(found.quadratic, expected, rtol=1e-12)
    np.testing.assert_allclose(found.stochastic, expected, rtol=5 * np.sqrt(2 / 3000))


def curved(z):
    return torch.stack([z[:, 0].sin(), z[:, 0] ** 2, z[:, 0].tanh()], dim=1)


def test_a_curved_decoder_by_quadrature():
    x, mean, log_variance = tensor(3, 3), tensor(3, 1), tensor(3, 1) - 1
    n = 3000
    found = loss_decomposition(
        curved, x, Posterior(mean, log_variance), noise=chance(), n_samples=n
    )
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    weights = torch.from_numpy(weights / weights.sum())
    for i in range(3):
        z = mean[i] + log_variance[i].mul(0.5).exp() * torch.from_numpy(nodes)
        noisy, plain = curved(z[:, None]), curved(mean[i][None])
        for errors, got in (
            ((noisy - x[i]).square().sum(dim=1), found.total[i]),
            ((noisy - plain).square().sum(dim=1), found.stochastic[i]),
        ):
            expected = (weights * errors).sum()
            spread = (weights * (errors - expected).square()).sum().sqrt()
            assert abs(got - expected) < 5 * spread / np.sqrt(n)


def test_the_quadratic_part_is_variance_times_squared_slopes():
    mean = tensor(3, 1)
    posterior = Posterior(mean, torch.full_like(mean, -4.0))
    found = loss_decomposition(curved, tensor(3, 3), posterior, noise=chance(), n_samples=1)
    a = mean[:, 0].numpy()
    slopes = np.cos(a) ** 2 + 4 * a**2 + (1 - np.tanh(a) ** 2) ** 2
    np.testing.assert_allclose(found.quadratic, np.exp(-4.0) * slopes, rtol=1e-12)


def test_bad_input_is_refused():
    posterior = Posterior(tensor(3, 1), tensor(3, 1))
    with pytest.raises(ValueError, match="equally many rows; got 2 and 3"):
        loss_decomposition(curved, tensor(2, 3), posterior, noise=chance())
    with pytest.raises(ValueError, match="n_samples must be at least 1; got 0"):
        loss_decomposition(curved, tensor(3, 3), posterior, noise=chance(), n_samples=0)
