"""What a decoder's output means, and how well it explains an image.

Every loss here is summed over pixels and averaged over the batch; nothing rescales it later.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F


@dataclass(frozen=True)
class Likelihood:
    """`loss(output, x)` of images in [0, 1], and `mean(output)`, the image that is meant."""

    loss: Callable[[Tensor, Tensor], Tensor]
    mean: Callable[[Tensor], Tensor]


def bernoulli_nll(logits: Tensor, x: Tensor) -> Tensor:
    """-log p(x) of independent Bernoulli pixels, from logits."""
    return F.binary_cross_entropy_with_logits(logits, x, reduction="sum") / len(x)


def squared_error(output: Tensor, x: Tensor) -> Tensor:
    """|output - x|^2: a Gaussian's -log p(x) with variance 1/2 and without its constant."""
    return F.mse_loss(output, x, reduction="sum") / len(x)


def unchanged(output: Tensor) -> Tensor:
    return output


LIKELIHOODS = {
    "bernoulli": Likelihood(bernoulli_nll, torch.sigmoid),
    "gaussian": Likelihood(squared_error, unchanged),
}
