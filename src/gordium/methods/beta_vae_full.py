"""The beta-VAE with full covariances (Rolinek et al. 2019): a control without preferred axes."""

from dataclasses import dataclass
from typing import ClassVar, final

from torch import Tensor

from gordium.checks import check_weights
from gordium.methods.base import Context, Forward, Loss, Method, weighted_sum
from gordium.methods.terms import kl_to_standard_normal, reconstruction
from gordium.networks import Posterior


@final
@dataclass(frozen=True, kw_only=True)
class BetaVAEFull(Method):
    """L_rec + beta L_KL with posteriors N(mu, Sigma): Rolinek et al. 2019, Suppl. 8.3.

    The encoder gives the Cholesky factor L of Sigma = L L^T, and z = mu + L eps (S78). Unlike
    with diagonal posteriors, a rotation of the latent space changes nothing (Proposition 3).
    """

    primary: ClassVar[str | None] = "beta"

    full_covariance: ClassVar[bool] = True
    beta: float = 4.0

    def __post_init__(self) -> None:
        check_weights(beta=self.beta)

    def __call__(self, out: Forward, context: Context) -> Loss:
        kl = kl_of_full_posterior(out.posterior).mean()
        return weighted_sum(reconstruction=(1.0, reconstruction(out)), kl=(self.beta, kl))


def kl_of_full_posterior(posterior: Posterior) -> Tensor:
    """KL(N(mu, Sigma) || N(0, I)) of each image (n,): S77 of Rolinek et al. 2019.

    It is (|mu|^2 + tr Sigma - log det Sigma - k) / 2, where tr Sigma is the sum of all L_ij^2 and
    log det Sigma the sum of 2 log L_ii. The posterior of a single unit has no Cholesky factor.
    """
    mean, log_variance, cholesky = posterior
    if cholesky is None:
        return kl_to_standard_normal(mean, log_variance).sum(dim=1)
    log_diagonal = cholesky.diagonal(dim1=1, dim2=2).log()
    trace = cholesky.square().sum(dim=(1, 2))
    return 0.5 * (mean.square().sum(dim=1) + trace - mean.shape[1]) - log_diagonal.sum(dim=1)
