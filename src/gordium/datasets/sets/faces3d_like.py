"""Rendered heads of random measures: a stand-in for 3D Faces."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from gordium.datasets.base import Images
from gordium.datasets.disk_cache import Array
from gordium.datasets.rendering.camera import Camera, look
from gordium.datasets.rendering.heads import head
from gordium.datasets.rendering.lighting import CHANNELS, FULL, directions, light, scenes
from gordium.datasets.sets.drawn import Drawn
from gordium.datasets.sets.faces3d import GRID, Faces3D
from gordium.factors import Integers
from gordium.progress import track

IDENTITIES, AZIMUTHS, ELEVATIONS, LIGHTINGS = GRID
CAMERA = Camera((0.05, 0, -0.04), 7, 0.4)
TURNS = np.radians(np.linspace(-75, 75, AZIMUTHS)) - np.pi / 2  # at -90 a head looks at the camera
TILTS = np.radians(np.linspace(-30, 30, ELEVATIONS))
BACKGROUND, AMBIENT, STRENGTH = 0.4, 0.2, 0.95
TOWARDS = directions(np.linspace(-80, 80, LIGHTINGS), np.full(LIGHTINGS, 20.0))
LIGHTS = np.rint(FULL * STRENGTH * TOWARDS).astype(np.int16)


@final
@dataclass(frozen=True)
class Faces3DLike(Drawn):
    """127 050 grey drawings of 50 heads with the factors of 3D Faces.

    None of its images is from 3D Faces, and no head is a person's: their measures are random.
    """

    name = "faces3d-like"
    factors = Faces3D.grid()

    def render(self, indices: Integers) -> Images:
        shape = (len(self) // len(LIGHTS), CHANNELS, self.size, self.size)
        return light(self.load_table(_rows, shape), indices, LIGHTS)


def _rows(size: int) -> Iterator[Array]:
    """The scenes of one head after another, azimuth by azimuth."""
    for identity in track(f"rendering heads {size}x{size}", range(IDENTITIES)):
        mesh = head(np.random.default_rng([50, identity]))
        for turn in TURNS:
            views = look(mesh, CAMERA, np.full(ELEVATIONS, turn), TILTS)
            yield scenes(mesh, views, BACKGROUND, size, AMBIENT)
