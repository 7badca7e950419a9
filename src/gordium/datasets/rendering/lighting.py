"""Grey images of scenes under many lights: each scene is drawn once and then lit.

A scene has four channels of bytes: the image without the light, and the three components of the
surface's normal times its brightness. Their inner product with the light's direction is what the
light adds.
"""

import numpy as np
from numpy.typing import NDArray

from gordium.arrays import Floats
from gordium.datasets.base import Images
from gordium.datasets.disk_cache import Array
from gordium.datasets.rendering.camera import Views, draw
from gordium.datasets.rendering.meshes import Mesh
from gordium.factors import Integers

CHANNELS = 4
FULL = 64  # the length of a light's vector that lights a white surface facing it fully
SHIFT = 5


def scenes(mesh: Mesh, views: Views, background: float, size: int, ambient: float) -> Array:
    """Draw scenes as bytes (v, 4, size, size); colours are grey, so the first channel is used."""
    grey = mesh.colours[:, :1].astype(np.float32)
    unlit = np.broadcast_to(ambient * grey, (*views.normals.shape[:2], 1))
    values = np.concatenate([unlit, grey * views.normals], axis=2)
    found = draw(mesh, views.seen, values, (background, 0, 0, 0), size)
    found *= np.array([255, 127, 127, 127], np.float32)[:, None, None]
    return np.rint(found).astype(np.int16).astype(np.uint8)  # negative ones in two's complement


def directions(azimuths: Floats, heights: Floats) -> Floats:
    """Directions towards lights (n, 3), by degrees right of the camera and above the horizon."""
    turn, rise = np.radians(azimuths), np.radians(heights)
    parts = (np.sin(turn) * np.cos(rise), -np.cos(turn) * np.cos(rise), np.sin(rise))
    return np.stack(parts, axis=1)


def light(table: Array, indices: Integers, lights: NDArray[np.int16]) -> Images:
    """Light scenes in integer arithmetic: images (n, 1, h, w).

    Indices count all `lights` (k, 3) of a scene before they go on to the next scene.
    """
    scene, lighting = np.divmod(indices, len(lights))
    found, towards = table[scene], lights[lighting]
    normals = found[:, 1:].view(np.int8)
    total = np.zeros((len(scene), *table.shape[2:]), np.int16)
    for axis in range(3):
        total += normals[:, axis] * towards[:, axis, None, None]
    np.maximum(total, 0, out=total)
    total >>= SHIFT
    total += found[:, 0]
    return np.minimum(total, 255, out=total).astype(np.uint8)[:, None]
