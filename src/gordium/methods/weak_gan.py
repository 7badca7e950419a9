"""The weakly supervised GAN with one shared factor per pair (Shu et al. 2020)."""

from dataclasses import dataclass
from typing import final

import torch
from torch import Generator, Tensor, nn
from torch.nn import functional as F

from gordium.checks import WIDEST, check_most, check_positive
from gordium.methods.base import Batch, Context, Losses, Method, Networks, Size, weighted_sum
from gordium.methods.terms import log_normal, logistic_loss
from gordium.networks import (
    Autoencoder,
    PairCritic,
    Posterior,
    batch_norm,
    build,
    spectral_norm,
)
from gordium.optimisers import Adam, OptimiserSettings
from gordium.pairs import FullSharing, Pairing


@final
@dataclass(frozen=True, kw_only=True)
class WeakGAN(Method):
    """A GAN on pairs that share one known factor, and an encoder of generated images.

    The decoder generates images from pairs z, z' ~ N(0, 1) that share unit y, as real pairs share
    factor y; the critic sees both images and y; the losses are non-saturating. The encoder learns
    the Gaussian q(z | x) of generated images only, and its mean is the representation.
    `compare`, our addition, shows the critic how far apart the features of the two images are.
    """

    learning_rate: float = 1e-3
    critic_rate: float = 1e-3
    critic_width: float = 2.0
    normalise: bool = True
    compare: bool = False

    def __post_init__(self) -> None:
        check_positive(learning_rate=self.learning_rate, critic_rate=self.critic_rate)
        check_positive(critic_width=self.critic_width)
        check_most(WIDEST, critic_width=self.critic_width)

    @property
    def pairing(self) -> Pairing:
        return FullSharing()

    @property
    def optimisers(self) -> dict[str, OptimiserSettings | None]:
        slow, fast = (Adam(rate, 0.5, 0.999) for rate in (self.learning_rate, self.critic_rate))
        return {"critic": fast, "encoder": fast, "decoder": slow}

    def prepare(self, model: Autoencoder, weights: Generator) -> None:
        """Add spectral norm to the encoder, and batch norm after the decoder's activations."""
        if self.normalise:
            model.encoder = spectral_norm(model.encoder, weights)
            model.decoder = batch_norm(model.decoder)

    def critic(self, size: Size, weights: Generator) -> nn.Module:
        if size.latent_dim < size.n_factors:
            raise ValueError(
                f"weak-gan needs a latent unit for each of the {size.n_factors} factors; "
                f"got latent_dim={size.latent_dim}."
            )
        sizes = (size.image_shape, size.n_factors, self.critic_width)
        critic = build(lambda: PairCritic(*sizes, compare=self.compare), weights, size.initial)
        return spectral_norm(critic, weights)

    def losses(self, networks: Networks, batch: Batch, context: Context) -> Losses:
        model, critic = networks
        if critic is None or batch.shared is None:
            raise ValueError("weak-gan needs its critic and pairs with a known shared factor.")
        n, n_factors = batch.shared.shape
        size = (n, model.latent_dim, n_factors)

        z, shared = draw_paired_latents(size, context.chance)
        with torch.no_grad():
            fake = model.decode(z)
        real_score = critic(batch.x, batch.shared.byte().argmax(dim=1))
        yield "critic", weighted_sum(critic=(1.0, logistic_loss(real_score, critic(fake, shared))))
        nll = gaussian_nll(model.encode(fake[:n]), z[:n])
        yield "encoder", weighted_sum(encoder=(1.0, nll))

        z, shared = draw_paired_latents(size, context.chance)
        score = critic(model.decode(z), shared)
        yield "decoder", weighted_sum(generator=(1.0, F.softplus(-score).mean()))


def draw_paired_latents(size: tuple[int, int, int], chance: Generator) -> tuple[Tensor, Tensor]:
    """Draw (2n, d) latents; row n + i shares one of its first k units with row i.

    `size` is n, d and k. The second tensor (n,) says which unit each pair shares.
    """
    n, latent_dim, n_factors = size
    device = chance.device
    z = torch.randn(2 * n, latent_dim, generator=chance, device=device)
    shared = torch.randint(n_factors, (n,), generator=chance, device=device)
    rows = torch.arange(n, device=device)
    z[n + rows, shared] = z[rows, shared]
    return z, shared


def gaussian_nll(posterior: Posterior, z: Tensor) -> Tensor:
    """-log q(z | x), summed over units and averaged over images."""
    return -log_normal(z, posterior.mean, posterior.log_variance).sum(dim=1).mean()
