"""Heads as meshes: a deformed, coloured ball with nose, brows, lips and chin.

A head looks along x; y points to its left, z up. It is about two units high.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gordium.datasets.rendering.meshes import (
    Floats,
    Mesh,
    ball,
    grid_triangles,
    join,
    smooth_normals,
    sphere,
    tube,
)

ROWS, COLUMNS = 64, 80
EYES, MOUTH, BROWS = 0.12, -0.46, 0.31  # heights


class Face(NamedTuple):
    """The measures by which heads differ."""

    width: float
    height: float
    jaw: float  # how much narrower than the skull
    chin: float
    nose: float
    nostrils: float
    eye_distance: float
    eye_size: float
    brow: float  # thickness
    mouth: float
    lips: float
    cheeks: float
    hairline: float
    hair: float  # volume
    nape: float  # how far down the hair reaches
    skin: float  # brightness
    dark: float  # brightness of the hair


LOW = Face(
    *(0.62, 0.98, 0.10, 0.02, 0.14, 0.10, 0.25, 0.10, 0.025, 0.17, 0.06, 0.00, 0.46, 0.02, 0.0),
    *(0.55, 0.06),
)
HIGH = Face(
    *(0.78, 1.12, 0.42, 0.14, 0.36, 0.20, 0.36, 0.15, 0.065, 0.32, 0.12, 0.08, 0.72, 0.16, 0.9),
    *(0.85, 0.45),
)


def head(rng: np.random.Generator) -> Mesh:
    """A head whose measures are drawn from `rng`."""
    face = Face(*rng.uniform(LOW, HIGH))
    t = np.linspace(-np.pi, np.pi, COLUMNS, endpoint=False)
    turn = t - 0.5 * np.sin(t)  # corners are closer together in the face than at the back
    points = _skull(face, sphere(np.linspace(0, np.pi, ROWS), turn))
    is_hair = _is_hair(face, points)
    colours = np.where(is_hair, face.dark, _paint(face, points))
    points = _relief(face, points, is_hair)
    triangles = grid_triangles(ROWS, COLUMNS)
    normals = smooth_normals(points, triangles)
    skull = Mesh(points, normals, colours[:, None].repeat(3, axis=1), triangles)
    return join([skull, *_ears_and_neck(face)])


def _skull(face: Face, ball_points: Floats) -> Floats:
    """An egg-shaped skull, narrower at the jaw and flatter in the face."""
    x, y, z = ball_points.T
    below = (-z).clip(0)
    narrow = 1 - face.jaw * below**1.5
    depth = np.where(x > 0, 0.78 + 0.06 * below, 0.98 - 0.25 * below)
    return np.stack([depth * x, face.width * narrow * y, face.height * z], axis=1)


def _is_hair(face: Face, points: Floats) -> Floats:
    """Whether corners are hair: above the forehead, as sideburns, and down to the nape."""
    x, y, z = points.T
    front = face.hairline + 0.25 * (y / face.width) ** 2 * (0.5 - face.hair)
    return np.where(x > 0.18, z > front, z > np.where(x > 0.02, -0.1, -face.nape))


def _bump(points: Floats, middle: tuple[float, float], wide: float, high: float) -> Floats:
    """A bump that is 1 at a point of the face and at its mirror image, and 0 far from them."""
    _, y, z = points.T
    away = ((np.abs(y) - middle[0]) / wide) ** 2 + ((z - middle[1]) / high) ** 2
    return np.exp(-away)


def _nose(face: Face, points: Floats) -> Floats:
    """The nose: a ridge that rises from between the eyes to its tip, and falls off below it."""
    _, y, z = points.T
    along = np.interp(z, [-0.27, -0.17, 0.0, 0.22], [0, 1, 0.62, 0.06], left=0, right=0)
    wide = face.nostrils * np.interp(z, [-0.17, 0.2], [1, 0.5])
    return face.nose * along * np.exp(-((y / wide) ** 2))


def _relief(face: Face, points: Floats, is_hair: Floats) -> Floats:
    """Move corners out of the skull: the face forwards, hair to all sides."""
    forward = (
        _nose(face, points)
        + 0.05 * _bump(points, (face.eye_distance, BROWS), 0.2, 0.07)
        - 0.09 * _bump(points, (face.eye_distance, EYES), 0.15, 0.10)
        + face.cheeks * _bump(points, (0.42, -0.15), 0.2, 0.2)
        + 0.05 * _bump(points, (0, MOUTH + 0.05), face.mouth, 0.05)
        + 0.05 * _bump(points, (0, MOUTH - 0.06), 0.8 * face.mouth, 0.05)
        + face.chin * _bump(points, (0, -0.8), 0.22, 0.15)
    )
    in_front = (points[:, :1] / 0.2).clip(0, 1)
    moved = points + in_front * forward[:, None] * np.array([1, 0, 0])
    return moved * (1 + face.hair * is_hair[:, None])


def _paint(face: Face, points: Floats) -> Floats:
    """The brightness of skin, lips, eyes and brows."""
    _, y, z = points.T
    side = np.abs(y) - face.eye_distance
    grey = np.full(len(points), face.skin)

    def within(across: Floats, up: Floats, wide: float, high: float) -> NDArray[np.bool_]:
        return ((across / wide) ** 2 + (up / high) ** 2 < 1) & (points[:, 0] > 0)

    grey[within(y, z - MOUTH, face.mouth, face.lips)] = 0.62 * face.skin
    grey[within(y, z - MOUTH, 0.95 * face.mouth, 0.02)] = 0.2
    grey[within(np.abs(y) - 0.6 * face.nostrils, z + 0.25, 0.05, 0.03)] = 0.2
    grey[within(side, z - EYES, face.eye_size, 0.5 * face.eye_size)] = 0.95
    grey[within(side, z - EYES, 0.5 * face.eye_size, 0.55 * face.eye_size)] = 0.08
    arch = z - BROWS + 0.8 * side**2
    grey[within(side, arch, 0.17, face.brow)] = face.dark
    return grey


def _ears_and_neck(face: Face) -> list[Mesh]:
    ears = [ball((-0.06, y, 0), (0.12, 0.07, 0.2), face.skin, 8) for y in (face.width, -face.width)]
    neck = tube([(-0.2, 0, -1.6), (-0.12, 0, -0.5)], (0.5, 0.42), face.skin)
    return [*ears, neck]
