"""The geometry of Shapes3D: one object in a lit room, seen from a camera that circles it.

Lengths are in units of the camera's distance from the object's axis; z points up, the back
wall is at positive y. The numbers were fitted to published images of the data set.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gordium.arrays import Integers
from gordium.datasets.rendering.solids import SOLIDS, Floats, Solid, find_hits

SCALES = np.linspace(0.754, 1.243, 8)
AZIMUTHS = np.radians(np.linspace(-30.24, 30.24, 15))
SKY, WALL, FLOOR, OBJECT, GLOSS = range(5)
SAMPLES = 3  # per pixel and direction

CAMERA_HEIGHT, TARGET_HEIGHT = 0.3347, 0.3461
FOCAL_LENGTH = 58.59 / 64  # of the image's width
SIDE_WALLS, BACK_WALL, WALL_HEIGHT = 1.556, 1.520, 1.0097
AMBIENT, HEADLIGHT, SPOTLIGHT, SHINE = 0.3663, 0.5765, 0.924, 0.148
SPOT = np.array([[-0.673], [0.158], [3.595]], np.float32)
SPOT_EXPONENT = 11.74


class Rays(NamedTuple):
    """The camera's position and forward axis, both (3, 1), and a direction per sample (3, n)."""

    origin: Floats
    forward: Floats
    directions: Floats


class View(NamedTuple):
    """What a camera sees of the empty room at each sample."""

    rays: Rays
    points: Floats
    kind: Integers
    shade: Floats  # the gain without the spotlight
    spot: Floats  # what the spotlight adds


def buffers(size: int) -> Iterator[Floats]:
    """Render, for each azimuth, (scale, shape, channel, height, width).

    Channels are SKY to GLOSS; a pixel's colour is the sum of its channels times their colours.
    """
    for azimuth in AZIMUTHS:
        view = _empty_room(_rays(size, azimuth))
        scenes = [[_scene(view, solid, scale, size) for solid in SOLIDS] for scale in SCALES]
        yield np.array(scenes, np.float32)


def _rays(size: int, azimuth: float) -> Rays:
    origin = np.array([np.sin(azimuth), -np.cos(azimuth), CAMERA_HEIGHT])
    forward = np.array([0, 0, TARGET_HEIGHT]) - origin
    forward /= np.linalg.norm(forward)
    right = np.array([np.cos(azimuth), np.sin(azimuth), 0])
    up = np.cross(right, forward)
    across = ((np.arange(size * SAMPLES) + 0.5) / (size * SAMPLES) - 0.5) / FOCAL_LENGTH
    x, y = np.meshgrid(across, -across)
    directions = forward[:, None] + right[:, None] * x.ravel() + up[:, None] * y.ravel()
    parts = (origin[:, None], forward[:, None], directions)
    return Rays(*(part.astype(np.float32) for part in parts))


def _empty_room(rays: Rays) -> View:
    with np.errstate(divide="ignore"):  # a ray along a plane meets it at infinity
        side, back, floor = _keep_ahead(
            (np.copysign(SIDE_WALLS, rays.directions[0]) - rays.origin[0]) / rays.directions[0],
            (BACK_WALL - rays.origin[1]) / rays.directions[1],
            -rays.origin[2] / rays.directions[2],
        )
    distance = np.minimum(np.minimum(side, back), floor)
    points = rays.origin + distance * rays.directions
    kind = np.where(floor == distance, FLOOR, np.where(points[2] > WALL_HEIGHT, SKY, WALL))
    normals = np.zeros_like(points)
    normals[0] = np.where(side == distance, -np.sign(rays.directions[0]), 0)
    normals[1] = np.where(back == distance, -1, 0)
    normals[2] = floor == distance
    shade, beam, slant = _light(rays, points, normals)
    return View(rays, points, kind, shade, SPOTLIGHT * beam * slant)


def _keep_ahead(*distances: Floats) -> list[Floats]:
    return [np.where(distance > 0, distance, np.inf).astype(np.float32) for distance in distances]


def _light(rays: Rays, points: Floats, normals: Floats) -> tuple[Floats, Floats, Floats]:
    """The gain without the spotlight, the spotlight's strength, and its cosine or 0."""
    facing = -(normals * rays.forward).sum(axis=0)
    towards = SPOT - points
    towards /= np.sqrt((towards**2).sum(axis=0))
    slant = (towards * normals).sum(axis=0)
    beam = towards[2].clip(0) ** SPOT_EXPONENT
    return AMBIENT + HEADLIGHT * facing.clip(0), beam, slant.clip(0)


def _scene(view: View, solid: Solid, scale: float, size: int) -> Floats:
    """The five channels (channel, height, width) of one object in the room."""
    channels = np.zeros((5, view.kind.size), np.float32)
    channels[SKY] = view.kind == SKY
    gain = _cast_shadow(view, solid, scale)
    for kind in (WALL, FLOOR):
        np.copyto(channels[kind], gain, where=view.kind == kind)
    _draw(channels, view.rays, solid, scale)
    return channels.reshape(5, size, SAMPLES, size, SAMPLES).mean(axis=(2, 4))


def _cast_shadow(view: View, solid: Solid, scale: float) -> Floats:
    """The gain of walls and floor with the solid's shadow in the spotlight."""
    hidden, _, _ = find_hits(solid, scale, view.points, SPOT - view.points)
    spot = view.spot.copy()
    spot[hidden] = 0
    return view.shade + spot


def _draw(channels: Floats, rays: Rays, solid: Solid, scale: float) -> None:
    """Draw the solid over what is behind it."""
    seen, distance, normals = find_hits(solid, scale, rays.origin, rays.directions)
    points = rays.origin + distance * rays.directions[:, seen]
    shade, beam, slant = _light(rays, points, normals)
    channels[:, seen] = 0
    channels[OBJECT, seen] = shade + SPOTLIGHT * beam * slant
    channels[GLOSS, seen] = SHINE * beam * (slant > 0)
