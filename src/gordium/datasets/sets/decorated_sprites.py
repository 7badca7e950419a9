"""What the variants of dSprites share that add colour, noise or a background picture."""

import zlib
from abc import abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gordium.datasets.base import Images
from gordium.datasets.grid import Grid
from gordium.datasets.published import Published
from gordium.datasets.sets.dsprites import DSprites
from gordium.datasets.variants.noisy import fill_uniform
from gordium.factors import Integers

SEEDS = 1 << 32


@dataclass(frozen=True)
class DecoratedSprites(Published, Grid):
    """dSprites in three channels, with a random change that follows from seed and index.

    The large study (Locatello et al. 2019) draws a new change whenever an image is read; here an
    image is always the same. `path`, `verify` and `source` are those of `DSprites`.
    """

    channels: ClassVar[int] = 3
    factors = DSprites.factors

    seed: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        if not isinstance(self.seed, int) or not 0 <= self.seed < SEEDS:
            raise ValueError(f"seed must be a whole number in 0 to 2**32 - 1; got {self.seed!r}.")
        super().__post_init__()

    @cached_property
    def sprites(self) -> DSprites:
        """The plain sprites."""
        return DSprites(self.size, self.path, self.verify, self.source)

    def find(self) -> list[Path]:
        return list(self.sprites.files)

    def check(self) -> str:
        return self.sprites.source

    @abstractmethod
    def decorate(self, masks: Images, indices: Integers) -> Images:
        """Turn white sprites on black (n, 1, h, w) into images (n, 3, h, w)."""

    def render(self, indices: Integers) -> Images:
        return self.decorate(self.sprites.render(indices), indices)

    def chance(self, indices: Integers, count: int) -> NDArray[np.uint8]:
        """Draw `count` independent uniform bytes for each index: (n, count).

        They depend on the data set's name too, so that one seed serves all variants and `Noisy`.
        """
        words = np.empty((len(indices), -(-count // 8)), np.uint64)
        fill_uniform(words, zlib.crc32(self.name.encode()) * SEEDS + self.seed, indices)
        return words.astype("<u8", copy=False).view(np.uint8)[:, :count]
