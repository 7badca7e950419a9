"""What a decoder's output means, and how well it explains an image.

Every loss here is summed over pixels and averaged over the batch, and is not rescaled later.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from gordium.networks import _calls as calls
from gordium.networks.direct import is_dense, takes


@dataclass(frozen=True)
class Likelihood:
    """`loss(output, x)` of images x in [0, 1], and `mean(output)`, the image that is expected."""

    loss: Callable[[Tensor, Tensor], Tensor]
    mean: Callable[[Tensor], Tensor]


def bernoulli_nll(logits: Tensor, x: Tensor) -> Tensor:
    """-log p(x) of independent Bernoulli pixels, from logits."""
    if _takes(logits, x) and not x.requires_grad:
        return _Loss.apply("bernoulli", logits, x)  # type: ignore[no-untyped-call]
    return F.binary_cross_entropy_with_logits(logits, x, reduction="sum") / len(x)


def four_fold_nll(logits: Tensor, x: Tensor) -> Tensor:
    """Four times `bernoulli_nll`, so that a 32 x 32 image weighs as much as a 64 x 64 one.

    Losses are sums over pixels; so strengths that were published for 64 x 64 images can be kept.
    """
    return 4 * bernoulli_nll(logits, x)


def squared_error(output: Tensor, x: Tensor) -> Tensor:
    """|output - x|^2: a Gaussian's -log p(x) with variance 1/2 and without its constant."""
    if _takes(output, x):
        return _Loss.apply("squared", output, x)  # type: ignore[no-untyped-call]
    return F.mse_loss(output, x, reduction="sum") / len(x)


def _takes(output: Tensor, x: Tensor) -> bool:
    fits = output.shape == x.shape and output.numel() % calls.IMAGES == 0
    return fits and takes(output) and takes(x)


class _Loss(torch.autograd.Function):
    """A loss that is computed together with its gradient, in one pass over the images."""

    @staticmethod
    def forward(ctx: Any, name: str, output: Tensor, x: Tensor) -> Tensor:
        ctx.save_for_backward(output, x)
        dense = output if is_dense(output) else output.contiguous()
        alike = x if x.stride() == dense.stride() else torch.empty_like(dense).copy_(x)
        value, ctx.gradient = calls.loss(name, dense, alike)
        ctx.name = name
        return output.new_tensor(value)

    @staticmethod
    def backward(ctx: Any, *outer: Tensor) -> Any:
        output, x = ctx.saved_tensors
        if torch.is_grad_enabled():  # to be differentiated again
            mean = torch.sigmoid(output) if ctx.name == "bernoulli" else 2 * output
            gradient = outer[0] * (mean - (x if ctx.name == "bernoulli" else 2 * x)) / len(x)
        else:
            gradient = ctx.gradient if outer[0].item() == 1 else outer[0] * ctx.gradient
        return None, gradient, -gradient if ctx.needs_input_grad[2] else None


def pass_through(output: Tensor) -> Tensor:
    """The output itself."""
    return output


LIKELIHOODS = {
    "bernoulli": Likelihood(bernoulli_nll, torch.sigmoid),
    "bernoulli-x4": Likelihood(four_fold_nll, torch.sigmoid),
    "gaussian": Likelihood(squared_error, pass_through),
}
