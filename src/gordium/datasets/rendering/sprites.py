"""The sprites of dSprites as polygons, and which pixels a polygon covers, in exact arithmetic.

Lengths are in pixels of an image 64 wide; x points right, y down, pixel (r, c) has its centre
at (c + 0.5, r + 0.5). The numbers were fitted to published images of the data set.
"""

import numpy as np
from numpy.typing import NDArray

from gordium.arrays import Floats, Integers

UNIT = 9.6
GRID = 256  # vertices lie on a grid of 1/256 pixel, as on a graphics card
WORD = 64  # pixels of a row are the bits of 64-bit words, the leftmost pixel the highest bit


def _square() -> Floats:
    return UNIT * np.array([[-1, 1, 1, -1], [-1, -1, 1, 1]], np.float64)


def _ellipse() -> Floats:
    t = 2 * np.pi * np.arange(100) / 100
    return UNIT * np.stack([1.33 * np.cos(t), np.sin(t) / 1.33])


def _heart() -> Floats:
    t = 2 * np.pi * np.arange(150) / 150
    lobes = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
    return UNIT * np.stack([np.sin(t) ** 3, -(lobes / 14.5 + 0.15)])


SPRITES = (_square(), _ellipse(), _heart())


def place(sprite: Floats, scale: Floats, angle: Floats, centre: Floats) -> Floats:
    """Scale a sprite, turn it counter-clockwise on screen, move it: vertices (2, n, vertex).

    `scale` and `angle` are (n,), `centre` is (2, n).
    """
    x, y = sprite
    cos, sin = (scale * np.cos(angle))[:, None], (scale * np.sin(angle))[:, None]
    return np.stack([cos * x + sin * y, cos * y - sin * x]) + centre[:, :, None]


def cover(vertices: Floats, size: int) -> NDArray[np.uint8]:
    """Find the pixels of `size` x `size` images with their centre inside: packed bits.

    They are (n, size, bytes). A centre exactly on an edge is inside if the edge is a left or a
    bottom one.
    """
    n = vertices.shape[1]
    image, row, column = _crossings(np.rint(vertices * GRID).astype(np.int64))
    place = image * size + row
    order = np.argsort(place)
    place, column = place[order], column[order]
    first = np.flatnonzero(np.diff(place, prepend=-1))
    words = np.zeros((n * size, -(-size // WORD)), ">u8")
    for word in range(words.shape[1]):
        flips = np.bitwise_xor.reduceat(_from_column(column - word * WORD), first)
        words[place[first], word] = flips
    return words.view(np.uint8).reshape(n, size, -1)[:, :, : -(-size // 8)]


def _crossings(vertices: Integers) -> tuple[Integers, Integers, Integers]:
    """Where edges cross the rows' centre lines: image, row, first column not left of it."""
    n_vertices = vertices.shape[2]
    ends = np.roll(vertices, -1, axis=2)
    # A row is crossed if its centre line is below the upper end and not below the lower end.
    rows = (np.stack([vertices[1], ends[1]]) - GRID // 2) // GRID
    top, bottom = rows.min(axis=0) + 1, rows.max(axis=0) + 1
    count = (bottom - top).ravel()
    edge = np.repeat(np.arange(count.size), count)
    nth = np.arange(edge.size) - np.repeat(np.cumsum(count) - count, count)
    row = top.ravel()[edge] + nth
    (x0, y0), (x1, y1) = vertices.reshape(2, -1)[:, edge], ends.reshape(2, -1)[:, edge]
    rise = y1 - y0
    # The crossing is at x0 + (y - y0) * (x1 - x0) / rise: rounded up, in whole numbers.
    ahead = x0 * rise + (row * GRID + GRID // 2 - y0) * (x1 - x0) - rise * (GRID // 2)
    column = -((-ahead) // (rise * GRID))
    return edge // n_vertices, row, column


def _from_column(column: Integers) -> NDArray[np.uint64]:
    """Words whose bits are set from a column on; all bits if the column is left of the word."""
    shift = column.clip(0, WORD).astype(np.uint64)
    full = np.uint64(2**WORD - 1)
    return np.where(shift < WORD, full >> np.minimum(shift, np.uint64(WORD - 1)), np.uint64(0))
