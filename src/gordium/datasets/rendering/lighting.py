"""Grey images of scenes under many lights: the geometry is drawn once, each light is a sum.

A scene has four channels of bytes: what is seen without the light, and the surface's brightness
times its normal, which turns into the light's part by a product with the light's direction.
"""

import numpy as np
from numpy.typing import NDArray

from gordium.datasets.base import Images
from gordium.datasets.disk_cache import Array
from gordium.datasets.rendering.camera import Views, draw
from gordium.datasets.rendering.meshes import Mesh
from gordium.factors import Integers

CHANNELS = 4
FULL = 64  # the length of a light that makes a white surface before it white, in 8 bits
SHIFT = 5


def scenes(mesh: Mesh, views: Views, background: float, size: int, ambient: float) -> Array:
    """Bytes (v, 4, size, size); colours are grey, so that only the first channel of them counts."""
    grey = mesh.colours[:, :1].astype(np.float32)
    unlit = np.broadcast_to(ambient * grey, (*views.normals.shape[:2], 1))
    values = np.concatenate([unlit, grey * views.normals], axis=2)
    found = draw(mesh, views.seen, values, (background, 0, 0, 0), size)
    found *= np.array([255, 127, 127, 127], np.float32)[:, None, None]
    return np.rint(found).astype(np.int16).astype(np.uint8)  # below 0 in two's complement


def directions(azimuths: NDArray[np.float64], heights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Towards lights (n, 3), from degrees to the right of the camera and above the horizon."""
    turn, rise = np.radians(azimuths), np.radians(heights)
    parts = (np.sin(turn) * np.cos(rise), -np.cos(turn) * np.cos(rise), np.sin(rise))
    return np.stack(parts, axis=1)


def light(table: Array, scene: Integers, lights: NDArray[np.int16]) -> Images:
    """Images (n, 1, h, w) of scenes under a light each (n, 3), in whole numbers."""
    found = table[scene]
    normals = found[:, 1:].view(np.int8)
    total = np.zeros((len(scene), *table.shape[2:]), np.int16)
    for axis in range(3):
        total += normals[:, axis] * lights[:, axis, None, None]
    np.maximum(total, 0, out=total)
    total >>= SHIFT
    total += found[:, 0]
    return np.minimum(total, 255, out=total).astype(np.uint8)[:, None]
