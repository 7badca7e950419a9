"""Rendered toys of random measures: a stand-in for SmallNORB."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from gordium.datasets.base import Images
from gordium.datasets.disk_cache import Array
from gordium.datasets.rendering.camera import fit_camera, look
from gordium.datasets.rendering.lighting import CHANNELS, FULL, directions, light, scenes
from gordium.datasets.rendering.toys import TOYS
from gordium.datasets.sets.drawn import Drawn
from gordium.datasets.sets.smallnorb import GRID, SmallNORB
from gordium.factors import Integers
from gordium.progress import track

CATEGORIES, INSTANCES, ELEVATIONS, AZIMUTHS, LIGHTINGS = GRID
TILTS = np.radians(np.linspace(30, 70, ELEVATIONS))
BACKGROUND, AMBIENT = 0.72, 0.25
TOWARDS = directions(np.array([-60, 60, 0, -30, 40, 120]), np.array([30, 30, 20, 70, 60, 55]))
STRENGTHS = np.array([0.8, 0.8, 0.7, 0.6, 1.0, 0.9])
LIGHTS = np.rint(FULL * STRENGTHS[:, None] * TOWARDS).astype(np.int16)


@final
@dataclass(frozen=True)
class SmallNORBLike(Drawn):
    """48 600 grey drawings of 50 toys with the factors of SmallNORB.

    Categories are animal, human, airplane, truck and car. None of its images is from SmallNORB:
    a toy is made of balls, tubes and boxes of random measures.
    """

    name = "smallnorb-like"
    factors = SmallNORB.grid()

    def render(self, indices: Integers) -> Images:
        shape = (len(self) // len(LIGHTS), CHANNELS, self.size, self.size)
        return light(self.load_table(_rows, shape), indices, LIGHTS)


def _rows(size: int) -> Iterator[Array]:
    """The scenes of one toy after another."""
    turns = np.tile(2 * np.pi * np.arange(AZIMUTHS) / AZIMUTHS, ELEVATIONS)
    tilts = np.repeat(TILTS, AZIMUTHS)
    for number in track(f"rendering toys {size}x{size}", range(CATEGORIES * INSTANCES)):
        category, instance = divmod(number, INSTANCES)
        mesh = TOYS[category](np.random.default_rng([category, instance]))
        views = look(mesh, fit_camera(mesh, distance=5), turns, tilts)
        yield scenes(mesh, views, BACKGROUND, size, AMBIENT)
