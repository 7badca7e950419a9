"""An encoder to a diagonal Gaussian and a decoder back to images."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from torch import Generator, Tensor, nn

from gordium.lookup import pick
from gordium.networks.initialise import build
from gordium.networks.likelihoods import LIKELIHOODS


class Architecture(Protocol):
    """Makes the two halves of a model; a frozen dataclass, so that it is its own declaration."""

    def encoder(self, image_shape: Sequence[int], n_outputs: int) -> nn.Module: ...

    def decoder(self, n_inputs: int, image_shape: Sequence[int]) -> nn.Module: ...


class Posterior(NamedTuple):
    """The diagonal Gaussian q(z | x) of each image: (n, d) each."""

    mean: Tensor
    log_variance: Tensor


class Autoencoder(nn.Module):
    """`encoder` gives means and log-variances side by side, `decoder` a likelihood's output."""

    def __init__(self, encoder: nn.Module, decoder: nn.Module, likelihood: str) -> None:
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder
        self.likelihood = pick("likelihood", likelihood, LIKELIHOODS)

    def encode(self, x: Tensor) -> Posterior:
        """The posterior of images with values in [0, 1]."""
        return Posterior(*self.encoder(x).chunk(2, dim=1))

    def decode(self, z: Tensor) -> Tensor:
        """The mean image of each latent vector."""
        return self.likelihood.mean(self.decoder(z))


def autoencoder(
    architecture: Architecture,
    image_shape: Sequence[int],
    latent_dim: int,
    *,
    likelihood: str,
    generator: Generator,
) -> Autoencoder:
    """A freshly initialised model; encoder and decoder draw from one stream, in that order."""
    encoder = build(lambda: architecture.encoder(image_shape, 2 * latent_dim), generator)
    decoder = build(lambda: architecture.decoder(latent_dim, image_shape), generator)
    return Autoencoder(encoder, decoder, likelihood)
