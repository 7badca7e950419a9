"""Methods, one file each. To add one, write a file and add its name to `METHODS`."""

from gordium.lookup import answer_at_the_border
from gordium.methods.ada_gvae import AdaGVAE
from gordium.methods.ae import AE
from gordium.methods.annealed_vae import AnnealedVAE
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
from gordium.methods.beta_tcvae import BetaTCVAE
from gordium.methods.beta_vae import BetaVAE
from gordium.methods.beta_vae_full import BetaVAEFull
from gordium.methods.dip_vae_i import DIPVAEI
from gordium.methods.dip_vae_ii import DIPVAEII
from gordium.methods.factor_vae import FactorVAE
from gordium.methods.isa_tcvae import ISATCVAE
from gordium.methods.isa_vae import ISAVAE
from gordium.methods.orthogonal_vae import OrthogonalVAE
from gordium.methods.pcl import PCL
from gordium.methods.slow_vae import SlowVAE
from gordium.methods.terms import kl_to_standard_normal, mean_kl, reconstruction
from gordium.methods.vae import VAE
from gordium.methods.weak_gan import WeakGAN

METHODS: dict[str, type[Method]] = {
    "ae": AE,
    "vae": VAE,
    "beta-vae": BetaVAE,
    "annealed-vae": AnnealedVAE,
    "factor-vae": FactorVAE,
    "beta-tcvae": BetaTCVAE,
    "dip-vae-i": DIPVAEI,
    "dip-vae-ii": DIPVAEII,
    "beta-vae-full": BetaVAEFull,
    "isa-vae": ISAVAE,
    "isa-tcvae": ISATCVAE,
    "slow-vae": SlowVAE,
    "pcl": PCL,
    "weak-gan": WeakGAN,
    "ada-gvae": AdaGVAE,
    "orthogonal-vae": OrthogonalVAE,
}


def list_methods() -> list[str]:
    """The names of all methods."""
    return list(METHODS)


__all__ = [
    "AE",
    "DIPVAEI",
    "DIPVAEII",
    "ISATCVAE",
    "ISAVAE",
    "METHODS",
    "PCL",
    "VAE",
    "AdaGVAE",
    "AnnealedVAE",
    "Batch",
    "BetaTCVAE",
    "BetaVAE",
    "BetaVAEFull",
    "Context",
    "FactorVAE",
    "Forward",
    "Loss",
    "Method",
    "Networks",
    "OrthogonalVAE",
    "Size",
    "SlowVAE",
    "WeakGAN",
    "decode",
    "forward",
    "kl_to_standard_normal",
    "list_methods",
    "mean_kl",
    "reconstruction",
    "sample",
    "weighted_sum",
]

answer_at_the_border(globals())
