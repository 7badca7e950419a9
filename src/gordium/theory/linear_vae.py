"""The linear VAE in closed form: its expected loss, and the optimum, which is PCA."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gordium.arrays import Floats
from gordium.theory.linear_gaussian import best_fit


class LinearVAE(NamedTuple):
    """mu = E (x - m), x' = D z + m: encoder E (k, m), decoder D (m, k), mean m, noise variances.

    Each latent unit has one variance for all x, which is optimal.
    """

    encoder: Floats
    decoder: Floats
    mean: Floats
    variances: Floats


def linear_vae_loss(vae: LinearVAE, x: ArrayLike, beta: float) -> float:
    """Eq. 4 of Zietlow et al. 2021 with the expectation over the noise taken, as in Eq. 5.

    L = mean_i |D mu_i - x_i|^2 + sum_j |D_j|^2 sigma_j^2 + beta KL: the deterministic loss, the
    stochastic loss and the KL term.
    """
    centred = np.asarray(x, dtype=np.float64) - vae.mean
    means = centred @ vae.encoder.T
    deterministic = ((means @ vae.decoder.T - centred) ** 2).sum(axis=1).mean()
    stochastic = (vae.decoder**2).sum(axis=0) @ vae.variances
    squares = (means**2).mean(axis=0) + vae.variances
    kl = 0.5 * (squares - np.log(vae.variances) - 1).sum()
    return float(deterministic + stochastic + beta * kl)


def linear_vae_optimum(x: ArrayLike, n_latents: int, beta: float) -> LinearVAE:
    """The global minimum of `linear_vae_loss`, unique up to signs and the order of the units.

    The loss is -beta times the ELBO of the Gaussian model with noise beta / 2, up to a constant.
    With the covariance's eigenvalues l_j above beta / 2 and eigenvectors v_j, D_j = v_j sqrt(l_j -
    beta / 2), E_j = D_j / l_j, sigma_j^2 = beta / (2 l_j). Other units are pruned: they have no
    weights and variance 1. The variance of a mean is 1 - sigma_j^2, close to Lemma 1's 1.
    """
    decoder, mean, noise = best_fit(x, n_latents, beta / 2)
    variances = noise / ((decoder**2).sum(axis=0) + noise)
    return LinearVAE((decoder / noise * variances).T, decoder, mean, variances)
