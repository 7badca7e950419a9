"""Data sets whose images are known functions of their factors."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from gordium.datasets import Grid


@dataclass(frozen=True)
class Made(Grid):
    """Images rounded to uint8 from a function of the factor values (n, k) to rows (n, p)."""

    factors: Any = ()
    pixels: Any = field(default=None, compare=False)
    image_shape: Any = (1, 1, 1)

    @property
    def declaration(self):
        return {"name": "made"}

    def render(self, indices):
        rows = self.pixels(self.factors_at(indices))
        return np.rint(rows).astype(np.uint8).reshape(-1, *self.image_shape)


@pytest.fixture(scope="session")
def made():
    """made(factors, pixels): the data set that shows pixels(values) as one row of pixels."""

    def make(factors, pixels):
        width = pixels(np.zeros((1, len(factors)), np.int64)).shape[1]
        return Made(tuple(factors), pixels, (1, 1, width))

    return make


@pytest.fixture(scope="session")
def linear(made):
    """linear(factors, directions): 100 plus a whole number of grey levels per step of a factor."""

    def make(factors, directions):
        steps = np.array(directions)
        return made(factors, lambda values: 100 + values @ steps)

    return make
