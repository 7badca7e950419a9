"""SlowVAE (Klindt et al. 2021): a VAE whose prior expects sparse steps between two views."""

from dataclasses import dataclass
from math import log, pi, sqrt
from typing import ClassVar, final

import torch
from torch import Tensor

from gordium.checks import check_positive, check_weights
from gordium.lookup import pick
from gordium.methods.base import Context, Forward, Loss, Method, weighted_sum
from gordium.methods.terms import mean_kl, reconstruction
from gordium.pairs import LAP, UNI, Pairing

PAIRS: dict[str, Pairing] = {"lap": LAP(), "uni": UNI()}


@final
@dataclass(frozen=True, kw_only=True)
class SlowVAE(Method):
    """The objective of the slow variational autoencoder of Klindt et al. 2021, for image pairs.

    It is the reconstruction losses of both images, beta times the KL of the earlier one to N(0, 1)
    and gamma times the KL of the later one to a Laplace prior around the earlier one's mean. Each
    image is the earlier one in turn, and KLs are means over both turns. With
    `doubled_cross_entropy` the Laplace cross-entropy is summed over the turns but the entropy is
    not: 2 CE - H, as in the published code.
    """

    primary: ClassVar[str | None] = "beta"

    beta: float = 1.0
    gamma: float = 10.0
    rate: float = 6.0
    pairs: str = "lap"
    doubled_cross_entropy: bool = False

    def __post_init__(self) -> None:
        check_weights(beta=self.beta, gamma=self.gamma)
        check_positive(rate=self.rate)
        pick("pairs", self.pairs, PAIRS)

    @property
    def pairing(self) -> Pairing:
        return PAIRS[self.pairs]

    def __call__(self, out: Forward, context: Context) -> Loss:
        step = out.mean - out.mean.roll(len(out.mean) // 2, dims=0)  # from the other view
        cross = cross_entropy_to_laplace(step, out.log_variance, self.rate).sum(dim=1).mean()
        entropy = gaussian_entropy(out.log_variance).sum(dim=1).mean()
        return weighted_sum(
            reconstruction=(2.0, reconstruction(out)),
            kl=(self.beta, mean_kl(out)),
            cross_entropy=(self.gamma * (1 + self.doubled_cross_entropy), cross),
            entropy=(-self.gamma, entropy),
        )


def cross_entropy_to_laplace(mean: Tensor, log_variance: Tensor, rate: float) -> Tensor:
    """-E log(rate / 2 exp(-rate |y|)) of y ~ N(mean, sigma^2), for each image and unit.

    E|y| = sigma sqrt(2 / pi) exp(-mean^2 / (2 sigma^2)) + mean erf(mean / (sigma sqrt 2)).
    """
    sigma = (0.5 * log_variance).exp()
    t = mean / (sigma * sqrt(2))
    distance = sigma * sqrt(2 / pi) * (-t.square()).exp() + mean * torch.erf(t)
    return rate * distance - log(rate / 2)


def gaussian_entropy(log_variance: Tensor) -> Tensor:
    """(log sigma^2 + log 2 pi e) / 2, for each image and unit."""
    return 0.5 * (log_variance + log(2 * pi) + 1)
