"""Our own layers, which the architectures are made of."""

from collections.abc import Callable, Iterable, Iterator
from math import ceil

from torch import Tensor, nn
from torch.nn import functional as F


class HalvingConv(nn.Conv2d):
    """A convolution of stride 2 whose output is half its input's size, rounded up.

    Padding is what "same" means in the large study: the odd row, if any, goes to the far side.
    """

    def __init__(self, channels: int, filters: int, kernel: int) -> None:
        super().__init__(channels, filters, kernel, stride=2)

    def forward(self, x: Tensor) -> Tensor:
        height, width = (same_padding(n, self.kernel_size[0]) for n in x.shape[-2:])
        if height[0] == height[1] and width[0] == width[1]:
            padding = (height[0], width[0])
            return F.conv2d(x, self.weight, self.bias, stride=2, padding=padding)
        return F.conv2d(F.pad(x, (*width, *height)), self.weight, self.bias, stride=2)


class Crop(nn.Module):
    """Cut out the upper left corner: decoders draw images of sizes that are multiples of 16."""

    def __init__(self, height: int, width: int) -> None:
        super().__init__()
        self.height, self.width = height, width

    def forward(self, x: Tensor) -> Tensor:
        return x[..., : self.height, : self.width]


def activate(layers: Iterable[nn.Module], make: Callable[[], nn.Module]) -> Iterator[nn.Module]:
    """The layers, with an activation of its own after each that has weights."""
    for layer in layers:
        yield layer
        if not isinstance(layer, nn.Flatten | nn.Unflatten):
            yield make()


def same_padding(n: int, kernel: int) -> tuple[int, int]:
    """The padding before and after `n` rows with which a stride of 2 gives ceil(n / 2) outputs."""
    missing = max(0, 2 * (ceil(n / 2) - 1) + kernel - n)
    return missing // 2, missing - missing // 2
