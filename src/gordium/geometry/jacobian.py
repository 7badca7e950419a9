"""Jacobians of decoders, by forward mode: as many derivatives as latents, however many pixels."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor
from torch.func import jvp, vmap

Decoder = Callable[[Tensor], Tensor]

CHUNK = 16


def jacobian(decoder: Decoder, z: Tensor, *, chunk: int = CHUNK) -> Tensor:
    """d decoder / d z at each row of z (n, d): (n, ..., d), pixels in the decoder's shape.

    The decoder must treat rows one by one: a batch norm in training mode does not. Of `chunk`
    points at a time the network's activations are held, d + 1 times.
    """
    found: Tensor | None = None
    for start, part in _parts(decoder, z, chunk):
        if found is None:
            found = part.new_empty(len(z), *part.shape[1:])
        found[start : start + len(part)] = part
    assert found is not None
    return found


def gram_matrices(decoder: Decoder, z: Tensor, *, chunk: int = CHUNK) -> Tensor:
    """J^T J at each row of z, in double precision: (n, d, d); no Jacobian is kept."""
    grams = []
    for _, part in _parts(decoder, z, chunk):
        rows = part.flatten(1, -2).double()
        grams.append(rows.mT @ rows)
    return torch.cat(grams)


@torch.no_grad()
def _parts(decoder: Decoder, z: Tensor, chunk: int) -> Iterator[tuple[int, Tensor]]:
    if z.ndim != 2 or 0 in z.shape:
        raise ValueError(f"z must be (n, d), one latent point a row; got {tuple(z.shape)}.")
    if not z.is_floating_point():
        raise TypeError(f"z must hold real numbers; got {z.dtype}.")
    if chunk < 1:
        raise ValueError(f"chunk must be at least 1; got {chunk}.")
    for start in range(0, len(z), chunk):
        yield start, _columns(decoder, z[start : start + chunk])


def _columns(decoder: Decoder, z: Tensor) -> Tensor:
    """All d directional derivatives along the axes, in one pass; the images are decoded once."""
    axes = torch.eye(z.shape[1], dtype=z.dtype, device=z.device)
    directions = axes[:, None, :].expand(-1, *z.shape)

    def derivative(direction: Tensor) -> Tensor:
        return jvp(decoder, (z,), (direction,))[1]

    return vmap(derivative)(directions).movedim(0, -1)
