"""The plain autoencoder, which has no noise and no prior, and so no preferred axes."""

from dataclasses import dataclass
from typing import ClassVar, final

from gordium.methods.base import Context, Forward, Loss, Method, weighted_sum
from gordium.methods.terms import reconstruction


@final
@dataclass(frozen=True, kw_only=True)
class AE(Method):
    """L_rec of the decoded means: Eq. 4 of Zietlow et al. 2021 without noise and KL."""

    stochastic: ClassVar[bool] = False

    def __call__(self, out: Forward, context: Context) -> Loss:
        return weighted_sum(reconstruction=(1.0, reconstruction(out)))
