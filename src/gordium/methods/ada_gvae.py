"""Ada-GVAE (Locatello et al. 2020): units that two views share are found and averaged."""

from dataclasses import dataclass
from math import log
from typing import ClassVar, final

import torch
from torch import Tensor

from gordium.checks import check_weights
from gordium.methods.base import Batch, Context, Forward, Loss, Losses, Method, Networks, decode
from gordium.methods.beta_vae import BetaVAE
from gordium.networks import Posterior
from gordium.pairs import UNI, Pairing


@final
@dataclass(frozen=True, kw_only=True)
class AdaGVAE(Method):
    """The beta-VAE's objective for both views, after the units that they share were averaged.

    Locatello et al. 2020: unit i is shared if KL(q(z_i | x_1) || q(z_i | x_2)) is below the middle
    between the least and the greatest such KL of the pair. `changes` factors differ between the
    views; by default one to all but one of them.
    """

    primary: ClassVar[str | None] = "beta"

    beta: float = 1.0
    changes: int | None = None

    def __post_init__(self) -> None:
        check_weights(beta=self.beta)
        if self.changes is not None and self.changes < 1:
            raise ValueError(f"changes must be at least 1, or None; got {self.changes}.")

    @property
    def pairing(self) -> Pairing:
        return UNI(self.changes)

    def losses(self, networks: Networks, batch: Batch, context: Context) -> Losses:
        posterior = share(networks.model.encode(batch.x))
        yield "model", self(decode(networks, batch.x, posterior, context.noise), context)

    def __call__(self, out: Forward, context: Context) -> Loss:
        return BetaVAE(beta=self.beta)(out, context)


def share(posterior: Posterior) -> Posterior:
    """Average the shared units in the posteriors of pairs, whose first views come first.

    As in the GVAE (Hosoya 2019), means and variances are averaged arithmetically.
    """
    means, log_variances = posterior.mean.chunk(2), posterior.log_variance.chunk(2)
    first, second = map(Posterior, means, log_variances)
    shared = shared_units(first, second)
    mean = 0.5 * (first.mean + second.mean)
    log_variance = torch.logaddexp(first.log_variance, second.log_variance) - log(2)
    return Posterior(
        torch.cat([torch.where(shared, mean, own) for own in means]),
        torch.cat([torch.where(shared, log_variance, own) for own in log_variances]),
    )


def shared_units(first: Posterior, second: Posterior) -> Tensor:
    """Which units each pair shares: those whose KL is below the middle of the pair's range."""
    kl = gaussian_kl(first, second).detach()
    low, high = kl.aminmax(dim=1, keepdim=True)
    return kl < 0.5 * (low + high)


def gaussian_kl(q: Posterior, p: Posterior) -> Tensor:
    """KL(q || p) of each unit's Gaussians."""
    ratio = q.log_variance - p.log_variance
    distance = (q.mean - p.mean).square() * (-p.log_variance).exp()
    return 0.5 * (ratio.exp() + distance - 1 - ratio)
