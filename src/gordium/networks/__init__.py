"""Networks: one file per architecture, each a frozen dataclass that makes both halves."""

from gordium.networks.autoencoder import Architecture, Autoencoder, Posterior, autoencoder
from gordium.networks.convolutional import Convolutional
from gordium.networks.initialise import build
from gordium.networks.likelihoods import LIKELIHOODS
from gordium.networks.mlp import Linear, Mlp

ARCHITECTURES: dict[str, type[Architecture]] = {
    "convolutional": Convolutional,
    "mlp": Mlp,
    "linear": Linear,
}

__all__ = [
    "ARCHITECTURES",
    "LIKELIHOODS",
    "Architecture",
    "Autoencoder",
    "Convolutional",
    "Linear",
    "Mlp",
    "Posterior",
    "autoencoder",
    "build",
]
