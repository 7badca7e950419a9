"""Jacobians of decoders by forward mode: one derivative per latent, however many pixels.

If the points z are a tensor, so are the decoder's images. If they are a NumPy array, the decoder
is a function of NumPy arrays, whose derivatives are central differences (see `numeric`).
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, overload

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor
from torch.func import jvp, vmap

from gordium.arrays import Floats
from gordium.geometry.layers import list_layers, push
from gordium.geometry.numeric import NumpyDecoder, difference_columns

Decoder = Callable[[Tensor], Tensor]
AnyDecoder = Decoder | NumpyDecoder
Points = Tensor | NDArray[Any]

CHUNK = 32


@overload
def jacobian(decoder: Decoder, z: Tensor, *, chunk: int = CHUNK) -> Tensor: ...
@overload
def jacobian(decoder: NumpyDecoder, z: NDArray[Any], *, chunk: int = CHUNK) -> Floats: ...
def jacobian(decoder: Any, z: Points, *, chunk: int = CHUNK) -> Points:
    """d decoder / d z at each row of z (n, d): (n, ..., d), pixels in the decoder's shape.

    The decoder must treat rows independently, which a batch norm in training mode does not. Its
    activations are held in memory d + 1 times for `chunk` points at a time. Any function will do;
    a model's `decode` and a plain sequence of layers are faster (see `layers`). If z is a NumPy
    array, the decoder is a function of such arrays, and the result is one too.
    """
    found: Tensor | None = None
    start = 0
    for part in _parts(decoder, z, chunk):
        if found is None:
            found = part.new_empty(len(z), *part.shape[1:])
        found[start : start + len(part)] = part
        start += len(part)
    assert found is not None
    whole = found.movedim(1, -1)
    return whole if isinstance(z, Tensor) else whole.numpy()


def gram_matrices(decoder: AnyDecoder, z: Points, *, chunk: int = CHUNK) -> Tensor:
    """J^T J at each row of z, in double precision: (n, d, d); Jacobians are not kept."""
    grams = []
    for part in _parts(decoder, z, chunk):
        columns = part.flatten(2).double()
        grams.append(columns @ columns.mT)
    return torch.cat(grams)


@torch.no_grad()
def _parts(decoder: Any, z: Points, chunk: int) -> Iterator[Tensor]:
    """The derivatives (m, d, ...) at `chunk` points at a time."""
    check_points(z)
    if not callable(decoder):
        raise TypeError(
            "the decoder must be a function of latent points, e.g. run.model.decode; got a "
            f"{type(decoder).__name__}."
        )
    is_module = isinstance(getattr(decoder, "__self__", decoder), torch.nn.Module)
    if is_module and not isinstance(z, Tensor):
        raise TypeError(
            "z is a NumPy array, but the decoder is a module of PyTorch, which takes tensors: give "
            "torch.from_numpy(z), in the dtype and on the device of its weights."
        )
    if not isinstance(chunk, int) or chunk < 1:
        raise ValueError(f"chunk must be at least 1; got {chunk!r}.")
    if not isinstance(z, Tensor):
        yield from map(torch.from_numpy, difference_columns(decoder, z.astype(np.float64), chunk))
        return
    layers = list_layers(decoder)
    for start in range(0, len(z), chunk):
        rows = z[start : start + chunk]
        yield _columns(decoder, rows) if layers is None else push(layers, rows)


def check_points(z: Any) -> None:
    """Refuse latent points that are not a tensor or NumPy array (n, d) of real numbers."""
    if not isinstance(z, Tensor | np.ndarray):
        raise TypeError(f"z must be a tensor or a NumPy array (n, d); got {type(z).__name__}.")
    if z.ndim != 2 or 0 in z.shape:
        raise ValueError(f"z must be (n, d), one latent point a row; got {tuple(z.shape)}.")
    is_real = z.is_floating_point() if isinstance(z, Tensor) else z.dtype.kind == "f"
    if not is_real:
        raise TypeError(f"z must hold real numbers; got {z.dtype}.")


def _columns(decoder: Decoder, z: Tensor) -> Tensor:
    """The derivatives along all d axes (n, d, ...); the images are decoded once."""
    axes = torch.eye(z.shape[1], dtype=z.dtype, device=z.device)
    directions = axes[:, None, :].expand(-1, *z.shape)

    def derivative(direction: Tensor) -> Tensor:
        return jvp(decoder, (z,), (direction,))[1]

    return vmap(derivative)(directions).transpose(0, 1)


class ColumnPictures(NamedTuple):
    """`pictures` (n, d, h, w, c) in [-1, 1], and `scales` (n,), the change that 1 stands for.

    All units of a point share its scale, so that weak ones look weak.
    """

    pictures: Floats
    scales: Floats


def column_pictures(jacobians: ArrayLike) -> ColumnPictures:
    """Pictures of the columns of image Jacobians (n, c, h, w, d)."""
    j: NDArray[Any] = np.asarray(jacobians, dtype=np.float64)
    if j.ndim != 5:
        raise ValueError(f"Jacobians of images must be (n, c, h, w, d); got {j.shape}.")
    scales = np.abs(j).max(axis=(1, 2, 3, 4))
    shown = j.transpose(0, 4, 2, 3, 1) / np.where(scales > 0, scales, 1)[:, None, None, None, None]
    return ColumnPictures(shown, scales)
