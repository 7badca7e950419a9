"""Small triangle meshes: boxes, balls, tubes and profiles, coloured and put together.

x points forward, y to the left, z up. Corners of a polygon run counter-clockwise seen from
outside, which is how its normal is found.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.floating[Any]]


class Mesh(NamedTuple):
    """Corners with normals and colours (n, 3) each, and triangles (t, 3) of corners."""

    points: Floats
    normals: Floats
    colours: Floats
    triangles: NDArray[np.int32]


def join(parts: Sequence[Mesh]) -> Mesh:
    """Join several meshes into one."""
    starts = np.cumsum([0, *(len(part.points) for part in parts[:-1])])
    triangles = [part.triangles + start for part, start in zip(parts, starts, strict=True)]
    points, normals, colours = (np.concatenate([part[i] for part in parts]) for i in range(3))
    return Mesh(points, normals, colours, np.concatenate(triangles).astype(np.int32))


def transform(mesh: Mesh, *, scale: ArrayLike = 1, move: ArrayLike = 0) -> Mesh:
    """Stretch a mesh along the axes, then move it; scales must be positive."""
    normals = mesh.normals / np.asarray(scale)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return mesh._replace(points=mesh.points * np.asarray(scale) + np.asarray(move), normals=normals)


def polygon(corners: ArrayLike, colour: ArrayLike) -> Mesh:
    """A flat polygon, as a fan of triangles around its middle."""
    rim = np.asarray(corners, float)
    points = np.concatenate([rim.mean(axis=0, keepdims=True), rim])
    i = np.arange(len(rim))
    (x, y, z), (u, v, w) = rim.T, rim[i - 1].T  # each corner, and the one before it
    normal = np.array([v @ z - w @ y, w @ x - u @ z, u @ y - v @ x])
    normal /= np.sqrt(normal @ normal)
    triangles = np.stack([0 * i, i + 1, (i + 1) % len(rim) + 1], axis=1).astype(np.int32)
    return Mesh(points, _broadcast(normal, points), _broadcast(colour, points), triangles)


def prism(profile: ArrayLike, width: ArrayLike, colour: ArrayLike) -> Mesh:
    """A profile (k, 2) in x and z, extruded along y to both sides.

    Its corners run counter-clockwise seen from y < 0. `width` is half the width, one for all
    corners or one for each.
    """
    right, left = sides(profile, width)
    ahead = (np.roll(right, -1, axis=0), np.roll(left, -1, axis=0))
    rims = [np.stack(rim) for rim in zip(right, left, ahead[1], ahead[0], strict=True)]
    flat = [polygon(corners, colour) for corners in rims]
    return join([polygon(right, colour), polygon(left[::-1], colour), *flat])


def sides(profile: ArrayLike, width: ArrayLike) -> tuple[Floats, Floats]:
    """The right and the left outline (k, 3) of a prism."""
    x, z = np.asarray(profile, float).T
    half = np.broadcast_to(np.asarray(width, float), x.shape)
    return np.stack([x, -half, z], axis=1), np.stack([x, half, z], axis=1)


def box(low: ArrayLike, high: ArrayLike, colour: ArrayLike) -> Mesh:
    """A box between two corners."""
    (x0, y0, z0), (x1, y1, z1) = np.asarray(low, float), np.asarray(high, float)
    block = prism([(x0, z0), (x1, z0), (x1, z1), (x0, z1)], (y1 - y0) / 2, colour)
    return transform(block, move=(0, (y0 + y1) / 2, 0))


def patch(quad: ArrayLike, across: Sequence[float], up: Sequence[float], colour: ArrayLike) -> Mesh:
    """A part of a quadrilateral, a little in front of it, like a window in a wall.

    `across` is a range of fractions of the way from its first corner to the second, `up` of the
    way from the first to the fourth.
    """
    a, b, c, d = np.asarray(quad, float)
    places = [(s, t) for s, t in zip(np.repeat(across, 2), [*up, *up[::-1]], strict=True)]
    corners = [(1 - t) * ((1 - s) * a + s * b) + t * ((1 - s) * d + s * c) for s, t in places]
    flat = polygon(corners[::-1], colour)
    return flat._replace(points=flat.points + 0.012 * flat.normals)


def ball(centre: ArrayLike, radii: ArrayLike, colour: ArrayLike, n: int = 12) -> Mesh:
    """An ellipsoid of `n` rings."""
    turn = np.linspace(0, 2 * np.pi, 2 * n, endpoint=False)
    directions = sphere(np.linspace(0, np.pi, n + 1), turn)
    mesh = Mesh(
        directions, directions, _broadcast(colour, directions), grid_triangles(n + 1, 2 * n)
    )
    return transform(mesh, scale=np.broadcast_to(radii, 3), move=centre)


def sphere(height: Floats, turn: Floats) -> Floats:
    """Points (n, 3) of the unit sphere in rings around the z axis, by angles from its top."""
    ring = np.sin(height)[:, None]
    parts = (ring * np.cos(turn), ring * np.sin(turn), np.cos(height)[:, None] + 0 * turn)
    return np.stack(parts, axis=-1).reshape(-1, 3)


def grid_triangles(rows: int, columns: int) -> NDArray[np.int32]:
    """The triangles between corners on a grid whose last column is next to its first."""
    at = np.arange(rows * columns).reshape(rows, columns)
    beside = np.roll(at, -1, axis=1)
    upper = np.stack([at[:-1], at[1:], beside[:-1]], axis=-1)
    lower = np.stack([beside[:-1], at[1:], beside[1:]], axis=-1)
    return np.concatenate([upper.reshape(-1, 3), lower.reshape(-1, 3)]).astype(np.int32)


def tube(
    ends: ArrayLike,
    radii: ArrayLike,
    colour: ArrayLike,
    *,
    cap: ArrayLike | None = None,
    n: int = 16,
) -> Mesh:
    """A straight tube or cone between two points, closed by flat caps."""
    first, last = np.asarray(ends, float)
    along = (last - first) / np.linalg.norm(last - first)
    helper = np.eye(3)[np.abs(along).argmin()]
    right = np.cross(along, helper)
    right /= np.linalg.norm(right)
    turn = np.linspace(0, 2 * np.pi, n, endpoint=False)[:, None]
    around = np.cos(turn) * right + np.sin(turn) * np.cross(along, right)
    wide = np.broadcast_to(np.asarray(radii, float), 2)
    rings = [last + wide[1] * around, first + wide[0] * around]
    points = np.concatenate(rings)
    wall = Mesh(points, np.tile(around, (2, 1)), _broadcast(colour, points), grid_triangles(2, n))
    cap = colour if cap is None else cap
    return join([wall, polygon(rings[0], cap), polygon(rings[1][::-1], cap)])


def smooth_normals(points: Floats, triangles: NDArray[np.int32]) -> Floats:
    """At each corner, the mean direction of the triangles around it, weighted by area."""
    a, b, c = (points[triangles[:, i]] for i in range(3))
    flat = np.cross(b - a, c - a)
    total = np.zeros_like(points)
    for i in range(3):
        np.add.at(total, triangles[:, i], flat)
    return total / np.linalg.norm(total, axis=1, keepdims=True).clip(1e-12)


def _broadcast(value: ArrayLike, points: Floats) -> Floats:
    return np.broadcast_to(np.asarray(value, float), points.shape)
