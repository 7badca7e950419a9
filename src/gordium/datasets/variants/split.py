"""Splitting a data set into images for training, for validation and for testing."""

from dataclasses import dataclass
from typing import final

import numpy as np

from gordium.datasets.base import Dataset
from gordium.datasets.variants.rows import Rows
from gordium.factors import Integers

PARTS = ("train", "validation", "test")
SHARES = (0.8, 0.1, 0.1)


@final
@dataclass(frozen=True)
class Split(Rows):
    """One of three parts of `base`, drawn without repeats by `seed`; made by `split`."""

    part: str
    seed: int = 0
    shares: tuple[float, ...] = SHARES

    def __post_init__(self) -> None:
        if self.part not in PARTS:
            raise ValueError(f"part must be one of {', '.join(PARTS)}; got {self.part!r}.")
        if len(self.shares) != 3 or min(self.shares) < 0 or abs(sum(self.shares) - 1) > 1e-9:
            raise ValueError(f"shares must be three numbers that add up to 1; got {self.shares}.")
        if not len(self.rows):
            raise ValueError(f"no image is left for {self.part}: {len(self.base)} are too few.")

    def choose(self) -> Integers:
        order = np.random.default_rng(self.seed).permutation(len(self.base))
        ends = [0, *np.rint(np.cumsum(self.shares) * len(self.base)).astype(int).tolist()]
        position = PARTS.index(self.part)
        return np.sort(order[ends[position] : ends[position + 1]])


def split(
    dataset: Dataset, *, seed: int = 0, shares: tuple[float, ...] = SHARES
) -> tuple[Split, Split, Split]:
    """Split a data set at random into training, validation and test images."""
    train, validation, test = (Split(dataset, part, seed, shares) for part in PARTS)
    return train, validation, test
