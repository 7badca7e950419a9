"""Factor analysis with mean-field variational inference in closed form.

Stühmer et al. 2020, appendix B.1 to B.5: z ~ N(0, I), x ~ N(W z, D) with a diagonal D (Eq. 14).
Everywhere `weights` is W (d, k), `noise` is the diagonal of D (d,), and `second_moment` is the
mean of x x^T (d, d), the only way in which the data enter; values are in nats per data point.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gordium.theory.columns import rotation
from gordium.theory.linear_gaussian import hadamard_gap

Array = NDArray[np.floating[Any]]


class MeanField(NamedTuple):
    """q(z | x) = N(R x, diag(variances)) with the recognition weights R (k, d)."""

    recognition: Array
    variances: Array


class FreeEnergy(NamedTuple):
    """The expected log-likelihood under q, the KL from q to the prior, and its weight beta."""

    reconstruction: float
    kl: float
    beta: float

    @property
    def value(self) -> float:
        """F_beta, the objective of the beta-VAE (Eq. 2); B.2 and B.5 divide it by beta."""
        return self.reconstruction - self.beta * self.kl


def log_likelihood(weights: Array, noise: Array, second_moment: Array) -> float:
    """log N(x; 0, W W^T + D) averaged over the data (B.2); no rotation of z changes it."""
    covariance = weights @ weights.T + np.diag(noise)
    log_det = np.linalg.slogdet(2 * np.pi * covariance)[1]
    return float(-0.5 * (log_det + np.trace(np.linalg.solve(covariance, second_moment))))


def posterior_precision(weights: Array, noise: Array, beta: float = 1.0) -> Array:
    """The inverse covariance of p(z | x) (Eq. 15), with the likelihood to the power 1 / beta."""
    return weights.T @ (weights / noise[:, None]) / beta + np.eye(weights.shape[1])


def mean_field(weights: Array, noise: Array, beta: float = 1.0) -> MeanField:
    """The best factorised q (B.2), with the posterior's mean and the diagonal of its precision."""
    precision = posterior_precision(weights, noise, beta)
    recognition = np.linalg.solve(precision, (weights / noise[:, None]).T) / beta
    return MeanField(recognition, 1 / np.diag(precision))


def free_energy(
    weights: Array, noise: Array, second_moment: Array, *, q: MeanField, beta: float = 1.0
) -> FreeEnergy:
    """Both terms of F_beta for any Gaussian q whose mean is linear in x.

    They are Eq. 16, which divides the first by beta, and the equation after it.
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
    """KL(q || p(z | x)) at the best factorised q, which Eq. 4 subtracts from the log-likelihood.

    It is (sum_k log L_kk - log det L) / 2 for the posterior's precision L: the same for all x, and
    0 if and only if the columns of D^(-1/2) W are orthogonal (Hadamard's inequality).
    """
    return hadamard_gap(posterior_precision(weights, noise, beta))


def turn(weights: Array, angle: float) -> Array:
    """W times a rotation of the first two latent units by `angle` (radians).

    B.3 writes R(theta) W, but only a rotation on the latent side leaves the likelihood unchanged.
    """
    turned = np.eye(weights.shape[1])
    turned[:2, :2] = rotation(angle)
    return weights @ turned


def fit_weights(
    second_moment: Array, variance: float, n_components: int, beta: float = 1.0
) -> Array:
    """The weights that maximise F_beta for the noise D = variance I: scaled principal axes.

    For any W with W^T W diagonal, F_beta is beta log N(x; 0, W W^T + beta D) plus terms without W.
    So a column's squared length is the axis' variance minus beta times the noise's variance, or 0
    if that is negative. The largest entry of each column is positive.
    """
    values, axes = np.linalg.eigh(second_moment)
    lengths = np.sqrt(np.maximum(values[::-1] - beta * variance, 0))
    signs = np.where(axes[np.abs(axes).argmax(axis=0), range(len(axes))] < 0, -1, 1)
    columns = (signs * axes)[:, ::-1] * lengths
    missing = max(0, n_components - len(values))
    return np.pad(columns, ((0, 0), (0, missing)))[:, :n_components]
