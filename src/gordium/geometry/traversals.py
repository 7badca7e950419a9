"""Images that a decoder draws while one or two latent units move and the others stay."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from gordium.geometry.jacobian import AnyDecoder, Points


def traversals(
    decoder: AnyDecoder, z: Points, values: ArrayLike, *, units: Sequence[int] | None = None
) -> NDArray[Any]:
    """From one point z (d,), let unit after unit take the values: images (units, values, ...)."""
    chosen = range(len(z)) if units is None else units
    point = _point(z)
    steps = torch.as_tensor(np.asarray(values), dtype=point.dtype, device=point.device)
    rows = []
    for unit in chosen:
        points = point.repeat(len(steps), 1)
        points[:, unit] = steps
        rows.append(_decode(decoder, points, z))
    return np.stack(rows)


def plane_traversal(
    decoder: AnyDecoder, z: Points, values: ArrayLike, *, units: tuple[int, int]
) -> NDArray[Any]:
    """Let two units take all pairs of values: images (first's values, second's values, ...)."""
    if units[0] == units[1]:
        raise ValueError(f"two different units span a plane; got {units}.")
    point = _point(z)
    steps = torch.as_tensor(np.asarray(values), dtype=point.dtype, device=point.device)
    rows = []
    for step in steps:
        points = point.repeat(len(steps), 1)
        points[:, units[0]], points[:, units[1]] = step, steps
        rows.append(_decode(decoder, points, z))
    return np.stack(rows)


def _point(z: Points) -> Tensor:
    if z.ndim != 1:
        raise ValueError(f"z must be one latent point (d,); got {tuple(z.shape)}.")
    return torch.as_tensor(z).detach()


@torch.no_grad()
def _decode(decoder: Any, points: Tensor, z: Points) -> NDArray[Any]:
    """Decode the points, given to the decoder as what z is: a tensor or a NumPy array."""
    return decoder(points).cpu().numpy() if isinstance(z, Tensor) else decoder(points.numpy())
