"""What a decoder draws when one or two latent units move and the others stay."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from gordium.geometry.jacobian import Decoder


def traversals(
    decoder: Decoder, z: Tensor, values: ArrayLike, *, units: Sequence[int] | None = None
) -> NDArray[Any]:
    """From one point z (d,): unit after unit takes the values; (units, values, ...) images."""
    chosen = range(len(z)) if units is None else units
    steps = _steps(values, z)
    rows = []
    for unit in chosen:
        points = _point(z).repeat(len(steps), 1)
        points[:, unit] = steps
        rows.append(_decoded(decoder, points))
    return np.stack(rows)


def plane_traversal(
    decoder: Decoder, z: Tensor, values: ArrayLike, *, units: tuple[int, int]
) -> NDArray[Any]:
    """Two units take all pairs of values: (values of the first, values of the second, ...)."""
    if units[0] == units[1]:
        raise ValueError(f"two different units span a plane; got {units}.")
    steps = _steps(values, z)
    rows = []
    for step in steps:
        points = _point(z).repeat(len(steps), 1)
        points[:, units[0]], points[:, units[1]] = step, steps
        rows.append(_decoded(decoder, points))
    return np.stack(rows)


def _point(z: Tensor) -> Tensor:
    if z.ndim != 1:
        raise ValueError(f"z must be one latent point (d,); got {tuple(z.shape)}.")
    return z.detach()


def _steps(values: ArrayLike, z: Tensor) -> Tensor:
    return torch.as_tensor(np.asarray(values), dtype=z.dtype, device=z.device)


@torch.no_grad()
def _decoded(decoder: Decoder, points: Tensor) -> NDArray[Any]:
    return decoder(points).cpu().numpy()
