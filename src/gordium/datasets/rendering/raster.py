"""Drawing triangles into images with a depth buffer, in compiled code.

`fine` is a work array (h * s, w * s, 1 + c): nearness and values of s x s samples per pixel.
"""

import numpy as np
from numpy.typing import NDArray

from gordium.numba_cache import compile_cached

Floats = NDArray[np.float32]
Triangles = NDArray[np.int32]

SAMPLES = 2  # per pixel and direction
ONE, HALF, NEARLY = np.float32(1), np.float32(0.5), np.float32(0.4999)


@compile_cached()
def _draw(points: Floats, triangle: Triangles, values: Floats, fine: Floats) -> None:
    """Draw one triangle, unless its corners run clockwise: then it is seen from behind."""
    a, b, c = triangle[0], triangle[1], triangle[2]
    ax, ay, bx, by = points[a, 0], points[a, 1], points[b, 0], points[b, 1]
    cx, cy = points[c, 0], points[c, 1]
    area = (cx - ax) * (by - ay) - (bx - ax) * (cy - ay)
    if area <= 0:
        return
    # Rounded by truncation: a call of `ceil` would cost as much as the rest.
    left, right = max(0, int(min(ax, bx, cx) + NEARLY)), int(max(ax, bx, cx) + HALF)
    top, bottom = max(0, int(min(ay, by, cy) + NEARLY)), int(max(ay, by, cy) + HALF)
    right, bottom = min(right, fine.shape[1]), min(bottom, fine.shape[0])
    du, dv = (cy - by) / area, (ay - cy) / area  # what a step to the right adds to u and v
    for row in range(top, bottom):
        x, y = left + HALF, row + HALF
        u = (x - bx) * du - (cx - bx) * (y - by) / area
        v = (x - cx) * dv - (ax - cx) * (y - cy) / area
        for column in range(left, right):
            w = ONE - u - v
            if u >= 0 and v >= 0 and w >= 0:
                near = u * points[a, 2] + v * points[b, 2] + w * points[c, 2]
                if near > fine[row, column, 0]:
                    fine[row, column, 0] = near
                    for k in range(values.shape[1]):
                        mixed = u * values[a, k] + v * values[b, k] + w * values[c, k]
                        fine[row, column, 1 + k] = mixed
            u += du
            v += dv


@compile_cached()
def _average(fine: Floats, image: Floats, first: int, last: int) -> None:
    channels, height, width = image.shape
    samples = fine.shape[0] // height
    for row in range(first, last):
        for column in range(width):
            for k in range(channels):
                total = 0.0
                for i in range(row * samples, (row + 1) * samples):
                    for j in range(column * samples, (column + 1) * samples):
                        total += fine[i, j, 1 + k]
                image[k, row, column] = total / (samples * samples)


@compile_cached()
def rasterise(
    points: Floats, triangles: Triangles, values: Floats, background: Floats, images: Floats
) -> None:
    """Draw `values` (v, n, c) of corners seen from v sides into `images` (v, c, h, w).

    `points` (v, n, 3) are column and row in pixels, and nearness.
    """
    height, width = images.shape[2:]
    fine = np.empty((height * SAMPLES, width * SAMPLES, 1 + len(background)), np.float32)
    for view in range(len(points)):
        placed = points[view] * np.array([SAMPLES, SAMPLES, 1], np.float32)
        first = max(0, min(height, int(points[view, :, 1].min())))
        last = max(0, min(height, int(points[view, :, 1].max()) + 1))
        fine[first * SAMPLES : last * SAMPLES, :, 0] = 0
        fine[first * SAMPLES : last * SAMPLES, :, 1:] = background
        for t in range(len(triangles)):
            _draw(placed, triangles[t], values[view], fine)
        images[view] = background.reshape(-1, 1, 1)
        _average(fine, images[view], first, last)
