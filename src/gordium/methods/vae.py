"""The variational autoencoder (Kingma and Welling 2014)."""

from dataclasses import dataclass
from typing import final

from gordium.methods.base import Context, Forward, Loss, Method
from gordium.methods.beta_vae import BetaVAE


@final
@dataclass(frozen=True, kw_only=True)
class VAE(Method):
    """The negative ELBO: Eq. 3 of Zietlow et al. 2021 with the sign of its KL term corrected.

    It is Eq. 4 with beta = 1.
    """

    def __call__(self, out: Forward, context: Context) -> Loss:
        return BetaVAE(beta=1.0)(out, context)
