"""Pushing derivatives through known layers: all d of all points are one batch of images."""

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from gordium.networks import Autoencoder, direct
from gordium.networks.direct import Layers
from gordium.networks.layers import Crop
from gordium.networks.likelihoods import pass_through

Layer = Callable[[Tensor], Tensor]

FEW = 8  # oneDNN pads fewer output channels up to this number


def list_layers(decoder: Layer) -> list[Layer] | None:
    """The layers of a model's `decode` or of a sequence of layers; None if some is unknown."""
    network: Any = decoder
    last: list[Layer] = []
    if getattr(decoder, "__func__", None) is Autoencoder.decode:
        model: Autoencoder = decoder.__self__  # type: ignore[attr-defined]
        network, last = model.decoder, [model.likelihood.mean]
    if type(network) not in (nn.Sequential, Layers) or direct.is_hooked(network):
        return None
    layers = [*network, *last]
    return layers if all(_is_known(layer) for layer in layers) else None


def push(layers: Sequence[Layer], z: Tensor) -> Tensor:
    """The derivatives (n, d, ...) along all d axes at each row of z (n, d).

    A linear layer acts on derivatives as on values, but without its bias; a pointwise one
    multiplies them by its slope. Convolutions use the direct kernels where these can.
    """
    n, d = z.shape
    axes = torch.eye(d, dtype=z.dtype, device=z.device)
    x, slopes, i = z.clone(), axes[:, None].repeat(1, n, 1), 0
    while i < len(layers):
        layer, width = layers[i], 1
        if isinstance(layer, nn.Linear):
            x, slopes = layer(x), F.linear(slopes, layer.weight)
        elif (slope := POINTWISE.get(_key(layer))) is not None:
            x = layer(x)
            slopes = slopes.mul_(slope(x))
        elif isinstance(layer, nn.ConvTranspose2d) and (found := _plan(layers[i:], x)):
            x, slopes = direct.push(found, x, slopes)
            *_, width = found
        elif isinstance(layer, nn.ConvTranspose2d):
            x = convolve_transposed(layer, x, layer.bias)
            slopes = convolve_transposed(layer, slopes.flatten(0, 1), None).unflatten(0, (d, n))
        else:
            x, slopes = layer(x), layer(slopes.flatten(0, 1)).unflatten(0, (d, n))
        i += width
    return slopes.transpose(0, 1)


def convolve_transposed(layer: nn.ConvTranspose2d, x: Tensor, bias: Tensor | None) -> Tensor:
    """Apply the layer with this bias; with few output channels, by an equivalent convolution.

    With kernel 4, stride 2 and padding 1, pixels 2m - 1 and 2m of a line see the inputs m - 1 and m
    and no others. So a 2 x 2 convolution computes them all at once, as four times as many
    channels. This is faster, since oneDNN pads few channels with others that it throws away.
    """
    x = x.contiguous(memory_format=torch.channels_last)  # faster for any layout of the weights
    sizes: Any = (layer.stride, layer.padding, layer.output_padding, layer.groups, layer.dilation)
    doubles = (layer.kernel_size, *sizes) == ((4, 4), (2, 2), (1, 1), (0, 0), 1, (1, 1))
    if not (doubles and layer.out_channels < FEW and x.device.type == "cpu"):
        return F.conv_transpose2d(x, layer.weight, bias, *sizes)
    taps = torch.tensor([[2, 0], [3, 1]])  # of the first and the second pixel, for m - 1 and m
    kernel = layer.weight[:, :, taps][:, :, :, :, taps].permute(2, 4, 1, 0, 3, 5).flatten(0, 2)
    kernel = kernel.contiguous(memory_format=torch.channels_last)
    blocks = F.conv2d(x, kernel, None if bias is None else bias.repeat(4), padding=1)
    blocks = blocks.movedim(1, -1).unflatten(-1, (2, 2, -1))  # (n, rows, columns, 2, 2, channels)
    pixels = blocks.transpose(2, 3).flatten(3, 4).flatten(1, 2)  # much faster than pixel_shuffle
    return pixels.movedim(-1, 1)[..., 1:-1, 1:-1]


def _plan(layers: Sequence[Layer], x: Tensor) -> direct.Plan | None:
    modules = takewhile(lambda layer: isinstance(layer, nn.Module), layers)
    return direct.plan(cast(list[nn.Module], list(modules)), x)


def _is_known(layer: Layer) -> bool:
    if isinstance(layer, nn.Unflatten):
        return isinstance(layer.dim, int) and layer.dim > 0
    known = {nn.Linear, nn.ConvTranspose2d, Crop, pass_through, *POINTWISE}
    return _key(layer) in known and not (isinstance(layer, nn.Module) and direct.is_hooked(layer))


def _key(layer: Layer) -> Any:
    """A module's exact type, as subclasses may behave differently; a function itself."""
    return type(layer) if isinstance(layer, nn.Module) else layer


# The slopes of pointwise layers, as functions of their outputs.
POINTWISE: dict[Any, Layer] = {
    nn.ReLU: lambda y: (y > 0).to(y.dtype),
    nn.Tanh: lambda y: 1 - y * y,
    nn.Sigmoid: lambda y: y * (1 - y),
    torch.sigmoid: lambda y: y * (1 - y),
}
