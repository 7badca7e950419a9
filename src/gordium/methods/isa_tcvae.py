"""The ISA-TCVAE (Stühmer et al. 2020): the ISA prior with a weight on total correlation only."""

from dataclasses import dataclass
from typing import final

from gordium.lookup import pick
from gordium.methods.base import Context, Forward, Loss
from gordium.methods.beta_tcvae import ESTIMATORS, decomposition
from gordium.methods.isa_vae import ISAVAE, loss_with_prior


@final
@dataclass(frozen=True, kw_only=True)
class ISATCVAE(ISAVAE):
    """L_rec + I(x; z) + beta TC(z) + (E log prod_j q(z_j) - E log p_ISA(z)).

    Eq. 3 of Stühmer et al. 2020 with beta on its second term and Eq. 7 as the prior. This prior is
    not a product over units, so the last term is what is left of the KL. All parts add up to the
    KL of Eq. 12, so the loss is that of Eq. 12 at beta = 1 plus (beta - 1) TC. `estimator` is as
    for beta-TCVAE, the other fields are as for ISA-VAE.
    """

    beta: float = 4.0
    estimator: str = "weighted"

    def __post_init__(self) -> None:
        super().__post_init__()
        pick("estimator", self.estimator, ESTIMATORS)

    def __call__(self, out: Forward, context: Context) -> Loss:
        plain = loss_with_prior(out, beta=1.0)
        weights = ESTIMATORS[self.estimator](len(out.z), context.n_images)
        correlation = decomposition(out.z, out.posterior, weights.to(out.z)).total_correlation
        total = plain.total + (self.beta - 1) * correlation
        return Loss(total, {"total_correlation": correlation, **plain.terms})
