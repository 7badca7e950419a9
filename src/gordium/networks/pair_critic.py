"""The pair discriminator of the weakly supervised GAN (Shu et al. 2020)."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import ceil

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from gordium.networks.direct import Layers
from gordium.networks.layers import HalvingConv, activate


class PairCritic(nn.Module):
    """The log-odds that two images are real and share a given factor.

    One body sees each image, a neck sees the features of both. The score is a linear head's plus
    the inner product of the neck's output with the shared factor's vector. Each component of
    these vectors has norm one over the factors. Sizes are those published, times `width`.
    With `compare` the neck also sees the distance between the features of the two images;
    without it, it takes long to learn that what matters is whether they agree.
    """

    def __init__(
        self, image_shape: Sequence[int], n_factors: int, width: float, *, compare: bool = False
    ) -> None:
        super().__init__()
        self.compare = compare
        channels, height, image_width = image_shape
        narrow, wide, dense = (max(1, round(n * width)) for n in (32, 64, 128))
        flat = wide * ceil(height / 16) * ceil(image_width / 16)
        steps = pairwise((channels, narrow, narrow, wide, wide))
        convolutions = (HalvingConv(n_in, n_out, 4) for n_in, n_out in steps)
        self.body = _make_leaky([*convolutions, nn.Flatten(), nn.Linear(flat, dense)])
        n_seen = (3 if compare else 2) * dense
        self.neck = _make_leaky([nn.Linear(n_seen, dense), nn.Linear(dense, dense)])
        self.head = nn.Linear(dense, 1, bias=False)
        self.factors = nn.Embedding(n_factors, dense)

    def forward(self, x: Tensor, shared: Tensor) -> Tensor:
        """Log-odds (n,) of pairs, rows i and n + i of `x`, that share factor `shared` (n,)."""
        both = self.body(x).chunk(2)
        apart = [(both[0] - both[1]).abs()] if self.compare else []
        features = self.neck(torch.cat([*both, *apart], dim=1))
        vectors = F.normalize(self.factors.weight, dim=0)[shared]
        return self.head(features)[:, 0] + (features * vectors).sum(dim=1)


def _make_leaky(layers: Iterable[nn.Module]) -> Layers:
    """The layers, with a leaky ReLU after each that has weights."""
    return Layers(*activate(layers, lambda: nn.LeakyReLU(0.2)))
