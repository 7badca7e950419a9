"""Many images on one sheet, small enough for a page."""

from base64 import b64encode
from io import BytesIO
from math import ceil, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from gordium.explorer.blob import Content

Images = NDArray[np.uint8]
QUALITIES = (95, 85, 70, 50, 30)


def sheet(images: NDArray[Any], *, most: int, largest: int = 64) -> Content:
    """Images (n, c, h, w) of at most `largest` pixels a side, within `most` bytes if possible.

    It is JSON for the page: a WebP picture with tiles in rows of `columns`, lossless if that fits,
    else as lossy as needed, and in the end at half the size.
    """
    tiles = _shrink(pictures(images), largest)
    canvas, columns = _lay_out(tiles)
    content = _webp(canvas, lossless=True)
    for quality in QUALITIES:
        if len(content) <= most:
            break
        content = _webp(canvas, quality=quality)
    if len(content) > most and largest > 32:
        return sheet(images, most=most, largest=largest // 2)
    source = f"data:image/webp;base64,{b64encode(content).decode()}"
    return {"source": source, "columns": columns, "tile": [tiles.shape[2], tiles.shape[1]]}


def pictures(images: NDArray[Any]) -> Images:
    """Images as (n, h, w, 3); of other than three channels only the first is shown, in grey."""
    x = images if images.dtype == np.uint8 else np.rint(255 * np.clip(images, 0, 1))
    x = x if x.shape[1] == 3 else np.repeat(x[:, :1], 3, axis=1)
    return np.ascontiguousarray(x.transpose(0, 2, 3, 1), dtype=np.uint8)


def _shrink(tiles: Images, largest: int) -> Images:
    height, width = tiles.shape[1:3]
    scale = largest / max(height, width)
    if scale >= 1:
        return tiles
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    smaller = [Image.fromarray(t).resize(size, Image.Resampling.BOX) for t in tiles]
    return np.stack([np.asarray(t) for t in smaller])


def _lay_out(tiles: Images) -> tuple[Images, int]:
    n, height, width, _ = tiles.shape
    columns = ceil(sqrt(n))
    rows = ceil(n / columns)
    full = np.zeros((rows * columns, height, width, 3), np.uint8)
    full[:n] = tiles
    grid = full.reshape(rows, columns, height, width, 3).transpose(0, 2, 1, 3, 4)
    return grid.reshape(rows * height, columns * width, 3), columns


def _webp(canvas: Images, **options: Any) -> bytes:
    file = BytesIO()
    Image.fromarray(canvas).save(file, "webp", method=2, **options)
    return file.getvalue()
