"""A network as a list of layers that the page's script can run, with two bytes a weight.

The script keeps images with channels last, so kernels are stored with output channels last. A
weight is a whole number of steps, whose size each output has of its own: this takes as few bytes
as half precision, and is several times more exact.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from gordium.explorer.blob import Blob, Content, Place
from gordium.networks.layers import Crop, HalvingConv

MOST_WEIGHTS = 20_000_000
STEPS = 32767


def layers_of(network: nn.Module, blob: Blob) -> list[Content]:
    """The layers in order; a layer that the page cannot run is an error that names it."""
    if not isinstance(network, nn.Sequential):
        raise ValueError(
            f"the page runs networks that are an nn.Sequential; got a {type(network).__name__}."
        )
    found: list[Content] = []
    for layer in network:
        describe = next((WRITERS[kind] for kind in WRITERS if isinstance(layer, kind)), None)
        if describe is None:
            known = ", ".join(kind.__name__ for kind in WRITERS)
            raise ValueError(
                f"the page cannot run a layer of type {type(layer).__name__}; it knows {known}."
            )
        found.append(describe(layer, blob))
    return found


def check_weights(*networks: nn.Module) -> None:
    """Refuse networks that are too large for a page."""
    n = sum(p.numel() for network in networks for p in network.parameters())
    if n > MOST_WEIGHTS:
        raise ValueError(
            f"the runs' networks have {n:,} weights together; a page holds at most "
            f"{MOST_WEIGHTS:,} (about 50 MB). Give fewer or smaller runs."
        )


def step_sizes(weight: NDArray[Any]) -> NDArray[np.float32]:
    """The size of step for each output, the last axis; 1 where all weights are 0."""
    largest = np.abs(weight).max(axis=tuple(range(weight.ndim - 1)))
    return np.where(largest > 0, largest / STEPS, 1.0).astype(np.float32)


def round_parameters(decoder: nn.Module) -> dict[str, Tensor]:
    """A network's parameters by name, with weights rounded as on the page."""
    found: dict[str, Tensor] = dict(decoder.named_parameters())
    for name, layer in decoder.named_modules():
        axis = {nn.Linear: 0, nn.Conv2d: 0, nn.ConvTranspose2d: 1}.get(type(layer))
        if axis is not None:
            last = layer.weight.detach().movedim(axis, -1)
            steps = torch.from_numpy(step_sizes(last.numpy()))
            found[f"{name}.weight"] = ((last / steps).round() * steps).movedim(-1, axis)
    return found


def _convert_linear(layer: nn.Linear, blob: Blob) -> Content:
    return {"type": "linear", **_weights(layer.weight.T, layer.bias, blob)}


def _conv(layer: nn.Conv2d, blob: Blob) -> Content:
    _check_plain(layer)
    same = isinstance(layer, HalvingConv)
    if isinstance(layer.padding, str):
        raise ValueError(f"the page knows no padding by name; got {layer.padding!r}.")
    return {
        "type": "conv",
        **_weights(layer.weight.permute(2, 3, 1, 0), layer.bias, blob),
        "stride": list(layer.stride),
        "padding": "same" if same else list(layer.padding),
    }


def _convert_transposed(layer: nn.ConvTranspose2d, blob: Blob) -> Content:
    _check_plain(layer)
    return {
        "type": "transposed",
        **_weights(layer.weight.permute(0, 2, 3, 1), layer.bias, blob),
        "stride": list(layer.stride),
        "padding": list(layer.padding),
        "extra": list(layer.output_padding),
    }


def _norm(layer: nn.BatchNorm1d | nn.BatchNorm2d, blob: Blob) -> Content:
    """Batch normalisation of a trained model is a scale and a shift of each channel."""
    if layer.running_mean is None or layer.running_var is None:
        raise ValueError("the page cannot run a batch normalisation without running statistics.")
    scale = torch.rsqrt(layer.running_var + layer.eps)
    scale = scale if layer.weight is None else scale * layer.weight
    shift = -layer.running_mean * scale
    shift = shift if layer.bias is None else shift + layer.bias
    return {"type": "affine", "scale": _put(scale, blob), "shift": _put(shift, blob)}


def _unflatten(layer: nn.Unflatten, blob: Blob) -> Content:
    if layer.dim != 1:
        raise ValueError(f"the page unflattens dimension 1 only; got {layer.dim}.")
    return {"type": "unflatten", "shape": list(layer.unflattened_size)}


def _check_plain(layer: nn.Conv2d | nn.ConvTranspose2d) -> None:
    plain = layer.groups == 1 and set(layer.dilation) == {1} and layer.padding_mode == "zeros"
    if not plain:
        raise ValueError(
            "the page runs convolutions with one group, no dilation and zeros as padding; "
            f"got {layer}."
        )


def _weights(weight: Tensor, bias: Tensor | None, blob: Blob) -> Content:
    """The weights, with outputs last, and the bias of each output."""
    array = _numbers(weight)
    steps = step_sizes(array)
    return {
        "weight": blob.put(np.rint(array / steps), "i2"),
        "steps": blob.put(steps, "f4"),
        "bias": _put(torch.zeros(len(steps)) if bias is None else bias, blob),
    }


def _put(values: Tensor, blob: Blob) -> Place:
    return blob.put(_numbers(values), "f4")


def _numbers(values: Tensor) -> NDArray[np.float32]:
    array: NDArray[np.float32] = values.detach().cpu().float().numpy()
    if not np.isfinite(array).all():
        raise ValueError("a network's weights are not finite: its training has failed.")
    return array


def _convert_plain(name: str) -> Callable[[Any, Blob], Content]:
    return lambda layer, blob: {"type": name}


WRITERS: dict[type[nn.Module], Callable[[Any, Blob], Content]] = {
    nn.Linear: _convert_linear,
    nn.Conv2d: _conv,
    nn.ConvTranspose2d: _convert_transposed,
    nn.BatchNorm1d: _norm,
    nn.BatchNorm2d: _norm,
    nn.ReLU: _convert_plain("relu"),
    nn.LeakyReLU: lambda layer, blob: {"type": "leaky", "slope": layer.negative_slope},
    nn.Tanh: _convert_plain("tanh"),
    nn.Sigmoid: _convert_plain("sigmoid"),
    nn.Flatten: _convert_plain("flatten"),
    nn.Unflatten: _unflatten,
    nn.Identity: _convert_plain("identity"),
    Crop: lambda layer, blob: {"type": "crop", "height": layer.height, "width": layer.width},
}
