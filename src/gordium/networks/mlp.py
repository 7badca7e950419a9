"""Fully connected networks of given widths (Rolinek et al. 2019, Table S3), and linear maps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import final

from torch import nn

from gordium.checks import MOST_UNITS
from gordium.lookup import pick
from gordium.networks.layers import activate

ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh}


@final
@dataclass(frozen=True)
class Mlp:
    """Hidden layers of the given widths; the nonlinearity is applied in them only."""

    encoder_widths: tuple[int, ...] = (1200, 1200)
    decoder_widths: tuple[int, ...] = (1200, 1200, 1200)
    encoder_activation: str = "relu"
    decoder_activation: str = "tanh"

    def __post_init__(self) -> None:
        for activation in (self.encoder_activation, self.decoder_activation):
            pick("activation", activation, ACTIVATIONS)
        for widths in (self.encoder_widths, self.decoder_widths):
            if not isinstance(widths, tuple | list):
                raise TypeError(f"layer widths must be a tuple, e.g. (256, 256); got {widths!r}.")
            if not all(1 <= width <= MOST_UNITS for width in widths):
                raise ValueError(
                    f"layer widths must be at least 1, at most {MOST_UNITS}; got {widths}."
                )

    def encoder(self, image_shape: Sequence[int], n_outputs: int) -> nn.Module:
        widths = (prod(image_shape), *self.encoder_widths, n_outputs)
        layers = stack_dense(widths, ACTIVATIONS[self.encoder_activation])
        return nn.Sequential(nn.Flatten(), *layers)

    def decoder(self, n_inputs: int, image_shape: Sequence[int]) -> nn.Module:
        widths = (n_inputs, *self.decoder_widths, prod(image_shape))
        layers = stack_dense(widths, ACTIVATIONS[self.decoder_activation])
        return nn.Sequential(*layers, nn.Unflatten(1, tuple(image_shape)))


@final
@dataclass(frozen=True)
class Linear:
    """Linear maps with biases and nothing else, both ways."""

    def encoder(self, image_shape: Sequence[int], n_outputs: int) -> nn.Module:
        return Mlp((), ()).encoder(image_shape, n_outputs)

    def decoder(self, n_inputs: int, image_shape: Sequence[int]) -> nn.Module:
        return Mlp((), ()).decoder(n_inputs, image_shape)


def stack_dense(widths: Sequence[int], make: Callable[[], nn.Module]) -> list[nn.Module]:
    """Dense layers from each width to the next, with activations between them."""
    layers = activate((nn.Linear(*sizes) for sizes in pairwise(widths)), make)
    return list(layers)[:-1]
