"""dSprites: white sprites on black (Matthey et al., 2017), rasterised from their polygons."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar, final

import numpy as np

from gordium.datasets.base import Images
from gordium.datasets.disk_cache import Array, load_once, load_or_render
from gordium.datasets.readers import npz
from gordium.datasets.readers.digests import key, states
from gordium.datasets.readers.official import OfficialFile, check_array
from gordium.datasets.rendering import sprites
from gordium.datasets.sets.drawn import Drawn
from gordium.factors import Factor, Integers, factors_at
from gordium.progress import progress, track

FACTORS = (
    Factor("shape", 3, "nominal"),
    Factor("scale", 6),
    Factor("orientation", 40, "circular"),
    Factor("x", 32),
    Factor("y", 32),
)
IMAGES = 3 * 6 * 40 * 32 * 32
CHUNK = 1024  # divides IMAGES


@final
@dataclass(frozen=True)
class DSprites(Drawn):
    """737 280 images of a square, an ellipse or a heart, by scale, orientation and position.

    Orientations 0 and 39 are the same angle, as published. `path` names the official file,
    which is also found in the folder GORDIUM_DATA; `source` says which images are in use.
    """

    name: ClassVar[str] = "dsprites"
    factors = FACTORS
    official: ClassVar[OfficialFile] = OfficialFile(
        "dsprites_ndarray_co1sh3sc6or40x32y32_64x64.npz",
        "git blob",
        "d98996d3f8ee1550e06b9d4ed78d0beb478910d5",
        "imgs",
        (IMAGES, 64, 64),
    )

    def check(self) -> str:
        if self.file:
            check_archive(self.file, self.official)
        return super().check()

    def render(self, indices: Integers) -> Images:
        if self.file:
            packed = pack_file(self.file, self.official)[indices]
        else:
            shape = (IMAGES, self.size, -(-self.size // 8))
            table = load_once(self.table_name, shape, partial(_render_all, self.size))
            packed = rasterise(indices, self.size) if table is None else table[indices]
        bits = np.unpackbits(packed, axis=2, count=self.size)
        return np.negative(bits, out=bits)[:, None]  # 0 - 1 is 255 in eight bits


def pack_file(path: Path, file: OfficialFile) -> Array:
    """The official images as packed bits (n, h, bytes), written once into the cache."""
    name = f"dsprites-official-{key(states([path]))}"
    shape = (*file.shape[:2], -(-file.shape[2] // 8))
    return load_or_render(name, shape, partial(pack_rows, path, file))


def check_archive(path: Path, file: OfficialFile) -> None:
    """Raise ValueError unless the archive holds the published images."""
    shape, dtype, is_fortran = npz.headers(path, file.key)[file.key]
    check_array(path, file, shape, "Fortran-ordered" if is_fortran else dtype)


def pack_rows(path: Path, file: OfficialFile) -> Iterator[Images]:
    """Chunks (n, h, bytes) of the 0/1 images in the archive, eight pixels to a byte."""
    check_archive(path, file)
    with progress(f"unpacking {path.name}", file.shape[0]) as advance:
        for values in npz.rows(path, file.key):
            if values.max() > 1:
                raise ValueError(f"{path} must hold pixels 0 and 1; it holds {values.max()}.")
            yield np.packbits(values, axis=2)
            advance(len(values))


def _render_all(size: int) -> Iterator[Images]:
    for start in track(f"rendering dSprites {size}x{size}", range(0, IMAGES, CHUNK), CHUNK):
        yield rasterise(np.arange(start, start + CHUNK), size)


def rasterise(indices: Integers, size: int) -> Images:
    """Packed bits (n, size, bytes) of images drawn from their polygons."""
    shape, scale, turn, x, y = factors_at(FACTORS, indices).T
    scales = (size / 64) * np.linspace(0.5, 1, 6)[scale]
    angles = np.linspace(0, 2 * np.pi, 40)[turn]
    centres = (size / 64) * (16 + 32 * np.linspace(0, 1, 32)[np.stack([x, y])])
    packed = np.empty((len(indices), size, -(-size // 8)), np.uint8)
    for which, sprite in enumerate(sprites.SPRITES):
        mine = np.flatnonzero(shape == which)
        if mine.size:
            vertices = sprites.place(sprite, scales[mine], angles[mine], centres[:, mine])
            packed[mine] = sprites.cover(vertices, size)
    return packed
