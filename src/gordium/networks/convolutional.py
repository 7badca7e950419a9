"""The convolutional encoder and decoder of the large study (Locatello et al. 2019)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, prod
from typing import final

from torch import nn

from gordium.checks import WIDEST
from gordium.networks.direct import Layers
from gordium.networks.layers import Crop, HalvingConv, activate


@final
@dataclass(frozen=True)
class Convolutional:
    """Four convolutions that halve the image and a dense layer; in the decoder, four that double.

    There are 32, 32, 64, 64 channels (kernels 4, 4, 2, 2) and 256 dense units, times `width`. The
    decoder starts from 64 channels of a sixteenth of the image's size: 4x4 for 64x64 images.
    Means and log-variances are one layer of 2d units where the study has two of d: the same
    function, whose Glorot-uniform start is 2 % narrower at d = 10.
    """

    width: float = 1.0

    def __post_init__(self) -> None:
        if not isinstance(self.width, int | float) or not 0 < self.width <= WIDEST:
            raise ValueError(
                f"width must be a number above 0, at most {WIDEST}; got {self.width!r}."
            )

    def encoder(self, image_shape: Sequence[int], n_outputs: int) -> nn.Module:
        channels, height, width = image_shape
        narrow, wide, dense = (self._units(n) for n in (32, 64, 256))
        sizes = zip(pairwise((channels, narrow, narrow, wide, wide)), (4, 4, 2, 2), strict=True)
        halving = (HalvingConv(n_in, n_out, kernel) for (n_in, n_out), kernel in sizes)
        flat = nn.Linear(wide * ceil(height / 16) * ceil(width / 16), dense)
        hidden = activate([*halving, nn.Flatten(), flat], _relu)
        return Layers(*hidden, nn.Linear(dense, n_outputs))

    def decoder(self, n_inputs: int, image_shape: Sequence[int]) -> nn.Module:
        channels, height, width = image_shape
        narrow, wide, dense = (self._units(n) for n in (32, 64, 256))
        start = (wide, ceil(height / 16), ceil(width / 16))
        dense_layers = (nn.Linear(n_inputs, dense), nn.Linear(dense, prod(start)))
        sizes = pairwise((wide, wide, narrow, narrow, channels))
        *doubling, last = (nn.ConvTranspose2d(*size, 4, stride=2, padding=1) for size in sizes)
        hidden = activate([*dense_layers, nn.Unflatten(1, start), *doubling], _relu)
        return Layers(*hidden, last, Crop(height, width))

    def _units(self, n: int) -> int:
        return max(1, round(n * self.width))


def _relu() -> nn.Module:
    return nn.ReLU(inplace=True)
