"""Terms that several objectives share."""

from math import log, pi

import torch
from torch import Tensor
from torch.nn import functional as F

from gordium.methods.base import Forward


def reconstruction(out: Forward) -> Tensor:
    """The likelihood's loss of the decoded sample, summed over pixels, averaged over images.

    With the Gaussian likelihood it is L_rec in Eq. 4 of Zietlow et al. 2021.
    """
    return out.model.likelihood.loss(out.output, out.x)


def kl_to_standard_normal(mean: Tensor, log_variance: Tensor) -> Tensor:
    """KL(N(mu, sigma^2) || N(0, 1)) of each image and latent unit (n, d).

    It is (mu^2 + sigma^2 - log sigma^2 - 1) / 2, a unit's share of L_KL in Eq. 4 of Zietlow et
    al. 2021.
    """
    return 0.5 * (mean.square() + log_variance.exp() - log_variance - 1)


def mean_kl(out: Forward) -> Tensor:
    """L_KL: summed over latent units, averaged over images."""
    return kl_to_standard_normal(out.mean, out.log_variance).sum(dim=1).mean()


def sampled_kl(out: Forward) -> Tensor:
    """The mean of log q(z | x) - log N(z; 0, 1) at decoded samples: L_KL in expectation."""
    zero = torch.zeros_like(out.z)
    posterior = log_normal(out.z, out.mean, out.log_variance)
    return (posterior - log_normal(out.z, zero, zero)).sum(dim=1).mean()


def logistic_loss(true: Tensor, false: Tensor) -> Tensor:
    """The mean cross-entropy of log-odds of as many true as false samples."""
    return 0.5 * (F.softplus(-true).mean() + F.softplus(false).mean())


def log_normal(z: Tensor, mean: Tensor, log_variance: Tensor) -> Tensor:
    """log N(z; mu, sigma^2), element by element."""
    squares = (z - mean).square() * (-log_variance).exp()
    return -0.5 * (squares + log_variance + log(2 * pi))
