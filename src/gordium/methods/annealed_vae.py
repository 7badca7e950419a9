"""The AnnealedVAE (Burgess et al. 2018): a beta-VAE with a rising capacity."""

from dataclasses import dataclass
from typing import ClassVar, final

from gordium.checks import check_counts, check_weights
from gordium.methods.base import Context, Forward, Loss, Method, weighted_sum
from gordium.methods.terms import kl_to_standard_normal, reconstruction


@final
@dataclass(frozen=True, kw_only=True)
class AnnealedVAE(Method):
    """L_rec + gamma |L_KL - C|: the capacity objective of Burgess et al. 2018.

    C rises linearly from 0 to `capacity` nats in the first `warmup_steps` steps and then stays.
    The KL of each latent unit is reported as kl_0, kl_1, ...; the paper's third figure shows when
    each unit begins to use the capacity.
    """

    primary: ClassVar[str | None] = "capacity"

    gamma: float = 1000.0
    capacity: float = 25.0
    warmup_steps: int = 100_000

    def __post_init__(self) -> None:
        check_weights(gamma=self.gamma, capacity=self.capacity)
        check_counts(warmup_steps=self.warmup_steps)

    def target(self, step: int) -> float:
        """The capacity C at a step, in nats."""
        return self.capacity * min(step / self.warmup_steps, 1.0)

    def __call__(self, out: Forward, context: Context) -> Loss:
        units = kl_to_standard_normal(out.mean, out.log_variance).mean(dim=0)
        kl = units.sum()
        gap = (kl - self.target(context.step)).abs()
        loss = weighted_sum(
            reconstruction=(1.0, reconstruction(out)), capacity_gap=(self.gamma, gap)
        )
        each = {f"kl_{i}": unit for i, unit in enumerate(units.detach())}
        return Loss(loss.total, {**loss.terms, "kl": kl, **each})
