"""dSprites: white sprites on black (Matthey et al., 2017), rasterised from their polygons."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any, final

import numpy as np

from gordium.datasets import _polygons
from gordium.datasets._official import OfficialFile, declare, packed_rows, settle, try_npz
from gordium.datasets._store import Table, kept, made
from gordium.datasets.base import Dataset, Images
from gordium.factors import Factor, Integers, factors_at
from gordium.files import cache_folder
from gordium.progress import progress

FACTORS = (
    Factor("shape", 3, "nominal"),
    Factor("scale", 6),
    Factor("orientation", 40, "circular"),
    Factor("x", 32),
    Factor("y", 32),
)
IMAGES = 3 * 6 * 40 * 32 * 32
OFFICIAL = OfficialFile(
    "dsprites_ndarray_co1sh3sc6or40x32y32_64x64.npz",
    "git blob",
    "d98996d3f8ee1550e06b9d4ed78d0beb478910d5",
    "imgs",
    (IMAGES, 64, 64),
)
VERSION = 1  # of the rasteriser: another number makes the cache anew
CHUNK = 1024  # divides IMAGES


@final
@dataclass(frozen=True)
class DSprites(Dataset):
    """737 280 images of a square, an ellipse or a heart: scale, orientation and place.

    Orientations 0 and 39 are the same angle, as published. `path` names the official file,
    which is also found in the folder GORDIUM_DATA; `source` says which images are in use.
    """

    size: int = 64
    path: str | Path | None = field(default=None, compare=False)
    verify: bool = field(default=True, compare=False)
    source: str = ""
    file: Path | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        settle(self, OFFICIAL, try_npz)

    @property
    def factors(self) -> tuple[Factor, ...]:
        return FACTORS

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (1, self.size, self.size)

    @property
    def declaration(self) -> dict[str, Any]:
        return declare("dsprites", self)

    def render(self, indices: Integers) -> Images:
        if self.file:
            packed = packed_file(self.file, OFFICIAL, cache_folder())[indices]
        else:
            packed = _packed_sprites(self.size, indices)
        bits = np.unpackbits(packed, axis=2, count=self.size)
        return np.negative(bits, out=bits)[:, None]  # 0 - 1 is 255 in eight bits


@cache
def packed_file(path: Path, file: OfficialFile, folder: Path) -> Table:
    """The official images as packed bits (n, h, bytes), unpacked once into the cache `folder`."""
    state = path.stat()
    name = hashlib.sha256(f"{path} {state.st_size} {state.st_mtime_ns}".encode()).hexdigest()
    shape = (*file.shape[:2], -(-file.shape[2] // 8))
    return made(f"dsprites-official-{name[:16]}", shape, partial(packed_rows, path, file))


def _packed_sprites(size: int, indices: Integers) -> Images:
    table = _table(size, cache_folder())
    return rasterised(indices, size) if table is None else table[indices]


@cache
def _table(size: int, folder: Path) -> Table | None:
    """All images as packed bits, or None when the cache `folder` cannot be written to."""
    shape = (IMAGES, size, -(-size // 8))
    return kept(f"dsprites-{size}-v{VERSION}", shape, np.uint8, partial(_rendered, size))


def _rendered(size: int) -> Iterator[Images]:
    with progress(f"rendering dSprites {size}x{size}", IMAGES) as advance:
        for start in range(0, IMAGES, CHUNK):
            yield rasterised(np.arange(start, start + CHUNK), size)
            advance(CHUNK)


def rasterised(indices: Integers, size: int) -> Images:
    """Packed bits (n, size, bytes) of images drawn from their polygons."""
    shape, scale, turn, x, y = factors_at(FACTORS, indices).T
    scales = (size / 64) * np.linspace(0.5, 1, 6)[scale]
    angles = np.linspace(0, 2 * np.pi, 40)[turn]
    centres = (size / 64) * (16 + 32 * np.linspace(0, 1, 32)[np.stack([x, y])])
    packed = np.empty((len(indices), size, -(-size // 8)), np.uint8)
    for which, sprite in enumerate(_polygons.SPRITES):
        mine = np.flatnonzero(shape == which)
        if mine.size:
            vertices = _polygons.placed(sprite, scales[mine], angles[mine], centres[:, mine])
            packed[mine] = _polygons.covered(vertices, size)
    return packed
