"""Data sets that are read from their published files and cannot be rendered."""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from PIL import Image

from gordium.datasets.base import Images
from gordium.datasets.disk_cache import Array, load_or_render
from gordium.datasets.grid import Grid
from gordium.datasets.overviews import Overview
from gordium.datasets.published import Published
from gordium.datasets.readers.digests import key, states
from gordium.datasets.readers.pictures import Mode, pixels
from gordium.factors import Factor, Integers, grid_size

Rows = Callable[..., Iterator[Images]]  # from files and options to chunks one after another


@dataclass(frozen=True)
class Reader(Published, Grid):
    """Images of published files: given as `path`, or in the folder GORDIUM_DATA, or downloaded."""

    wanted: ClassVar[str]  # the files' names, in short

    @classmethod
    @abstractmethod
    def grid(cls) -> tuple[Factor, ...]:
        """The factors of the published files."""

    @classmethod
    def describe_absent(cls) -> Overview:
        """What is known of the data set where its files are absent."""
        factors = cls.grid()
        needs = f"not here: needs {cls.wanted}"
        return Overview(grid_size(factors), (cls.channels, 64, 64), factors, needs)

    @property
    def factors(self) -> tuple[Factor, ...]:
        return self.grid()

    @property
    def file(self) -> Path:
        return self.files[0]

    def load_table(self, rows: Rows, shape: tuple[int, ...], *options: int) -> Array:
        """Load from the cache what `rows` reads from the files, anew if one has changed."""
        name = f"{self.name}-{key(states(self.files), *options)}"
        return load_or_render(name, shape, partial(rows, self.files, *options))


def resize(images: Images, size: int) -> Images:
    """Resize uint8 (n, h, w, c) to (n, c, size, size) by Lanczos, as the large study does."""
    n, _, _, channels = images.shape
    mode: Mode = "L" if channels == 1 else "RGB"
    found = np.empty((n, channels, size, size), np.uint8)
    for image, place in zip(images, found, strict=True):
        picture = Image.fromarray(image[..., 0] if channels == 1 else image)
        place[:] = pixels(picture, mode, (size, size))
    return found


def check_divides(size: int, published: int) -> None:
    """Refuse a size to which the published images cannot be shrunk by averaging blocks."""
    if published % size:
        fitting = [s for s in range(16, published + 1) if published % s == 0]
        raise ValueError(
            f"size must divide {published}, the size of the images in the file: one of "
            f"{', '.join(map(str, fitting))}; got {size}."
        )


def average_blocks(images: Images, size: int) -> Images:
    """Shrink uint8 (n, h, w, c) to (n, c, size, size) by rounded means over blocks of pixels."""
    n, height, _, channels = images.shape
    block = height // size
    if block > 1:
        parts = images.reshape(n, size, block, size, block, channels)
        total = parts.sum(axis=(2, 4), dtype=np.uint32)
        images = ((total + block * block // 2) // (block * block)).astype(np.uint8)
    return np.ascontiguousarray(images.transpose(0, 3, 1, 2))


def gather(table: Any, indices: Integers) -> Images:
    """Read rows of a table on disk: each once, in the order in which they lie there."""
    rows, places = np.unique(indices, return_inverse=True)
    found: Images = table[rows][places]
    return found
