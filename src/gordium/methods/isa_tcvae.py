"""The ISA-TCVAE (Stühmer et al. 2020): the ISA prior with a weight on total correlation only."""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar, final

from torch import Generator

from gordium.checks import check_weights
from gordium.fields import added
from gordium.lookup import pick
from gordium.methods.base import Context, Forward, Loss, Method
from gordium.methods.beta_tcvae import ESTIMATORS, decomposition
from gordium.methods.isa_vae import ISAVAE, Prior


@final
@dataclass(frozen=True, kw_only=True)
class ISATCVAE(Method):
    """L_rec + I(x; z) + beta TC(z) + (E log prod_j q(z_j) - E log p_ISA(z)).

    Eq. 3 of Stühmer et al. 2020 with beta on its second term and Eq. 7 as the prior. This prior is
    not a product over units, so the last term is what is left of the KL. All parts add up to the
    KL of Eq. 12, so the loss is that of Eq. 12 at beta = 1 plus (beta - 1) TC. `estimator` is as
    for beta-TCVAE, the other fields are as for ISA-VAE.
    """

    primary: ClassVar[str | None] = "beta"

    beta: float = 4.0
    estimator: str = "weighted"
    layout: int | tuple[int, ...] = 4
    p0: float = 2.1
    p: float | None = None
    learn_p: bool = False
    learn_p0: bool = False
    scale: float = 2.0
    p_rate: float | None = None
    tree: tuple[Any, ...] | None = added(None)

    def __post_init__(self) -> None:
        check_weights(beta=self.beta)
        pick("estimator", self.estimator, ESTIMATORS)
        object.__setattr__(self, "tree", self._isa_vae().tree)  # lists become tuples there

    @property
    def parts_rate(self) -> float | None:
        return self.p_rate

    def parts(self, latent_dim: int, weights: Generator) -> Prior:
        return self._isa_vae().parts(latent_dim, weights)

    def __call__(self, out: Forward, context: Context) -> Loss:
        plain = self._isa_vae()(out, context)
        weights = ESTIMATORS[self.estimator](len(out.z), context.n_images)
        correlation = decomposition(out.z, out.posterior, weights.to(out.z)).total_correlation
        total = plain.total + (self.beta - 1) * correlation
        return Loss(total, {"total_correlation": correlation, **plain.terms})

    def _isa_vae(self) -> ISAVAE:
        """The objective without a weight on total correlation."""
        fields = asdict(self)
        del fields["estimator"]
        return ISAVAE(**{**fields, "beta": 1.0})
