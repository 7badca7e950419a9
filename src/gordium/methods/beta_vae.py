"""The beta-VAE (Higgins et al. 2017)."""

from dataclasses import dataclass
from math import inf
from typing import final

from gordium.methods.base import Context, Forward, Loss, Method, weighted_sum
from gordium.methods.terms import kl_to_standard_normal, reconstruction


@final
@dataclass(frozen=True, kw_only=True)
class BetaVAE(Method):
    """L = E_i (L_rec + beta L_KL): Eq. 4 of Zietlow et al. 2021."""

    beta: float = 4.0

    def __post_init__(self) -> None:
        if not 0 <= self.beta < inf:
            raise ValueError(f"beta must be a number of at least 0; got {self.beta}.")

    def __call__(self, out: Forward, context: Context) -> Loss:
        kl = kl_to_standard_normal(out.mean, out.log_variance).sum(dim=1).mean()
        return weighted_sum(reconstruction=(1.0, reconstruction(out)), kl=(self.beta, kl))
