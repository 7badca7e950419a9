"""The direct kernels as functions of tensors (n, c, h, w) whose images are innermost in memory."""

import ctypes
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

import torch
from numpy.typing import NDArray
from torch import Tensor

from gordium.networks._native import Layer, kernels

IMAGES = 16  # the kernels work on whole multiples of so many images
CHANNELS = 8  # a thread computes whole multiples of so many channels of a weight's gradient
_HALF = 0.5  # by its name, so that the product is not taken when this file is compiled

Size = tuple[int, int]
Integers = tuple[int, ...]


class Convolution(NamedTuple):
    """A convolution from `size` to `to`, transposed if `up`, and its activation.

    The activation multiplies negative values by `slope`.
    """

    up: bool
    kernel: int
    stride: int
    padding: int
    size: Size
    to: Size
    slope: float = 1.0


def images_inside(x: Tensor) -> Tensor:
    """Return the same numbers with images innermost in memory; a copy only if they are not."""
    strides = _strides(x.shape)
    return x if x.stride() == strides else torch.empty_strided(x.shape, strides).copy_(x)


def floats(images: NDArray[Any]) -> Tensor:
    """Convert an array of bytes (n, c, h, w) to floats in [0, 1]."""
    n, c, h, w = images.shape
    x = _make_empty(images.shape)
    _library().floats(images.ctypes.data, x.data_ptr(), n, c, h * w)
    return x


def take_out(x: Tensor, to: Tensor) -> None:
    """Copy images that are innermost in memory to where each is one block; n is as in `IMAGES`."""
    n, c, h, w = x.shape
    _library().take_out(x.data_ptr(), to.data_ptr(), n, c, h * w, to.stride(0))


def convolve(
    step: Convolution, x: Tensor, weight: Tensor, bias: Tensor | None, mask: Tensor | None = None
) -> Tensor:
    """A layer's output; with a mask, the slope applies where the mask is not positive."""
    y = _make_empty((len(x), weight.shape[1 if step.up else 0], *step.to))
    layer = _describe(step, _sizes(x, y), weight.stride())
    start, signs = (None if t is None else t.data_ptr() for t in (bias, mask))
    pointers = (x.data_ptr(), weight.data_ptr(), start, y.data_ptr(), signs)
    _share(partial(_library().convolve, layer, *pointers), len(x), IMAGES)
    return y


def backward(
    step: Convolution, gradient: Tensor, weight: Tensor, x: Tensor, slope: float
) -> Tensor:
    """The gradient with respect to the input of the activation of that slope that gave x."""
    mirror = step._replace(up=not step.up, size=step.to, to=step.size, slope=slope)
    return convolve(mirror, gradient, weight, None, x)


def weigh(step: Convolution, gradient: Tensor, weight: Tensor, x: Tensor) -> Tensor:
    """The gradient with respect to the weight."""
    found = torch.empty_like(weight)
    small, big = (x, gradient) if step.up else (gradient, x)
    layer = _describe(step._replace(up=False), _sizes(big, small), found.stride())
    pointers = (small.data_ptr(), big.data_ptr(), found.data_ptr())
    _share(partial(_library().weigh, layer, *pointers), small.shape[1], CHANNELS)
    return found


def channel_sums(gradient: Tensor) -> Tensor:
    """The gradient with respect to the bias."""
    n, c, h, w = gradient.shape
    found = torch.empty(c)
    _library().channel_sums(gradient.data_ptr(), found.data_ptr(), h, w, c, n)
    return found


def loss(name: str, output: Tensor, x: Tensor) -> tuple[float, Tensor]:
    """A likelihood's loss and its gradient.

    `output` must be dense in memory, `x` must have the same strides, and the number of their
    elements must be a multiple of IMAGES.
    """
    gradient = torch.empty_strided(output.shape, output.stride())
    pointers = (output.data_ptr(), x.data_ptr(), gradient.data_ptr())
    total = _library().loss(name == "bernoulli", *pointers, output.numel(), 1 / len(output))
    return total / len(output), gradient


@cache
def _library() -> ctypes.CDLL:
    """The library; callers have checked that it could be loaded."""
    library = kernels().library
    assert library is not None
    return library


def _make_empty(shape: Sequence[int]) -> Tensor:
    return torch.empty_strided(tuple(shape), _strides(shape))


def _strides(shape: Sequence[int]) -> Integers:
    n, c, _, w = shape
    return 1, n, w * c * n, c * n


def _sizes(x: Tensor, y: Tensor) -> Integers:
    """Rows, columns and channels of both, and the number of images."""
    (n, c, h, w), (_, channels, height, width) = x.shape, y.shape
    return h, w, c, height, width, channels, n


@lru_cache(maxsize=256)
def _describe(step: Convolution, sizes: Integers, strides: Integers) -> Layer:
    """The convolution as the native code takes it; `strides` are those of the weight."""
    one, other, *taps = strides
    ends = (other, one) if step.up else (one, other)
    return Layer(*sizes, step.kernel, step.stride, step.padding, step.up, step.slope, *ends, *taps)


def _share(call: Callable[[int, int], None], n: int, unit: int) -> None:
    """Run `call(first, end)` over 0 to n in whole units, in as many threads as PyTorch has.

    All of them treat tiny floats as this one does: a thread keeps what held when it was started.
    """
    threads = min(torch.get_num_threads(), -(-n // unit))
    if threads == 1:
        call(0, n)
        return
    units = -(-n // unit)
    bounds = [min(n, unit * (k * units // threads)) for k in range(threads + 1)]
    flushing = is_flushing()

    def run(first: int, end: int) -> None:
        torch.set_flush_denormal(flushing)
        call(first, end)

    list(_pool(os.getpid(), threads).map(run, bounds[:-1], bounds[1:]))


def is_flushing() -> bool:
    """Whether this thread counts floats that are too small for their format as zero."""
    return _HALF * sys.float_info.min == 0.0


@cache
def _pool(process: int, threads: int) -> ThreadPoolExecutor:
    """The threads of a process, by its id: a forked child does not have its parent's threads."""
    return ThreadPoolExecutor(threads)
