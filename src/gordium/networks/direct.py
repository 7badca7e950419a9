"""Convolutions on direct kernels, for images that are innermost in memory.

Tensors are (n, c, h, w) as everywhere; in memory the order is rows, columns, channels, images.
Consecutive convolutions with their activations are one node of the graph. Device, type and sizes
alone decide whether they take this path. Second derivatives are PyTorch's.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.autograd import forward_ad
from torch.nn import functional as F

from gordium.networks import _calls as calls
from gordium.networks._calls import Convolution, Size, images_inside
from gordium.networks._native import kernels
from gordium.networks.layers import Crop, HalvingConv, same_padding


class Layers(nn.Sequential):
    """A sequence of layers whose convolutions run on the direct kernels where possible."""

    def forward(self, x: Tensor) -> Tensor:
        layers, i = list(self), 0
        while i < len(layers):
            found = plan(layers[i:], x) if isinstance(layers[i], CONVOLUTIONS) else None
            if found is None:
                x = layers[i](x)
                i += 1
            else:
                convolutions, tensors, n_layers = found
                x = _Convolutions.apply(x, convolutions, *tensors)  # type: ignore[no-untyped-call]
                i += n_layers
        return x


CONVOLUTIONS = (nn.Conv2d, nn.ConvTranspose2d)
# Convolutions, their weights and biases in turn, and the number of layers that they stand for.
Plan = tuple[tuple[Convolution, ...], list[Any], int]


_allowed: ContextVar[bool] = ContextVar("allowed", default=True)


@contextmanager
def use_pytorch_alone() -> Iterator[None]:
    """Use PyTorch's kernels in the block, for numbers that must not depend on a compiler."""
    before = _allowed.set(False)
    try:
        yield
    finally:
        _allowed.reset(before)


def is_pytorch_alone() -> bool:
    """Whether the direct kernels are switched off here by `use_pytorch_alone`."""
    return not _allowed.get()


def takes(x: Tensor) -> bool:
    """Whether the direct kernels can take this tensor: float32 on the CPU, not traced."""
    if torch.compiler.is_compiling() or torch.is_autocast_enabled("cpu"):
        return False
    is_fit = _allowed.get() and _is_float(x) and _is_plain(x)
    return is_fit and kernels().library is not None


def has_direct_layers(network: nn.Module) -> bool:
    """Whether a network has a convolution that the direct kernels take, in images that are large.

    Weights are not looked at, since some are computed anew at each look.
    """
    parts = (part for part in network.modules() if isinstance(part, Layers))
    return any(describe(layer, (256, 256)) is not None for part in parts for layer in part)


def takes_batch(n: int) -> bool:
    """Whether `n` images fill whole vectors of the kernels."""
    return n > 0 and n % calls.IMAGES == 0


def lay_out(x: Tensor) -> Tensor:
    """Images in the memory layout of a network's output here; gradients pass through."""
    return images_inside(x) if x.ndim == 4 and takes_batch(len(x)) and takes(x) else x


def _is_plain(x: Tensor) -> bool:
    """Whether x is not traced, vmapped or in forward mode, which need PyTorch's operations."""
    return (
        type(x) in (Tensor, nn.Parameter)
        and torch._C._functorch.peek_interpreter_stack() is None
        and forward_ad._current_level < 0
        and torch._C._get_tracing_state() is None
    )


def plan(layers: Sequence[nn.Module], x: Tensor) -> Plan | None:
    """The convolutions that the layers begin with, and their activations; None if none are."""
    if x.ndim != 4 or not takes_batch(len(x)) or not takes(x):
        return None
    size: Size = (x.shape[2], x.shape[3])
    found: list[Convolution] = []
    tensors: list[Any] = []
    i, channels = 0, x.shape[1]
    while i < len(layers) and (one := describe(layers[i], size)) is not None:
        layer: Any = layers[i]
        weight, bias = layer.weight, layer.bias
        if layer.in_channels != channels or not _has_usual_tensors(layer, weight, bias):
            break
        i, channels = i + 1, layer.out_channels
        after = layers[i] if i < len(layers) and not is_hooked(layers[i]) else None
        if isinstance(after, nn.ReLU) or (
            isinstance(after, nn.LeakyReLU) and after.negative_slope >= 0
        ):
            one = one._replace(slope=getattr(after, "negative_slope", 0.0))
            i += 1
        elif isinstance(after, Crop):
            one = one._replace(to=(min(after.height, one.to[0]), min(after.width, one.to[1])))
            i += 1
        found.append(one)
        tensors += [weight, bias]
        size = one.to
    return (tuple(found), tensors, i) if found else None


def push(found: Plan, x: Tensor, slopes: Tensor) -> tuple[Tensor, Tensor]:
    """Push x and its derivatives (d, n, ...) through the convolutions, without a graph.

    A derivative goes through the same convolutions without their biases, and is scaled by the
    activation's slope at the values. Each goes through all layers while it is in the cache.
    """
    steps, tensors, _ = found
    weights, values = tensors[::2], [images_inside(x)]
    for step, weight, bias in zip(steps, weights, tensors[1::2], strict=True):
        values.append(calls.convolve(step, values[-1], weight, bias))
    pushed = slopes.new_empty(len(x), len(slopes), *values[-1].shape[1:])
    for k, start in enumerate(slopes):
        here = images_inside(start)
        for step, weight, value in zip(steps, weights, values[1:], strict=True):
            here = calls.convolve(step, here, weight, None, value)
        calls.take_out(here, pushed[:, k])
    return values[-1].contiguous(), pushed.transpose(0, 1)


def as_floats(images: NDArray[Any], encoder: nn.Module) -> Tensor | None:
    """A batch of bytes as floats in [0, 1], laid out for the direct kernels.

    None if the encoder does not begin on them.
    """
    begins = isinstance(encoder, Layers) and isinstance(next(iter(encoder), None), CONVOLUTIONS)
    if not begins or not takes_batch(len(images)) or images.dtype != np.uint8:
        return None
    if is_pytorch_alone() or kernels().library is None:
        return None
    return calls.floats(np.ascontiguousarray(images))


def is_dense(x: Tensor) -> bool:
    """Whether the elements of x fill one block of memory, in any order."""
    return torch.empty_like(x, device="meta").stride() == x.stride()


def _is_float(x: Tensor) -> bool:
    return x.device.type == "cpu" and x.dtype == torch.float32


def _has_usual_tensors(layer: Any, weight: Tensor, bias: Tensor | None) -> bool:
    """Whether weight and bias are floats of the sizes that the layer states, the bias dense."""
    ends = (layer.out_channels, layer.in_channels)
    if isinstance(layer, nn.ConvTranspose2d):
        ends = ends[::-1]
    fits = _is_float(weight) and weight.shape == (*ends, *layer.kernel_size)
    if bias is None:
        return fits
    is_one_line = bias.shape == (layer.out_channels,) and bias.is_contiguous()
    return fits and is_one_line and _is_float(bias)


def describe(layer: nn.Module, size: Size) -> Convolution | None:
    """The layer as a convolution of images of that size; None if the kernels do not know it."""
    if not isinstance(layer, CONVOLUTIONS) or is_hooked(layer) or layer.padding_mode != "zeros":
        return None
    if (layer.groups, layer.dilation) != (1, (1, 1)):
        return None
    kernel, stride = _agree(layer.kernel_size), _agree(layer.stride)
    sides = [_side(layer, n, more) for n, more in zip(size, layer.output_padding, strict=True)]
    if kernel is None or stride is None or None in sides:
        return None
    (height, padding), (width, other) = (side for side in sides if side is not None)
    if padding != other or padding >= kernel or min(height, width) < 1:
        return None
    up = isinstance(layer, nn.ConvTranspose2d)
    return Convolution(up, kernel, stride, padding, size, (height, width))


def _side(layer: nn.Conv2d | nn.ConvTranspose2d, n: int, more: int) -> tuple[int, int] | None:
    """How long a side of n pixels becomes, and the padding before it; None for other layers."""
    kernel, stride, padding = layer.kernel_size[0], layer.stride[0], _agree(layer.padding)
    forward: Any = type(layer).forward
    if forward is HalvingConv.forward:
        return -(-n // 2), same_padding(n, kernel)[0]
    if padding is None or forward not in (nn.Conv2d.forward, nn.ConvTranspose2d.forward):
        return None
    if forward is nn.Conv2d.forward:
        return (n + 2 * padding - kernel) // stride + 1, padding
    return (n - 1) * stride - 2 * padding + kernel + more, padding


def _agree(values: Any) -> int | None:
    """The one number that a tuple repeats; None if its numbers differ."""
    return values[0] if isinstance(values, tuple) and len(set(values)) == 1 else None


def is_hooked(module: nn.Module) -> bool:
    """Whether the module has hooks, which the direct kernels would not call."""
    hooks = (module._forward_hooks, module._forward_pre_hooks, module._backward_hooks)
    return any(hooks) or bool(module._backward_pre_hooks)


class _Convolutions(torch.autograd.Function):
    """Consecutive convolutions; the tensors are weights and biases in turn."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, steps: tuple[Convolution, ...], *tensors: Tensor) -> Tensor:
        values = [images_inside(x)]
        for step, weight, bias in zip(steps, tensors[::2], tensors[1::2], strict=True):
            values.append(calls.convolve(step, values[-1], weight, bias))
        ctx.steps, ctx.values = steps, values[:-1]
        ctx.save_for_backward(x, values[-1], *tensors)
        return values[-1]

    @staticmethod
    def backward(ctx: Any, *outer: Tensor) -> Any:
        x, out, *tensors = ctx.saved_tensors
        (gradient,) = outer
        if torch.is_grad_enabled():
            return _differentiate(ctx, x, tensors, gradient)
        slope = ctx.steps[-1].slope
        if slope != 1:
            gradient = torch.ops.aten.leaky_relu_backward(gradient, out, slope, True)
        gradient = images_inside(gradient)
        needed = [ctx.needs_input_grad[0], *ctx.needs_input_grad[2:]]
        found: list[Tensor | None] = []
        for k in range(len(ctx.steps) - 1, -1, -1):
            step, value, weight = ctx.steps[k], ctx.values[k], tensors[2 * k]
            of_bias = calls.channel_sums(gradient) if needed[2 * k + 2] else None
            of_weight = calls.weigh(step, gradient, weight, value) if needed[2 * k + 1] else None
            found = [of_weight, of_bias, *found]
            if any(needed[: 2 * k + 1]):
                before = ctx.steps[k - 1].slope if k else 1.0
                gradient = calls.backward(step, gradient, weight, value, before)
        return gradient if needed[0] else None, None, *found


def _differentiate(ctx: Any, x: Tensor, tensors: list[Tensor], gradient: Tensor) -> Any:
    """The gradients by PyTorch's operations, which can be differentiated again."""
    value = x
    for step, weight, bias in zip(ctx.steps, tensors[::2], tensors[1::2], strict=True):
        value = run_by_pytorch(step, value, weight, bias)
    inputs = [x, *tensors]
    wanted = [i for i, t in enumerate(inputs) if t is not None and t.requires_grad]
    parts = torch.autograd.grad(value, [inputs[i] for i in wanted], gradient, create_graph=True)
    found = dict(zip(wanted, parts, strict=True))
    return found.get(0), None, *(found.get(i + 1) for i in range(len(tensors)))


def run_by_pytorch(step: Convolution, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """Do `step` by PyTorch's operations."""
    height, width = step.to
    if step.up:
        drawn = [(n - 1) * step.stride - 2 * step.padding + step.kernel for n in step.size]
        more = [max(0, to - n) for to, n in zip(step.to, drawn, strict=True)]
        y = F.conv_transpose2d(x, weight, bias, step.stride, step.padding, more)
        y = y[..., :height, :width]
    else:
        seen = [(to - 1) * step.stride + step.kernel - step.padding for to in step.to]
        after = [n - size for n, size in zip(seen, step.size, strict=True)]
        p = step.padding
        y = F.conv2d(F.pad(x, (p, after[1], p, after[0])), weight, bias, step.stride)
    return y if step.slope == 1 else F.leaky_relu(y, step.slope)
