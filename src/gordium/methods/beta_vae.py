"""The beta-VAE (Higgins et al. 2017)."""

from dataclasses import dataclass
from typing import ClassVar, final

from gordium.checks import check_weights
from gordium.fields import added
from gordium.methods.base import Context, Forward, Loss, Method, weighted_sum
from gordium.methods.terms import mean_kl, reconstruction, sampled_kl


@final
@dataclass(frozen=True, kw_only=True)
class BetaVAE(Method):
    """L = E_i (L_rec + beta L_KL): Eq. 4 of Zietlow et al. 2021.

    With `sampled_kl`, L_KL is log q(z | x) - log p(z) at the decoded sample instead of its closed
    form: equal in expectation but noisy, as in methods whose prior is not normal.
    """

    primary: ClassVar[str | None] = "beta"

    beta: float = 4.0
    sampled_kl: bool = added(False)

    def __post_init__(self) -> None:
        check_weights(beta=self.beta)

    def __call__(self, out: Forward, context: Context) -> Loss:
        kl = sampled_kl(out) if self.sampled_kl else mean_kl(out)
        return weighted_sum(reconstruction=(1.0, reconstruction(out)), kl=(self.beta, kl))
