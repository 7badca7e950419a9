"""DIP-VAE-I (Kumar et al. 2018): uncorrelated means of unit variance."""

from dataclasses import dataclass
from typing import ClassVar, final

from torch import Tensor

from gordium.checks import check_weights
from gordium.methods.base import Context, Forward, Loss, Method, weighted_sum
from gordium.methods.terms import mean_kl, reconstruction


@final
@dataclass(frozen=True, kw_only=True)
class DIPVAEI(Method):
    """The negative ELBO and a penalty on the covariance C = Cov_x[mu(x)] of the means.

    L_rec + L_KL + lambda_od sum_{i != j} C_ij^2 + lambda_d sum_i (C_ii - 1)^2, where C is estimated
    from the batch, with division by its size.
    """

    primary: ClassVar[str | None] = "lambda_od"

    lambda_od: float = 10.0
    lambda_d: float = 100.0

    def __post_init__(self) -> None:
        check_weights(lambda_od=self.lambda_od, lambda_d=self.lambda_d)

    def __call__(self, out: Forward, context: Context) -> Loss:
        return penalised_elbo(out, covariance(out.mean), self.lambda_od, self.lambda_d)


def penalised_elbo(out: Forward, matrix: Tensor, lambda_od: float, lambda_d: float) -> Loss:
    """The negative ELBO and the two penalties on a covariance."""
    off_diagonal, diagonal = from_identity(matrix)
    return weighted_sum(
        reconstruction=(1.0, reconstruction(out)),
        kl=(1.0, mean_kl(out)),
        off_diagonal=(lambda_od, off_diagonal),
        diagonal=(lambda_d, diagonal),
    )


def covariance(rows: Tensor) -> Tensor:
    """The covariance (d, d) of the rows, divided by their number."""
    centred = rows - rows.mean(dim=0)
    return centred.mT @ centred / len(rows)


def from_identity(matrix: Tensor) -> tuple[Tensor, Tensor]:
    """How far a covariance is from the identity: sum_{i != j} C_ij^2 and sum_i (C_ii - 1)^2."""
    diagonal = matrix.diagonal()
    off = matrix.square().sum() - diagonal.square().sum()
    return off, (diagonal - 1).square().sum()
