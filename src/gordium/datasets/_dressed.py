"""Sprites in colours, in noise or before a picture: what the three variants of dSprites share."""

import zlib
from abc import abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gordium.datasets.base import Dataset, Images
from gordium.datasets.dsprites import DSprites
from gordium.datasets.noisy import fill_uniform
from gordium.factors import Factor, Integers

SEEDS = 1 << 32


@dataclass(frozen=True)
class DressedSprites(Dataset):
    """dSprites in three channels, changed by chance that is a function of seed and index.

    The large study (Locatello et al. 2019) draws anew at each look; here an image looks the
    same whenever it is read. `path`, `verify` and `source` are those of `DSprites`.
    """

    name: ClassVar[str]

    size: int = 64
    seed: int = 0
    path: str | Path | None = field(default=None, compare=False)
    verify: bool = field(default=True, compare=False)
    source: str = ""
    sprites: DSprites = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.seed, int) or not 0 <= self.seed < SEEDS:
            raise ValueError(f"seed must be a whole number in 0 to 2**32 - 1; got {self.seed!r}.")
        sprites = DSprites(self.size, self.path, self.verify, self.source)
        object.__setattr__(self, "sprites", sprites)  # frozen, and still being made
        object.__setattr__(self, "source", sprites.source)

    @abstractmethod
    def dress(self, masks: Images, indices: Integers) -> Images:
        """Images (n, 3, h, w) of sprites (n, 1, h, w) that are 255 on 0."""

    @property
    def factors(self) -> tuple[Factor, ...]:
        return self.sprites.factors

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (3, self.size, self.size)

    @property
    def declaration(self) -> dict[str, Any]:
        plain = self.sprites.declaration
        return {**plain, "name": self.name, "options": {**plain["options"], "seed": self.seed}}

    def render(self, indices: Integers) -> Images:
        return self.dress(self.sprites.render(indices), indices)

    def chance(self, indices: Integers, count: int) -> NDArray[np.uint8]:
        """(n, count) independent uniform bytes for each index.

        The name has a part in them: one seed gives the variants, and `Noisy`, other chance.
        """
        words = np.empty((len(indices), -(-count // 8)), np.uint64)
        fill_uniform(words, zlib.crc32(self.name.encode()) * SEEDS + self.seed, indices)
        return words.astype("<u8", copy=False).view(np.uint8)[:, :count]
