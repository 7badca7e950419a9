"""Shapes3D: one object in a coloured room (Burgess and Kim, 2018), rendered as a look-alike."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from gordium.datasets.base import Images
from gordium.datasets.buffers import reuse_array
from gordium.datasets.disk_cache import Array
from gordium.datasets.readers.h5 import open_h5, read_h5
from gordium.datasets.readers.official import OfficialFile
from gordium.datasets.rendering import room
from gordium.datasets.rendering.solids import SOLIDS, Floats
from gordium.datasets.sets.drawn import Drawn
from gordium.factors import Factor, Integers
from gordium.progress import progress

SKY = (153, 226, 249)
# The ten hues at full saturation, red first, in fifths of full brightness: 5 is 255.
HUES = np.array(
    [
        *((5, 0, 0), (5, 3, 0), (4, 5, 0), (1, 5, 0), (0, 5, 2)),
        *((0, 5, 5), (0, 2, 5), (1, 0, 5), (4, 0, 5), (5, 0, 3)),
    ],
    np.uint16,
)
SHIFT = 7
LEVEL = 1 << SHIFT  # fixed-point units in one grey level: the brightest sum fits in 16 bits
SCENES = len(room.SCALES) * len(SOLIDS) * len(room.AZIMUTHS)
BLOCK = 1 << 16  # pixels worked on at once; more would not fit into the processor's cache


@final
@dataclass(frozen=True)
class Shapes3D(Drawn):
    """480 000 images of one object in a room, by three hues, scale, shape and camera angle.

    Rendered images resemble the official ones. `path` names the official file, which is also
    found in the folder GORDIUM_DATA; `source` says which images are in use.
    """

    name: ClassVar[str] = "shapes3d"
    channels: ClassVar[int] = 3
    version: ClassVar[int] = 2
    factors = (
        Factor("floor_hue", 10, "circular"),
        Factor("wall_hue", 10, "circular"),
        Factor("object_hue", 10, "circular"),
        Factor("scale", 8),
        Factor("shape", 4, "nominal"),
        Factor("orientation", 15),
    )
    official: ClassVar[OfficialFile] = OfficialFile(
        "3dshapes.h5",
        "sha256",
        "0a0f6ed98baff276a50f3a081a7434d788da63cb135a98189b2a5b5769be1785",
        "images",
        (1000 * SCENES, 64, 64, 3),
    )

    def check(self) -> str:
        if self.file:
            open_h5(self.file, self.official)
        return super().check()

    def render(self, indices: Integers) -> Images:
        if self.file:
            return read_h5(self.file, self.official, indices)
        scenes = self.load_table(_render_all, (SCENES, 6, self.size**2), np.uint16)
        return compose(scenes, indices, self.image_shape)


def _render_all(size: int) -> Iterator[Array]:
    """(scene, channel, pixel): floor, wall and object, then red, green and blue of sky and gloss.

    All scenes are one chunk, since the angle that changes fastest is the outer loop here.
    """
    scenes = np.empty((SCENES // len(room.AZIMUTHS), len(room.AZIMUTHS), 6, size**2), np.uint16)
    with progress(f"rendering Shapes3D {size}x{size}", SCENES) as advance:
        for azimuth, channels in enumerate(room.buffers(size)):
            scenes[:, azimuth] = _fixed_point(channels.reshape(len(scenes), 5, -1))
            advance(len(scenes))
    yield scenes.reshape(SCENES, 6, -1)


def _fixed_point(channels: Floats) -> Array:
    """Gains per fifth of full brightness, then grey levels, in units of 1 / LEVEL grey level."""
    gains = channels[:, (room.FLOOR, room.WALL, room.OBJECT)] * (255 / 5)
    sky = channels[:, room.SKY, None] * np.array(SKY, np.float32)[:, None]
    rest = sky + 255 * channels[:, room.GLOSS, None] + 0.5  # so that a shift later on rounds
    return np.rint(LEVEL * np.concatenate([gains, rest], axis=1)).astype(np.uint16)


def compose(scenes: Array, indices: Integers, image_shape: tuple[int, int, int]) -> Images:
    """Colour the scenes in integer arithmetic, a few images at a time."""
    colours, scene = np.divmod(indices, SCENES)
    gains = HUES[np.stack(np.unravel_index(colours, (10, 10, 10)))][..., None]
    images = np.empty((len(indices), *image_shape), np.uint8)
    flat = images.reshape(len(indices), 3, scenes.shape[2])
    block = max(1, BLOCK // flat.shape[2])
    for start in range(0, len(indices), block):
        part = slice(start, start + block)
        _compose_block(scenes, scene[part], gains[:, part], flat[part])
    return images


def _compose_block(scenes: Array, scene: Integers, gains: Array, images: Images) -> None:
    n, _, pixels = images.shape
    buffers = reuse_array("buffers", (n, *scenes.shape[1:]), np.uint16)
    total, term, limit = reuse_array("sums", (3, n, 3, pixels), np.uint16)
    np.take(scenes, scene, axis=0, out=buffers, mode="clip")  # "raise" would make a copy
    total[:] = buffers[:, 3:]
    for surface in range(3):
        np.multiply(buffers[:, surface, None], gains[surface], out=term)
        np.add(total, term, out=total)
    limit.fill(255 * LEVEL)  # an array, because NumPy is slower with a number
    np.minimum(total, limit, out=total)
    np.right_shift(total, SHIFT, out=total)
    images[:] = total
