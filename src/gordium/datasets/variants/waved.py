"""A data set plus a wave that was not learned: a control for learned changes."""

from dataclasses import dataclass
from typing import final

import numpy as np

from gordium.checks import check_least
from gordium.datasets.base import Images
from gordium.datasets.variants.reflect import Altered, Floats, add_change
from gordium.factors import Integers

_BLOCKS = 4  # the image is cut into 4 x 4 blocks in each channel


@final
@dataclass(frozen=True)
class Waved(Altered):
    """`base` plus a wave along a random linear combination u of the factors.

    A step of a factor moves u by a standard normal number of radians, drawn once per factor. Each
    block of each channel changes by epsilon tanh(3 cos(u + phase)), with a random phase of its own:
    nearly epsilon almost everywhere.
    """

    epsilon: float
    seed: int = 0

    def __post_init__(self) -> None:
        self.check(self.epsilon)
        check_least(0, seed=self.seed)

    def render(self, indices: Integers) -> Images:
        factors = self.base.factors_at(indices)
        return add_change(self.base.render(indices), lambda part: self._wave(factors[part]))

    def _wave(self, factors: Integers) -> Floats:
        chance = np.random.default_rng(self.seed)
        u = factors @ chance.standard_normal(factors.shape[1])
        channels, height, width = self.image_shape
        phases = chance.uniform(0, 2 * np.pi, (channels, _BLOCKS, _BLOCKS))
        rows, columns = (np.arange(n) * _BLOCKS // n for n in (height, width))
        angles = u[:, None, None, None] + phases[:, rows][:, :, columns]
        return (self.epsilon * np.tanh(3 * np.cos(angles))).astype(np.float32)
