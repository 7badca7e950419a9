"""The model x = W z + m + s e with standard normal z and e, in which all answers are known."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.arrays import Floats

LOG_2PI = float(np.log(2 * np.pi))


class LinearGaussian(NamedTuple):
    """Weights W (m, k), the mean of x (m,) and the noise's variance s^2."""

    weights: Floats
    mean: Floats
    noise_variance: float


class Gaussians(NamedTuple):
    """A Gaussian of z for each x: means (n, k), and one covariance (k, k) for all."""

    means: Floats
    covariance: Floats


def log_likelihood(model: LinearGaussian, x: ArrayLike) -> Floats:
    """log p(x) of each row: x is Gaussian with covariance W W^T + s^2 I."""
    centred = np.asarray(x, dtype=np.float64) - model.mean
    n_dims = centred.shape[1]
    covariance = model.weights @ model.weights.T + model.noise_variance * np.eye(n_dims)
    distance = (centred * np.linalg.solve(covariance, centred.T).T).sum(axis=1)
    return -0.5 * (distance + np.linalg.slogdet(covariance)[1] + n_dims * LOG_2PI)


def posterior(model: LinearGaussian, x: ArrayLike) -> Gaussians:
    """p(z | x), with precision I + W^T W / s^2."""
    centred = np.asarray(x, dtype=np.float64) - model.mean
    covariance: Floats = np.linalg.inv(_precision(model)).astype(np.float64)
    return Gaussians(centred @ model.weights @ covariance / model.noise_variance, covariance)


def best_mean_field(model: LinearGaussian, x: ArrayLike) -> Gaussians:
    """The q(z | x) of diagonal covariance with the largest ELBO.

    Its means are those of the posterior, and 1 / variance is the diagonal of its precision.
    """
    means = posterior(model, x).means
    return Gaussians(means, np.diag(1 / np.diag(_precision(model))))


def elbo(model: LinearGaussian, x: ArrayLike, q: Gaussians) -> Floats:
    """E_q log p(x | z) - KL(q(z | x) || p(z)) of each row.

    Eq. 3 of Zietlow et al. 2021, where the KL term is printed with a plus.
    """
    points = np.asarray(x, dtype=np.float64)
    weights, mean, noise = model
    square = ((points - mean - q.means @ weights.T) ** 2).sum(axis=1)
    square += np.trace(weights @ q.covariance @ weights.T)
    expected = -0.5 * (square / noise + points.shape[1] * (LOG_2PI + np.log(noise)))
    volume = np.linalg.slogdet(q.covariance)[1]
    spread = np.trace(q.covariance) - len(q.covariance) - volume
    return expected - 0.5 * ((q.means**2).sum(axis=1) + spread)


def mean_field_gap(model: LinearGaussian) -> float:
    """How far the best mean-field ELBO is below the log-likelihood, the same for every x.

    With P the posterior's precision it is (sum_j log P_jj - log det P) / 2: 0 only if the columns
    of W are orthogonal, while the likelihood is the same for W and W R with any rotation R.
    """
    return hadamard_gap(_precision(model))


def hadamard_gap(precision: NDArray[Any]) -> float:
    """(sum_j log P_jj - log det P) / 2; by Hadamard's inequality it is 0 only if P is diagonal.

    It is KL(q || p) of the best factorised q to a Gaussian p with the precision P.
    """
    return float(0.5 * (np.log(np.diag(precision)).sum() - np.linalg.slogdet(precision)[1]))


def best_fit(x: ArrayLike, n_latents: int, noise_variance: float) -> LinearGaussian:
    """The model with the largest mean ELBO, and likelihood, for a given noise (Lucas et al. 2019).

    With the covariance's eigenvectors v_j and eigenvalues l_j, largest first, the columns of W
    are v_j sqrt(l_j - s^2), or zero if l_j < s^2: probabilistic PCA (Tipping and Bishop 1999)
    without a rotation, so that the mean-field bound is tight.
    """
    points = np.asarray(x, dtype=np.float64)
    if points.ndim != 2 or not 1 <= n_latents <= points.shape[1]:
        raise ValueError(
            f"x must be (n, m) and n_latents from 1 to m; got {points.shape} and {n_latents}."
        )
    if not noise_variance > 0:
        raise ValueError(f"noise_variance must be above 0; got {noise_variance}.")
    mean = points.mean(axis=0)
    values, vectors = np.linalg.eigh(np.cov(points.T, bias=True).reshape(len(mean), -1))
    leading = slice(None, -n_latents - 1, -1)
    scales = np.sqrt(np.clip(values[leading] - noise_variance, 0.0, None))
    return LinearGaussian(vectors[:, leading] * scales, mean, float(noise_variance))


def _precision(model: LinearGaussian) -> Floats:
    inner = model.weights.T @ model.weights
    return np.eye(len(inner)) + inner / model.noise_variance
