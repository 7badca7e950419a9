"""Views of a mesh from cameras around it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gordium.datasets.rendering.meshes import Floats, Mesh


class Camera(NamedTuple):
    """A camera that looks at `target`; `zoom` is image widths per unit of length at `distance`."""

    target: tuple[float, float, float]
    distance: float
    zoom: float


def fit_camera(mesh: Mesh, distance: float) -> Camera:
    """A camera that sees the whole mesh from all sides; `distance` is in radii of the mesh."""
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    middle = (low + high) / 2
    radius = float(np.linalg.norm(mesh.points - middle, axis=1).max())
    return Camera(tuple(middle.tolist()), distance * radius, 0.48 / radius)


class Views(NamedTuple):
    """The n corners of a mesh as v cameras see them; both arrays are (v, n, 3)."""

    seen: Floats  # column and row as fractions of the image, and nearness
    normals: Floats  # x to the right, y away from the camera, z up


def look(mesh: Mesh, camera: Camera, azimuths: ArrayLike, elevations: ArrayLike) -> Views:
    """Turn the mesh by each azimuth and look at it from each elevation, both in radians.

    It turns around the vertical axis through the target, counter-clockwise seen from above.
    """
    cos, sin = _cosines_and_sines(azimuths)
    x, y, z = _turn(mesh.points - np.asarray(camera.target), cos, sin)
    right, far, high = _turn(mesh.normals, cos, sin)
    cos, sin = _cosines_and_sines(elevations)
    away = camera.distance + y * cos - z * sin
    factor = camera.zoom * camera.distance / away
    seen = (0.5 + factor * x, 0.5 - factor * (y * sin + z * cos), 1 / away)
    normals = (right, far, np.broadcast_to(high, right.shape))
    return Views(np.stack(seen, axis=2), np.stack(normals, axis=2))


def _cosines_and_sines(angles: ArrayLike) -> tuple[Floats, Floats]:
    """Cosines and sines (v, 1)."""
    column = np.asarray(angles)[:, None]
    return np.cos(column).astype(np.float32), np.sin(column).astype(np.float32)


def _turn(vectors: Floats, cos: Floats, sin: Floats) -> tuple[Floats, Floats, Floats]:
    x, y, z = vectors.astype(np.float32).T
    return cos * x - sin * y, sin * x + cos * y, z


def draw(mesh: Mesh, seen: Floats, values: Floats, background: ArrayLike, size: int) -> Floats:
    """Draw `values` (v, n, c) at the corners as images (v, c, size, size), interpolated between."""
    # This import loads compiled code, for which only rendering should wait.
    from gordium.datasets.rendering.raster import rasterise

    points = seen.astype(np.float32) * np.array([size, size, 1], np.float32)
    images = np.empty((len(seen), values.shape[2], size, size), np.float32)
    shown = np.array(background, np.float32)
    rasterise(points, mesh.triangles, values.astype(np.float32), shown, images)
    return images
