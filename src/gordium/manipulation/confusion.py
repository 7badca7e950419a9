"""Which images an encoder confuses: what any decoder must lose on changed images.

A decoder that has settled gives the mean of the changed images over all that a latent sample may
stand for, so L_rec (Eq. 5 of Zietlow et al. 2021) of images x' is a quadratic form in them:
sum over pixels of x'^T Q x', with one matrix Q for each encoder. What L_ent - L_dis becomes for
a change is then known without training anything.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def confusion(
    codes: ArrayLike, log_variances: ArrayLike, *, samples: int = 100, seed: int = 0
) -> Floats:
    """Q (n, n) of an encoder over the n images: E_i E_z (e_i - p_z)(e_i - p_z)^T.

    z ~ q(z | x_i), e_i is the i-th unit vector, and p_z holds the probabilities of the images
    given z, all being equally likely before. For images x' in rows, tr(x'^T Q x') is the least
    squared error that any decoder can reach.
    """
    mean, log_variance = np.asarray(codes, float), np.asarray(log_variances, float)
    rng = np.random.default_rng(seed)
    n, d = mean.shape
    total = np.zeros((n, n))
    for i in range(n):
        z = mean[i] + np.exp(0.5 * log_variance[i]) * rng.standard_normal((samples, d))
        errors = -_probabilities(z, mean, log_variance)
        errors[:, i] += 1
        total += errors.T @ errors
    return total / (n * samples)


def _probabilities(z: Floats, mean: Floats, log_variance: Floats) -> Floats:
    """p(image | z) for each row of z."""
    squares = (z[:, None] - mean) ** 2 / np.exp(log_variance)
    log_density = -0.5 * (squares + log_variance).sum(axis=2)
    log_density -= log_density.max(axis=1, keepdims=True)
    p = np.exp(log_density)
    normalised: Floats = p / p.sum(axis=1, keepdims=True)
    return normalised
