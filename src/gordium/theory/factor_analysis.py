"""Factor analysis with mean-field variational inference in closed form.

Stühmer et al. 2020, appendix B.1 to B.5: z ~ N(0, I), x ~ N(W z, D) with a diagonal D (Eq. 14).
Everywhere `weights` is W (d, k), `noise` the diagonal of D (d,), and `second_moment` the mean
of x x^T over the data (d, d), all that the data enter by; values are in nats per data point.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gordium.theory.linear_gaussian import hadamard_gap

Array = NDArray[np.floating[Any]]


class MeanField(NamedTuple):
    """q(z | x) = N(R x, diag(variances)) with the recognition weights R (k, d)."""

    recognition: Array
    variances: Array


class FreeEnergy(NamedTuple):
    """The expected log-likelihood under q, the KL of q from the prior, and the weight of it."""

    reconstruction: float
    kl: float
    beta: float

    @property
    def value(self) -> float:
        """F_beta, the objective of the beta-VAE (Eq. 2); B.2 and B.5 have it divided by beta."""
        return self.reconstruction - self.beta * self.kl


def log_likelihood(weights: Array, noise: Array, second_moment: Array) -> float:
    """log N(x; 0, W W^T + D) averaged over the data (B.2); no rotation of z changes it."""
    covariance = weights @ weights.T + np.diag(noise)
    log_det = np.linalg.slogdet(2 * np.pi * covariance)[1]
    return float(-0.5 * (log_det + np.trace(np.linalg.solve(covariance, second_moment))))


def posterior_precision(weights: Array, noise: Array, beta: float = 1.0) -> Array:
    """The inverse covariance of p(z | x) (Eq. 15), of likelihoods to the power M = 1 / beta."""
    return weights.T @ (weights / noise[:, None]) / beta + np.eye(weights.shape[1])


def mean_field(weights: Array, noise: Array, beta: float = 1.0) -> MeanField:
    """The best factorised q (B.2): the posterior's mean, and its precisions on the diagonal."""
    precision = posterior_precision(weights, noise, beta)
    recognition = np.linalg.solve(precision, (weights / noise[:, None]).T) / beta
    return MeanField(recognition, 1 / np.diag(precision))


def free_energy(
    weights: Array, noise: Array, second_moment: Array, *, q: MeanField, beta: float = 1.0
) -> FreeEnergy:
    """Both terms at any Gaussian q whose mean is linear in x.

    Eq. 16, which has the first divided by beta, and the equation after it.
    """
    residual = np.eye(len(weights)) - weights @ q.recognition
    misfit = np.einsum("ij,jk,ik->i", residual, second_moment, residual)
    blur = weights**2 @ q.variances
    reconstruction = -0.5 * np.sum(np.log(2 * np.pi * noise) + (misfit + blur) / noise)
    spread = np.trace(q.recognition @ second_moment @ q.recognition.T)
    kl = 0.5 * (spread + np.sum(q.variances - 1 - np.log(q.variances)))
    return FreeEnergy(float(reconstruction), float(kl), beta)


def best_free_energy(
    weights: Array, noise: Array, second_moment: Array, beta: float = 1.0
) -> FreeEnergy:
    """The free energy at the best factorised q."""
    q = mean_field(weights, noise, beta)
    return free_energy(weights, noise, second_moment, q=q, beta=beta)


def posterior_gap(weights: Array, noise: Array, beta: float = 1.0) -> float:
    """KL(q || p(z | x)) at the best factorised q: what Eq. 4 takes from the log-likelihood.

    Half of sum_k log L_kk - log det L for the posterior's precision L (Hadamard's inequality):
    the same for all x, and 0 if and only if the columns of D^(-1/2) W are orthogonal.
    """
    return hadamard_gap(posterior_precision(weights, noise, beta))


def turn(weights: Array, angle: float) -> Array:
    """W times a rotation of the first two latent units by `angle` (radians).

    B.3 writes R(theta) W; it is the latent side that leaves the likelihood as it is.
    """
    rotation = np.eye(weights.shape[1])
    cos, sin = np.cos(angle), np.sin(angle)
    rotation[:2, :2] = [[cos, -sin], [sin, cos]]
    return weights @ rotation


def fit_weights(
    second_moment: Array, variance: float, n_components: int, beta: float = 1.0
) -> Array:
    """Weights that maximise F_beta for the noise D = variance I: scaled principal axes.

    For any W with W^T W diagonal, F_beta is beta log N(x; 0, W W^T + beta D) and terms without W,
    so a column's squared length is the axis' variance minus beta times the noise's, or 0. A
    column's largest entry is positive.
    """
    values, axes = np.linalg.eigh(second_moment)
    lengths = np.sqrt(np.maximum(values[::-1] - beta * variance, 0))
    signs = np.where(axes[np.abs(axes).argmax(axis=0), range(len(axes))] < 0, -1, 1)
    columns = (signs * axes)[:, ::-1] * lengths
    missing = max(0, n_components - len(values))
    return np.pad(columns, ((0, 0), (0, missing)))[:, :n_components]
