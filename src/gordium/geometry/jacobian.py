"""Jacobians of decoders, by forward mode: as many derivatives as latents, however many pixels."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor
from torch.func import jvp, vmap

from gordium.geometry.layers import known_layers, push

Decoder = Callable[[Tensor], Tensor]

CHUNK = 16


def jacobian(decoder: Decoder, z: Tensor, *, chunk: int = CHUNK) -> Tensor:
    """d decoder / d z at each row of z (n, d): (n, ..., d), pixels in the decoder's shape.

    The decoder must treat rows one by one: a batch norm in training mode does not. Of `chunk`
    points at a time the network's activations are held, d + 1 times. Any function will do; a
    model's `decode` and a plain sequence of layers are faster (see `layers`).
    """
    found: Tensor | None = None
    for start, part in _parts(decoder, z, chunk):
        if found is None:
            found = part.new_empty(len(z), *part.shape[1:])
        found[start : start + len(part)] = part
    assert found is not None
    return found.movedim(1, -1)


def gram_matrices(decoder: Decoder, z: Tensor, *, chunk: int = CHUNK) -> Tensor:
    """J^T J at each row of z, in double precision: (n, d, d); no Jacobian is kept."""
    grams = []
    for _, part in _parts(decoder, z, chunk):
        columns = part.flatten(2).double()
        grams.append(columns @ columns.mT)
    return torch.cat(grams)


@torch.no_grad()
def _parts(decoder: Decoder, z: Tensor, chunk: int) -> Iterator[tuple[int, Tensor]]:
    if z.ndim != 2 or 0 in z.shape:
        raise ValueError(f"z must be (n, d), one latent point a row; got {tuple(z.shape)}.")
    if not z.is_floating_point():
        raise TypeError(f"z must hold real numbers; got {z.dtype}.")
    if chunk < 1:
        raise ValueError(f"chunk must be at least 1; got {chunk}.")
    layers = known_layers(decoder)
    for start in range(0, len(z), chunk):
        rows = z[start : start + chunk]
        yield start, _columns(decoder, rows) if layers is None else push(layers, rows)


def _columns(decoder: Decoder, z: Tensor) -> Tensor:
    """All d directional derivatives along the axes (n, d, ...); the images are decoded once."""
    axes = torch.eye(z.shape[1], dtype=z.dtype, device=z.device)
    directions = axes[:, None, :].expand(-1, *z.shape)

    def derivative(direction: Tensor) -> Tensor:
        return jvp(decoder, (z,), (direction,))[1]

    return vmap(derivative)(directions).transpose(0, 1)
