"""Where rays meet the four solids of Shapes3D, which stand on the floor around the z axis.

Rays are (3, n): an origin plus t times a direction. A miss is at t = infinity.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gordium.arrays import Integers

Floats = NDArray[np.floating[Any]]  # 32 bits throughout


class Hit(NamedTuple):
    """Where a ray enters and leaves a convex part, and the outward normal where it enters."""

    enter: Floats
    leave: Floats
    normal: Floats


Part = Callable[[Floats, Floats], Hit]


class Solid(NamedTuple):
    """A union of convex parts at scale 1, inside a ball of `radius` around height `middle`."""

    parts: tuple[Part, ...]
    middle: float
    radius: float


def nearest_hit(
    solid: Solid, scale: float, origins: Floats, directions: Floats
) -> tuple[Floats, Floats]:
    """Distance (n,) along each ray and normal (3, n) where it first enters the scaled solid."""
    nearest = np.full(directions.shape[1], np.inf, np.float32)
    normals = np.zeros_like(directions)
    for part in solid.parts:
        hit = part(origins / np.float32(scale), directions / np.float32(scale))
        is_nearer = (hit.enter > 0) & (hit.enter < hit.leave) & (hit.enter < nearest)
        nearest = np.where(is_nearer, hit.enter, nearest)
        normals = np.where(is_nearer, hit.normal, normals)
    return nearest, normals


def find_hits(
    solid: Solid, scale: float, origins: Floats, directions: Floats
) -> tuple[Integers, Floats, Floats]:
    """Which rays meet the scaled solid, and distance and normal where each enters it.

    Rays that pass by the ball around the solid are left out first, which saves most of the work.
    """
    middle = np.array([[0], [0], [solid.middle * scale]], np.float32)
    near = np.flatnonzero(_passes_within(solid.radius * scale, origins - middle, directions))
    starts = origins[:, near] if origins.shape[1] > 1 else origins
    distance, normals = nearest_hit(solid, scale, starts, directions[:, near])
    is_hit = np.isfinite(distance)
    return near[is_hit], distance[is_hit], normals[:, is_hit]


def _passes_within(radius: float, origins: Floats, directions: Floats) -> NDArray[np.bool_]:
    """Whether each ray's line passes within `radius` of the origin."""
    along = (origins * directions).sum(axis=0)
    length = (directions**2).sum(axis=0)
    return (origins**2).sum(axis=0) * length - along**2 <= radius**2 * length


def _slab(axis: int, low: float, high: float) -> Part:
    def part(origins: Floats, directions: Floats) -> Hit:
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = [(bound - origins[axis]) / directions[axis] for bound in (low, high)]
        normal = np.zeros_like(directions)
        normal[axis] = -np.sign(directions[axis])
        return Hit(np.minimum(*ends), np.maximum(*ends), normal)

    return part


def _round(weights: Sequence[float], height: float, radius: float) -> Part:
    """A ball around `height` on the axis (weights 1, 1, 1) or an upright tube (1, 1, 0)."""
    w = np.array(weights, np.float32)[:, None]
    centre = np.array([[0], [0], [height]], np.float32)

    def part(origins: Floats, directions: Floats) -> Hit:
        start = (origins - centre) * w
        a = (directions**2 * w).sum(axis=0)
        b = (start * directions).sum(axis=0)
        inside = b**2 - a * ((start**2).sum(axis=0) - radius**2)
        root = np.sqrt(inside.clip(0))
        enter = np.where(inside > 0, (-b - root) / a, np.inf).astype(np.float32)
        leave = np.where(inside > 0, (-b + root) / a, -np.inf).astype(np.float32)
        with np.errstate(invalid="ignore"):
            normal = (start + enter * directions * w) / np.float32(radius)
        return Hit(enter, leave, normal)

    return part


def _intersect(*parts: Part) -> Part:
    """The intersection of parts: a ray enters it where it has entered all of them."""

    def part(origins: Floats, directions: Floats) -> Hit:
        enter, leave, normal = parts[0](origins, directions)
        for other in parts[1:]:
            hit = other(origins, directions)
            normal = np.where(hit.enter > enter, hit.normal, normal)
            enter, leave = np.maximum(enter, hit.enter), np.minimum(leave, hit.leave)
        return Hit(enter, leave, normal)

    return part


def _cube(half: float) -> Solid:
    slabs = (_slab(0, -half, half), _slab(1, -half, half), _slab(2, 0, 2 * half))
    return Solid((_intersect(*slabs),), half, half * 3**0.5)


def _cylinder(radius: float, height: float) -> Solid:
    tube = _intersect(_round((1, 1, 0), 0, radius), _slab(2, 0, height))
    return Solid((tube,), height / 2, float(np.hypot(radius, height / 2)))


def _ball(radius: float) -> Solid:
    return Solid((_round((1, 1, 1), radius, radius),), radius, radius)


def _capsule(radius: float, straight: float) -> Solid:
    top = radius + straight
    tube = _intersect(_round((1, 1, 0), 0, radius), _slab(2, radius, top))
    ends = tuple(_round((1, 1, 1), height, radius) for height in (radius, top))
    return Solid((tube, *ends), radius + straight / 2, radius + straight / 2)


SOLIDS = (_cube(0.161), _cylinder(0.1655, 0.346), _ball(0.1966), _capsule(0.151, 0.316))
