"""Whatever a user encodes images with, as one function from images to codes."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from gordium.networks import Autoencoder
from gordium.training.machine import pick_device
from gordium.training.pixels import as_floats

Codes = NDArray[Any]
# From images (n, c, h, w), uint8 or float, to codes (n, d) and, if there are any, log-variances.
Encode = Callable[[NDArray[Any]], tuple[Codes, Codes | None]]

WANTED = (
    "Give a run, a model, a torch.nn.Module, a fitted scikit-learn transformer, or a function "
    "from float32 images (n, c, h, w) to codes (n, d), or to a pair of codes and log-variances."
)


def as_encoder(encoder: Any, *, device: str | None = None) -> Encode:
    """Turn `encoder` into a function from arrays of images to codes and log-variances.

    A run or a model of ours gives its posterior. A `torch.nn.Module` gets a tensor of floats in
    [0, 1] on its own device, in evaluation mode; an object with `transform` gets the images as
    rows; any other callable gets float32 arrays (n, c, h, w). Each returns codes, or a pair of
    codes and log-variances. If `device` is given, a copy of the network computes there.
    """
    model = getattr(encoder, "model", None)  # a run
    found = model if isinstance(model, nn.Module) else encoder
    if isinstance(found, type):
        raise TypeError(
            f"{found.__name__} is a class: give an instance of it, {found.__name__}(...). {WANTED}"
        )
    if isinstance(found, nn.Module):
        return _module(found if device is None else deepcopy(found).to(pick_device(device)))
    if device is not None:
        raise ValueError(
            f"{_describe_value(found)} chooses its own device: give `device` for PyTorch "
            "networks only."
        )
    if callable(getattr(found, "transform", None)):
        return lambda images: _check_codes(found.transform(as_rows(images)), len(images))
    if callable(found):
        return lambda images: _check_codes(found(scale_images(images)), len(images))
    raise TypeError(f"{_describe_value(found)} encodes nothing. {WANTED}")


def scale_images(images: NDArray[Any]) -> NDArray[np.float32]:
    """Scale uint8 images to floats in [0, 1]; vectors of real numbers stay as they are."""
    floats: NDArray[np.float32] = images.astype(np.float32)
    return floats / np.float32(255) if images.dtype == np.uint8 else floats


def as_rows(images: NDArray[Any]) -> NDArray[np.float32]:
    """Flatten images to rows of floats, as scikit-learn expects them."""
    return scale_images(images).reshape(len(images), -1)


def _module(module: nn.Module) -> Encode:
    device = next((p.device for p in module.parameters()), torch.device("cpu"))
    function = module.encode if isinstance(module, Autoencoder) else module

    @torch.no_grad()
    def encode(images: NDArray[Any]) -> tuple[Codes, Codes | None]:
        was_training = module.training
        try:
            module.eval()
            return _check_codes(function(as_floats(images, device)), len(images))
        finally:
            module.train(was_training)

    return encode


def _check_codes(found: Any, n: int) -> tuple[Codes, Codes | None]:
    """Refuse what is not codes, or codes and log-variances, with one row for each image."""
    pair = found[:2] if isinstance(found, tuple | list) else (found,)
    arrays = [_array(part) for part in pair]
    for array in arrays:
        if array.ndim != 2 or len(array) != n or array.dtype.kind != "f":
            raise ValueError(
                f"the encoder must give real codes ({n}, d) for {n} images, or a pair of codes "
                f"and log-variances; it gave {array.dtype} {array.shape}. Flatten what it gives."
            )
    if len(arrays) == 2 and arrays[0].shape != arrays[1].shape:
        raise ValueError(
            "codes and log-variances must have one shape; the encoder gave "
            f"{arrays[0].shape} and {arrays[1].shape}."
        )
    return arrays[0], arrays[1] if len(arrays) == 2 else None


def _array(values: Any) -> NDArray[Any]:
    if isinstance(values, torch.Tensor):
        return values.detach().cpu().numpy()
    found = np.asarray(values)
    return found.astype(np.float64) if found.dtype.kind in "iu" else found


def _describe_value(value: Any) -> str:
    return repr(value) if isinstance(value, str) else f"a {type(value).__name__}"
