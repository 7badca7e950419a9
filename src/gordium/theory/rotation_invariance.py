"""What a rotation of the latent space changes: Propositions 2 and 3 of Rolinek et al. 2019.

A decoder is any function z (n, d) -> (n, k); p(x | z) is a Gaussian around it with variance
`noise`, and p(z) is standard normal. Integrals are Gauss-Hermite sums, so d should be small.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp

from gordium.arrays import Floats

Decoder = Callable[[Floats], Floats]


class Gaussian(NamedTuple):
    """A posterior q(z | x) of one sample: mean (d,) and covariance (d, d)."""

    mean: Floats
    covariance: Floats


def rotate_posterior(posterior: Gaussian, u: Floats) -> Gaussian:
    """The posterior of U Enc(x): (8)."""
    return Gaussian(u @ posterior.mean, u @ posterior.covariance @ u.T)


def rotate_decoder(decoder: Decoder, u: Floats) -> Decoder:
    """The decoder Dec(U^T z): (9)."""
    return lambda z: decoder(z @ u)


def log_likelihood(
    decoder: Decoder, x: Floats, noise: float, around: Gaussian, *, nodes: int = 40
) -> float:
    """log p(x) of (1), by quadrature around a Gaussian near the true posterior."""
    z, log_weights = _nodes(around, nodes)
    log_joint = _log_normal(decoder(z) - x, noise) + _log_normal(z, 1.0)
    return float(logsumexp(log_joint - _log_density(z, around) + log_weights))


def elbo(
    decoder: Decoder, x: Floats, noise: float, posterior: Gaussian, *, nodes: int = 40
) -> float:
    """(2): E_q log p(x | z) - KL(q(z | x) || p(z)), the KL by (S77)."""
    z, log_weights = _nodes(posterior, nodes)
    expected = np.exp(log_weights) @ _log_normal(decoder(z) - x, noise)
    return float(expected) - kl_to_prior(posterior)


def kl_to_prior(posterior: Gaussian) -> float:
    """(S77): (|mu|^2 + tr Sigma - log det Sigma - d) / 2."""
    mean, covariance = posterior
    log_determinant = np.linalg.slogdet(covariance)[1]
    return float(0.5 * (mean @ mean + np.trace(covariance) - log_determinant - len(mean)))


def nearest_diagonal(posterior: Gaussian) -> Gaussian:
    """The diagonal Gaussian q that minimises KL(q || posterior): variances 1 / (Sigma^-1)_jj.

    Under the restriction (3) this is the best q. It is the same in every rotation only if the
    covariance is a multiple of the identity.
    """
    precisions = np.diag(np.linalg.inv(posterior.covariance))
    return Gaussian(posterior.mean, np.diag(1 / precisions))


def linear_posterior(weights: Floats, x: Floats, noise: float) -> Gaussian:
    """The true posterior of a linear decoder z W^T, weights (k, d)."""
    precision = np.eye(weights.shape[1]) + weights.T @ weights / noise
    covariance = np.asarray(np.linalg.inv(precision), dtype=np.float64)
    return Gaussian(covariance @ weights.T @ x / noise, covariance)


def _nodes(gaussian: Gaussian, n: int) -> tuple[Floats, Floats]:
    """The points (n^d, d) and log-weights of a quadrature over a Gaussian."""
    points, weights = np.polynomial.hermite_e.hermegauss(n)
    d = len(gaussian.mean)
    grid = np.stack(np.meshgrid(*[points] * d, indexing="ij"), axis=-1).reshape(-1, d)
    log_each = np.log(weights / weights.sum())
    log_weights = np.sum(np.meshgrid(*[log_each] * d, indexing="ij"), axis=0).reshape(-1)
    return gaussian.mean + grid @ np.linalg.cholesky(gaussian.covariance).T, log_weights


def _log_normal(differences: Floats, variance: float) -> Floats:
    k = differences.shape[1]
    squares = np.sum(differences**2, axis=1) / variance
    return -0.5 * (squares + k * np.log(2 * np.pi * variance))


def _log_density(z: Floats, gaussian: Gaussian) -> Floats:
    centred = z - gaussian.mean
    squares = np.sum(centred @ np.linalg.inv(gaussian.covariance) * centred, axis=1)
    log_determinant = np.linalg.slogdet(2 * np.pi * gaussian.covariance)[1]
    return -0.5 * (squares + log_determinant)
