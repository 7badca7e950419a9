"""A picture in the colours and strokes of The Scream, for users without a file of it."""

import numpy as np
from numpy.typing import NDArray

from gordium.arrays import Floats

ASPECT = 215 / 274  # width by height
SKY = ((150, 60, 30), (222, 92, 30), (235, 165, 80), (170, 150, 105), (214, 74, 26))
WATER = ((22, 36, 42), (60, 78, 80), (190, 155, 90), (40, 56, 58), (110, 105, 85))
GROUND = ((52, 44, 32), (120, 98, 66), (70, 62, 46), (160, 122, 84), (32, 34, 28))
RAIL, FIGURE = (170, 74, 40), (18, 26, 22)


def paint(height: int) -> NDArray[np.uint8]:
    """Paint (3, height, width): a red sky, dark water, a path with a railing, and a figure.

    Strokes are waves along bent lines. Lengths are fractions of the height, so that the picture
    looks the same at every size.
    """
    v, u = np.mgrid[0.5:height, 0.5 : round(ASPECT * height)] / height
    bend = 0.03 * np.sin(7 * u + 2) + 0.015 * np.sin(17 * u + 9 * v)
    sky = _strokes(SKY, 24 * (v + bend) + np.sin(5 * u), 140 * (v + bend) + 9 * u)
    whirl = np.hypot(v - 0.62, 1.3 * (u - 0.62)) + bend
    water = _strokes(WATER, 15 * whirl + 4 * v, 130 * whirl + 12 * u)
    slope = np.arctan2(v - 0.42, u + 0.12) + 0.3 * bend
    ground = _strokes(GROUND, 19 * slope, 120 * slope + 14 * v)
    picture = np.where(v + bend < 0.29, sky, water)
    picture = np.where(slope > 0.75, ground, picture)
    picture = np.where(np.abs(slope - 0.75) < 0.035, np.array(RAIL)[:, None, None], picture)
    body = ((u - 0.4) / 0.11) ** 2 + ((v - 0.83) / 0.24) ** 2 < 1 + 4 * bend
    picture = np.where(
        body, np.array(FIGURE)[:, None, None] + 12 * np.sin(90 * u + 20 * v), picture
    )
    head = ((u - 0.4) / 0.055) ** 2 + ((v - 0.56) / 0.075) ** 2 < 1
    picture = np.where(head, _strokes(((190, 160, 105), (120, 105, 75)), 9 * v, 90 * u), picture)
    return np.clip(picture + 9 * np.sin(61 * u + 37 * np.sin(23 * v)), 0, 255).astype(np.uint8)


def _strokes(palette: tuple[tuple[int, int, int], ...], band: Floats, fine: Floats) -> Floats:
    """Colours (3, h, w) that cycle through the palette along `band`, with `fine` hair lines."""
    colours = np.array(palette, np.float64)
    low = np.floor(band).astype(int)
    mix = np.clip(3 * (band - low) - 1, 0, 1)[..., None]
    first, second = colours[low % len(colours)], colours[(low + 1) % len(colours)]
    blended = first + mix * (second - first)
    return np.moveaxis(blended * (1 + 0.16 * np.sin(fine))[..., None], -1, 0)
