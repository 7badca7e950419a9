"""The FactorVAE (Kim and Mnih 2018): total correlation by a discriminator."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, NamedTuple, final

import torch
from torch import Generator, Tensor, nn
from torch.nn import functional as F

from gordium.checks import MOST_UNITS, check_counts, check_most, check_weights
from gordium.methods.base import (
    Batch,
    Context,
    Losses,
    Method,
    Networks,
    Size,
    forward,
    sample,
    weighted_sum,
)
from gordium.methods.terms import mean_kl, reconstruction
from gordium.networks import build
from gordium.networks.mlp import stack_dense
from gordium.optimisers import Adam, OptimiserSettings


@final
@dataclass(frozen=True, kw_only=True)
class FactorVAE(Method):
    """L_rec + L_KL + gamma TC(z), the objective of Kim and Mnih 2018.

    A discriminator D tells samples of q(z) from samples of the product of its marginals; if it is
    optimal, TC = E_q(z)[log D(z) / (1 - D(z))]. Samples of the product come from a second batch,
    over which each unit is shuffled (Algorithm 1); with `one_batch`, from the first batch's
    samples, as in the large study's code.
    """

    primary: ClassVar[str | None] = "gamma"

    gamma: float = 35.0
    depth: int = 6
    width: int = 1000
    learning_rate: float = 1e-4
    one_batch: bool = False

    def __post_init__(self) -> None:
        check_weights(gamma=self.gamma, learning_rate=self.learning_rate)
        check_counts(depth=self.depth, width=self.width)
        check_most(MOST_UNITS, depth=self.depth, width=self.width)

    @property
    def second_batch(self) -> bool:
        return not self.one_batch

    @property
    def optimisers(self) -> dict[str, OptimiserSettings | None]:
        return {"model": None, "critic": Adam(self.learning_rate, beta1=0.5, beta2=0.9)}

    def critic(self, size: Size, weights: Generator) -> nn.Module:
        make = partial(discriminator, size.latent_dim, self.depth, self.width)
        return build(make, weights, size.initial)

    def losses(self, networks: Networks, batch: Batch, context: Context) -> Losses:
        """The model's loss, then the discriminator's, in the order of Kim and Mnih 2018.

        The second batch is encoded by the model after its update. The discriminator's loss is
        -(E[log D(z)] + E[log(1 - D(z'))]) / 2, where z' is shuffled.
        """
        critic, noise = networks.critic, context.noise
        if critic is None or noise is None:
            raise ValueError("FactorVAE needs a critic among the networks and context.noise.")
        out = forward(networks, batch.x, noise)
        joint = judge(critic, out.z)
        yield (
            "model",
            weighted_sum(
                reconstruction=(1.0, reconstruction(out)),
                kl=(1.0, mean_kl(out)),
                total_correlation=(self.gamma, joint.log_ratio),
            ),
        )
        with torch.no_grad():
            second = batch.other
            z = out.z if second is None else sample(networks.model.encode(second), noise)
            shuffled = permute_dims(z, noise)
        fooled = F.softplus(log_ratios(critic(shuffled))).mean()
        yield "critic", weighted_sum(missed=(0.5, joint.missed), fooled=(0.5, fooled))


def discriminator(n_inputs: int, depth: int, width: int) -> nn.Module:
    """A network of `depth` hidden layers and two logits: for q(z) and for the product."""
    widths = (n_inputs, *[width] * depth, 2)
    return nn.Sequential(*stack_dense(widths, lambda: nn.LeakyReLU(0.2, inplace=True)))


class Judged(NamedTuple):
    """The critic's verdict on z ~ q(z): a term of the model's loss and one of its own."""

    log_ratio: Tensor  # E[log D / (1 - D)]
    missed: Tensor  # -E[log D]


def judge(critic: nn.Module, z: Tensor) -> Judged:
    """Compute both terms and their gradients by one forward and one backward pass.

    With r = log D / (1 - D), the model needs dr/dz, and the critic's weights need d(-log D) =
    -(1 - D) dr. So r is differentiated once, each sample weighted by -(1 - D), and the weight is
    divided out of dr/dz again. It is kept large enough for a float.
    """
    inputs = z.detach().requires_grad_()
    parameters = list(critic.parameters())
    ratios = log_ratios(critic(inputs))
    pull = torch.sigmoid(-ratios.detach()).clamp_min(1e-20).neg() / len(z)
    slopes, *gradients = torch.autograd.grad(ratios, [inputs, *parameters], pull)
    slopes = slopes / (pull[:, None] * len(z))
    ratios = ratios.detach()
    return Judged(
        attach(ratios.mean(), [slopes], [z]),
        attach(F.softplus(-ratios).mean(), gradients, parameters),
    )


def log_ratios(logits: Tensor) -> Tensor:
    """log D(z) / (1 - D(z)) of each sample (n,)."""
    return logits[:, 0] - logits[:, 1]


def attach(value: Tensor, gradients: Sequence[Tensor], inputs: Sequence[Tensor]) -> Tensor:
    """Make `value` a function of `inputs` with these gradients, which are known already."""
    return _Attached.apply(value, gradients, *inputs)  # type: ignore[no-untyped-call]


class _Attached(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, value: Tensor, gradients: Sequence[Tensor], *inputs: Tensor) -> Tensor:
        ctx.gradients = gradients
        return value.clone()

    @staticmethod
    def backward(ctx: Any, *outer: Tensor) -> Any:
        return None, None, *(outer[0] * gradient for gradient in ctx.gradients)


def permute_dims(z: Tensor, chance: Generator) -> Tensor:
    """Shuffle each latent unit over the batch by itself: Algorithm 1 of Kim and Mnih 2018."""
    keys = torch.rand(z.shape, generator=chance, device=z.device)
    return z.gather(0, keys.argsort(dim=0))
