"""Methods: one file each; a new one is a file and a name in `METHODS`."""

from gordium.methods.ada_gvae import AdaGVAE
from gordium.methods.ae import AE
from gordium.methods.base import (
    Batch,
    Context,
    Forward,
    Loss,
    Method,
    Networks,
    Size,
    decode,
    forward,
    sample,
    weighted_sum,
)
from gordium.methods.beta_vae import BetaVAE
from gordium.methods.pcl import PCL
from gordium.methods.slow_vae import SlowVAE
from gordium.methods.vae import VAE
from gordium.methods.weak_gan import WeakGAN

METHODS: dict[str, type[Method]] = {
    "ae": AE,
    "vae": VAE,
    "beta-vae": BetaVAE,
    "slow-vae": SlowVAE,
    "ada-gvae": AdaGVAE,
    "pcl": PCL,
    "weak-gan": WeakGAN,
}


def list_methods() -> list[str]:
    """The names of all methods."""
    return list(METHODS)


__all__ = [
    "AE",
    "METHODS",
    "PCL",
    "VAE",
    "AdaGVAE",
    "Batch",
    "BetaVAE",
    "Context",
    "Forward",
    "Loss",
    "Method",
    "Networks",
    "Size",
    "SlowVAE",
    "WeakGAN",
    "decode",
    "forward",
    "list_methods",
    "sample",
    "weighted_sum",
]
