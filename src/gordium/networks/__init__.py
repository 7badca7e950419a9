"""Networks: one file per architecture, a frozen dataclass that makes encoder and decoder."""

from gordium.lookup import answer_at_the_border
from gordium.networks._native import kernels
from gordium.networks.autoencoder import Architecture, Autoencoder, Posterior, autoencoder
from gordium.networks.convolutional import Convolutional
from gordium.networks.initialise import INITIAL, build
from gordium.networks.likelihoods import LIKELIHOODS
from gordium.networks.mlp import Linear, Mlp
from gordium.networks.normalise import batch_norm, spectral_norm
from gordium.networks.pair_critic import PairCritic

ARCHITECTURES: dict[str, type[Architecture]] = {
    "convolutional": Convolutional,
    "mlp": Mlp,
    "linear": Linear,
}

__all__ = [
    "ARCHITECTURES",
    "INITIAL",
    "LIKELIHOODS",
    "Architecture",
    "Autoencoder",
    "Convolutional",
    "Linear",
    "Mlp",
    "PairCritic",
    "Posterior",
    "autoencoder",
    "batch_norm",
    "build",
    "kernels",
    "spectral_norm",
]

answer_at_the_border(globals())
