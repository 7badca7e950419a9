"""The FactorVAE (Kim and Mnih 2018): total correlation by a discriminator."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import final

import torch
from torch import Generator, Tensor, nn
from torch.nn import functional as F

from gordium.methods.base import (
    Batch,
    Context,
    Loss,
    Method,
    Networks,
    Size,
    forward,
    sample,
    weighted_sum,
)
from gordium.methods.checks import check_counts, check_weights
from gordium.methods.terms import mean_kl, reconstruction
from gordium.networks import build
from gordium.optimisers import Adam, OptimiserSettings


@final
@dataclass(frozen=True, kw_only=True)
class FactorVAE(Method):
    """L_rec + L_KL + gamma TC(z), Eq. 2 of Kim and Mnih 2018, with TC from a discriminator D.

    D tells samples of q(z) from samples of the product of its marginals; where it does so
    perfectly, TC = E_q(z)[log D(z) / (1 - D(z))]. Samples of the product come from a second
    batch, each unit shuffled over it (Algorithm 1); with `one_batch`, as in the large study's
    code, from the first batch's own samples.
    """

    gamma: float = 35.0
    depth: int = 6
    width: int = 1000
    learning_rate: float = 1e-4
    one_batch: bool = False

    def __post_init__(self) -> None:
        check_weights(gamma=self.gamma, learning_rate=self.learning_rate)
        check_counts(depth=self.depth, width=self.width)

    @property
    def second_batch(self) -> bool:
        return not self.one_batch

    @property
    def optimisers(self) -> dict[str, OptimiserSettings | None]:
        return {"model": None, "critic": Adam(self.learning_rate, beta1=0.5, beta2=0.9)}

    def critic(self, size: Size, weights: Generator) -> nn.Module:
        return build(lambda: discriminator(size.latent_dim, self.depth, self.width), weights)

    def losses(
        self, networks: Networks, batch: Batch, context: Context
    ) -> Iterator[tuple[str, Loss]]:
        """The model's loss, then the discriminator's: Algorithm 2 of Kim and Mnih 2018.

        The second batch is encoded by the model as it is after its update.
        """
        critic, noise = networks.critic, context.noise
        if critic is None or noise is None:
            raise ValueError("FactorVAE needs a critic among the networks and context.noise.")
        out = forward(networks, batch.x, noise)
        logits, total_correlation = judge(critic, out.z)
        yield (
            "model",
            weighted_sum(
                reconstruction=(1.0, reconstruction(out)),
                kl=(1.0, mean_kl(out)),
                total_correlation=(self.gamma, total_correlation),
            ),
        )
        with torch.no_grad():
            second = batch.other
            z = out.z if second is None else sample(networks.model.encode(second), noise)
            shuffled = permute_dims(z, noise)
        yield "critic", weighted_sum(discrimination=(1.0, discrimination(logits, critic(shuffled))))


def discriminator(n_inputs: int, depth: int, width: int) -> nn.Module:
    """`depth` hidden layers, and two logits: for q(z) and for the product of its marginals."""
    layers: list[nn.Module] = []
    for n_in, n_out in pairwise((n_inputs, *[width] * depth)):
        layers += [nn.Linear(n_in, n_out), nn.LeakyReLU(0.2, inplace=True)]
    return nn.Sequential(*layers, nn.Linear(width, 2))


def judge(critic: nn.Module, z: Tensor) -> tuple[Tensor, Tensor]:
    """The critic's logits, cut off from `z`, and the mean of log D / (1 - D), still tied to it.

    One forward pass serves both updates: the gradient with respect to `z` is taken here, by a
    backward pass that leaves the critic's weights out, and the graph stays for the critic's own.
    """
    inputs = z.detach().requires_grad_()
    logits: Tensor = critic(inputs)
    log_ratio = (logits[:, 0] - logits[:, 1]).mean()
    (slope,) = torch.autograd.grad(log_ratio, inputs, retain_graph=True)
    tied = ((z - z.detach()) * slope).sum()  # 0, with the gradient of log_ratio
    return logits, log_ratio.detach() + tied


def discrimination(joint: Tensor, shuffled: Tensor) -> Tensor:
    """-(E[log D(z)] + E[log(1 - D(z'))]) / 2, for logits of z ~ q(z) and of shuffled z'."""
    taken_for_shuffled = F.softplus(joint[:, 1] - joint[:, 0]).mean()
    taken_for_joint = F.softplus(shuffled[:, 0] - shuffled[:, 1]).mean()
    return 0.5 * (taken_for_shuffled + taken_for_joint)


def permute_dims(z: Tensor, chance: Generator) -> Tensor:
    """Each latent unit shuffled over the batch by itself: Algorithm 1 of Kim and Mnih 2018."""
    keys = torch.rand(z.shape, generator=chance, device=z.device)
    return z.gather(0, keys.argsort(dim=0))
