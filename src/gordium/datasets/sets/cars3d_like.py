"""Rendered cars of random measures: a stand-in for Cars3D."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from gordium.datasets.base import Images
from gordium.datasets.rendering.camera import Camera, draw, look
from gordium.datasets.rendering.cars import car_mesh
from gordium.datasets.rendering.meshes import Mesh
from gordium.datasets.sets.cars3d import Cars3D
from gordium.datasets.sets.drawn import Drawn
from gordium.factors import Integers
from gordium.progress import track

CARS, AZIMUTHS, ELEVATIONS = 183, 24, 4
CAMERA = Camera((0, 0, 0.6), 11, 0.2)
TILTS = np.radians(np.linspace(4, 28, ELEVATIONS))
LIGHT = np.array([-0.45, -0.55, 0.70], np.float32)  # from the left, the camera's side and above
AMBIENT, DIFFUSE = 0.45, 0.62


@final
@dataclass(frozen=True)
class Cars3DLike(Drawn):
    """17 568 drawings of 183 cars with the factors of Cars3D; the car changes fastest.

    None of its images is from Cars3D: a car is a body, a cabin and wheels of random measures.
    """

    name = "cars3d-like"
    channels = 3
    factors = Cars3D.grid()

    def render(self, indices: Integers) -> Images:
        elevation, azimuth, car = self.factors_at(indices).T
        shape = (CARS, ELEVATIONS, AZIMUTHS, *self.image_shape)
        return self.load_table(_rows, shape)[car, elevation, azimuth]


def _rows(size: int) -> Iterator[Images]:
    for car in track(f"rendering cars {size}x{size}", range(CARS)):
        yield _pictures(car_mesh(car), size)


def _pictures(mesh: Mesh, size: int) -> Images:
    """The images of one car: (elevation, azimuth, 3, size, size)."""
    turns = 2 * np.pi * np.arange(AZIMUTHS) / AZIMUTHS
    views = look(mesh, CAMERA, np.tile(turns, ELEVATIONS), np.repeat(TILTS, AZIMUTHS))
    light = AMBIENT + DIFFUSE * (views.normals @ LIGHT).clip(0)
    colours = mesh.colours.astype(np.float32) * light[..., None]
    images = draw(mesh, views.seen, colours, (1, 1, 1), size)
    whole = np.rint(255 * images.clip(0, 1)).astype(np.uint8)
    return whole.reshape(ELEVATIONS, AZIMUTHS, 3, size, size)
