"""The network that changes images: a decoder fed with one number made of the factors."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from gordium.factors import Factor, deviation
from gordium.networks import Architecture


class Manipulator(nn.Module):
    """m(w) with |m| <= 1 (Zietlow et al. 2021, supplement B.1).

    The decoder of the models, with an input layer of a single neuron before it: all that a
    change can depend on is one linear combination of the factors.
    """

    def __init__(
        self, architecture: Architecture, n_factors: int, image_shape: Sequence[int]
    ) -> None:
        super().__init__()
        self.neuron = nn.Linear(n_factors, 1)
        self.decoder = architecture.decoder(1, image_shape)

    def forward(self, w: Tensor) -> Tensor:
        return torch.tanh(self.decoder(self.neuron(w)))


@torch.no_grad()
def weigh_alike(manipulator: Manipulator, size: float, *, pattern: int) -> None:
    """Start the neuron with weights of one size, their signs being `pattern`'s bits.

    A random start may leave a factor out, and it is hard to bring one in later; the larger the
    weights, the faster a change can vary with the factors. The first sign is always +, because
    flipping all signs changes nothing.
    """
    weight = manipulator.neuron.weight
    signs = [1.0, *(-1.0 if pattern >> k & 1 else 1.0 for k in range(weight.shape[1] - 1))]
    weight.copy_(size * torch.tensor([signs]))


@torch.no_grad()
def start_as_wave(
    manipulator: Manipulator,
    factors: Sequence[Factor],
    size: float,
    steps: NDArray[np.float64],
    *,
    pattern: int,
    generator: torch.Generator,
) -> None:
    """Start with a change that varies over the whole range of u, the neuron's output.

    Ours: B.1 starts with zero biases, so that every unit of the first layer has its kink at u = 0
    and the change is a step rather than a wave. Here u goes up or down by `size` times a factor's
    number in `steps` with each step of the factor; the bits of `pattern` say which. The kinks are
    drawn uniformly from the range of u. Training may change the neuron's weights.
    """
    n = np.array([factor.size for factor in factors])
    weigh_alike(manipulator, size, pattern=pattern)
    manipulator.neuron.weight.mul_(torch.tensor(steps * deviation(n), dtype=torch.float32))
    first = next(layer for layer in manipulator.decoder.modules() if isinstance(layer, nn.Linear))
    count = len(first.bias)
    reach = size * float((steps * (n - 1)).sum()) / 2
    bends = reach * (2 * torch.rand(count, generator=generator) - 1)
    slopes = 2.0 * torch.randint(2, (count,), generator=generator) - 1
    first.weight.copy_(slopes[:, None])
    first.bias.copy_(-slopes * bends)


def share_wave(
    factors: Sequence[Factor], turned: Sequence[int] | None = None, *, even: bool = False
) -> NDArray[np.float64]:
    """How far a wave goes with each step of each factor; factors that are not `turned` have 0.

    All steps are alike, or with `even` all standard deviations, so that a factor of many values
    does not make most of the wave.
    """
    n = np.array([factor.size for factor in factors])
    steps = 1 / deviation(n) if even else np.ones(len(n))
    return steps if turned is None else np.where(np.isin(np.arange(len(n)), turned), steps, 0.0)


def hold_other_weights(manipulator: Manipulator, turned: Sequence[int]) -> None:
    """Keep the change from ever depending on factors that are not `turned`."""
    weight = manipulator.neuron.weight
    mask = torch.zeros_like(weight)
    mask[:, list(turned)] = 1
    with torch.no_grad():
        weight.mul_(mask)
    weight.register_hook(lambda gradient: gradient * mask)


def standardise(factors: Sequence[Factor], values: Any) -> Tensor:
    """Factor values (n, k) with mean 0 and variance 1 over the grid, as floats."""
    sizes = np.array([factor.size for factor in factors], dtype=np.float64)
    centred = np.asarray(values) - (sizes - 1) / 2
    return torch.from_numpy((centred / deviation(sizes)).astype(np.float32))
