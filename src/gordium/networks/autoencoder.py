"""An encoder to a Gaussian and a decoder back to images."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import torch
from torch import Generator, Tensor, nn

from gordium.lookup import pick
from gordium.networks.initialise import build
from gordium.networks.likelihoods import LIKELIHOODS


class Architecture(Protocol):
    """What makes an encoder and a decoder: a frozen dataclass, whose fields are declared."""

    def encoder(self, image_shape: Sequence[int], n_outputs: int) -> nn.Module:
        """A module from images (n, *image_shape) to (n, n_outputs)."""

    def decoder(self, n_inputs: int, image_shape: Sequence[int]) -> nn.Module:
        """A module from (n, n_inputs) to logits or pixels (n, *image_shape)."""


class Posterior(NamedTuple):
    """The Gaussian q(z | x) of each image: means and log-variances, (n, d) each.

    `cholesky` (n, d, d), lower triangular, is there if the covariance L L^T is not diagonal.
    """

    mean: Tensor
    log_variance: Tensor
    cholesky: Tensor | None = None

    def select(self, rows: slice | Tensor) -> "Posterior":
        """The posteriors of some images, in the order of `rows`."""
        full = None if self.cholesky is None else self.cholesky[rows]
        return Posterior(self.mean[rows], self.log_variance[rows], full)


class Autoencoder(nn.Module):
    """An `encoder` to the parameters of posteriors, and a `decoder` to a likelihood's output.

    `parts` is what a method trains along with them, such as a learned prior.
    """

    def __init__(
        self,
        encoder: nn.Module,
        decoder: nn.Module,
        likelihood: str,
        *,
        latent_dim: int,
        parts: nn.Module | None = None,
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder
        self.likelihood = pick("likelihood", likelihood, LIKELIHOODS)
        self.latent_dim = latent_dim
        self.parts = parts

    def encode(self, x: Tensor) -> Posterior:
        """The posterior of images with values in [0, 1]."""
        outputs = self.encoder(x)
        if outputs.shape[1] == 2 * self.latent_dim:
            return Posterior(*outputs.chunk(2, dim=1))
        return _full_posterior(outputs, self.latent_dim)

    def decode(self, z: Tensor) -> Tensor:
        """The mean image of each latent vector."""
        return self.likelihood.mean(self.decoder(z))


def autoencoder(  # noqa: PLR0913 - all by keyword but three
    architecture: Architecture,
    image_shape: Sequence[int],
    latent_dim: int,
    *,
    likelihood: str,
    generator: Generator,
    full_covariance: bool = False,
    initial: str = "glorot",
) -> Autoencoder:
    """A freshly initialised model; encoder and decoder draw from one stream, in that order."""
    n_outputs = n_full_outputs(latent_dim) if full_covariance else 2 * latent_dim
    encoder = build(lambda: architecture.encoder(image_shape, n_outputs), generator, initial)
    decoder = build(lambda: architecture.decoder(latent_dim, image_shape), generator, initial)
    return Autoencoder(encoder, decoder, likelihood, latent_dim=latent_dim)


def n_full_outputs(latent_dim: int) -> int:
    """The number of parameters of a full posterior: means and a lower triangle.

    A single unit has two, as many as a diagonal posterior, which it is.
    """
    return latent_dim + latent_dim * (latent_dim + 1) // 2


def _full_posterior(outputs: Tensor, d: int) -> Posterior:
    """A posterior from means, log-diagonal and strict lower triangle of L, side by side."""
    mean, log_diagonal, below = outputs.split([d, d, d * (d - 1) // 2], dim=1)
    rows, columns = torch.tril_indices(d, d, offset=-1, device=outputs.device)
    cholesky = torch.diag_embed(log_diagonal.exp())
    cholesky[:, rows, columns] = below
    return Posterior(mean, cholesky.square().sum(dim=2).log(), cholesky)
