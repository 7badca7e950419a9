"""DIP-VAE-II (Kumar et al. 2018): uncorrelated latent samples of unit variance."""

from dataclasses import dataclass
from typing import ClassVar, final

import torch

from gordium.checks import check_weights
from gordium.methods.base import Context, Forward, Loss, Method
from gordium.methods.dip_vae_i import covariance, penalised_elbo


@final
@dataclass(frozen=True, kw_only=True)
class DIPVAEII(Method):
    """The negative ELBO and a penalty on the covariance C of the aggregate posterior q(z).

    L_rec + L_KL + lambda_od sum_{i != j} C_ij^2 + lambda_d sum_i (C_ii - 1)^2, where by the law of
    total covariance C = Cov_x[mu(x)] + E_x[Sigma(x)]. Both moments are those of the batch.
    """

    primary: ClassVar[str | None] = "lambda_od"

    lambda_od: float = 10.0
    lambda_d: float = 10.0

    def __post_init__(self) -> None:
        check_weights(lambda_od=self.lambda_od, lambda_d=self.lambda_d)

    def __call__(self, out: Forward, context: Context) -> Loss:
        within = torch.diag(out.log_variance.exp().mean(dim=0))
        total = covariance(out.mean) + within
        return penalised_elbo(out, total, self.lambda_od, self.lambda_d)
