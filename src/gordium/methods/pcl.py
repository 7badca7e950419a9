"""Permutation-contrastive learning (Hyvarinen and Morioka 2017)."""

from dataclasses import dataclass
from typing import ClassVar, final

import torch
from torch import Generator, Tensor, nn

from gordium.lookup import pick
from gordium.methods.base import Batch, Context, Losses, Method, Networks, weighted_sum
from gordium.methods.slow_vae import PAIRS
from gordium.methods.terms import logistic_loss
from gordium.optimisers import OptimiserSettings
from gordium.pairs import Pairing


@final
@dataclass(frozen=True, kw_only=True)
class PCL(Method):
    """Logistic regression that tells pairs of features from pairs whose earlier half is permuted.

    Hyvarinen and Morioka 2017, with `PairScore` as their regression function. The features are
    the encoder's means; the decoder is not trained. With `fixed_square` the squares in `PairScore`
    have weight one, as in the published code of Klindt et al. 2021.
    """

    stochastic: ClassVar[bool] = False  # no posterior variance is trained

    pairs: str = "lap"
    fixed_square: bool = False

    def __post_init__(self) -> None:
        pick("pairs", self.pairs, PAIRS)

    @property
    def pairing(self) -> Pairing:
        return PAIRS[self.pairs]

    @property
    def optimisers(self) -> dict[str, OptimiserSettings | None]:
        return {"encoder": None}

    def parts(self, latent_dim: int, weights: Generator) -> nn.Module:
        return PairScore(latent_dim, fixed_square=self.fixed_square)

    def losses(self, networks: Networks, batch: Batch, context: Context) -> Losses:
        score = networks.model.parts
        if score is None:
            raise ValueError("pcl needs a pair score as the model's parts.")
        earlier, later = networks.model.encode(batch.x).mean.chunk(2)
        value = contrast(score, later, earlier, context.chance)
        yield "encoder", weighted_sum(contrast=(1.0, value))


class PairScore(nn.Module):
    """The log-odds that a pair is a true one: a sum of functions of one feature each.

    -sum_i |u_i h_i(t) + v_i h_i(t - 1) + b_i| + sum_i a_i h_i(t)^2 + c with a >= 0, the form
    for sources with Laplace innovations. u starts at one and v at minus one.
    """

    square: Tensor

    def __init__(self, n_features: int, *, fixed_square: bool = False) -> None:
        super().__init__()
        self.later = nn.Parameter(torch.ones(n_features))
        self.earlier = nn.Parameter(-torch.ones(n_features))
        self.shift = nn.Parameter(torch.zeros(n_features))
        if fixed_square:
            self.register_buffer("square", torch.ones(n_features))
        else:
            self.square = nn.Parameter(torch.ones(n_features))
        self.constant = nn.Parameter(torch.zeros(()))

    def forward(self, later: Tensor, earlier: Tensor) -> Tensor:
        distance = (self.later * later + self.earlier * earlier + self.shift).abs()
        return (self.square.abs() * later.square() - distance).sum(dim=1) + self.constant


def contrast(score: nn.Module, later: Tensor, earlier: Tensor, chance: Generator) -> Tensor:
    """The cross-entropy of telling true pairs from the same with `earlier` permuted."""
    order = torch.randperm(len(earlier), generator=chance, device=chance.device)
    return logistic_loss(score(later, earlier), score(later, earlier[order]))
