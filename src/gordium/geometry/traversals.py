"""Images that a decoder draws while one or two latent units move and the others stay."""

from collections.abc import Mapping, Sequence
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
    steps = np.asarray(values)
    chosen = range(len(z)) if units is None else units
    return np.stack([_decode_moved(decoder, z, {unit: steps}) for unit in chosen])


def plane_traversal(
    decoder: AnyDecoder, z: Points, values: ArrayLike, *, units: tuple[int, int]
) -> NDArray[Any]:
    """Let two units take all pairs of values: images (first's values, second's values, ...)."""
    if units[0] == units[1]:
        raise ValueError(f"two different units span a plane; got {units}.")
    first, second = units
    steps = np.asarray(values)
    moves = [{first: np.full_like(steps, step), second: steps} for step in steps]
    return np.stack([_decode_moved(decoder, z, move) for move in moves])


@torch.no_grad()
def _decode_moved(decoder: Any, z: Points, moves: Mapping[int, NDArray[Any]]) -> NDArray[Any]:
    """Images of the point z after some units are moved to given values, a row for each value.

    The decoder is given what z is, a tensor or a NumPy array.
    """
    if z.ndim != 1:
        raise ValueError(f"z must be one latent point (d,); got {tuple(z.shape)}.")
    n_values = len(next(iter(moves.values())))
    points = torch.as_tensor(z).detach().repeat(n_values, 1)
    for unit, values in moves.items():
        points[:, unit] = torch.as_tensor(values, dtype=points.dtype, device=points.device)
    return decoder(points).cpu().numpy() if isinstance(z, Tensor) else decoder(points.numpy())
