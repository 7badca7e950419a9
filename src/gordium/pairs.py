"""Pairs of images that share some factors: the weak supervision of several methods.

Pairs are drawn in whole batches from tables; a way to draw them is a frozen dataclass, so that
it is its own declaration.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from gordium.factors import Factor, Integers


class Pairs(NamedTuple):
    """Factor values of both views of each pair: (n, k) each."""

    first: Integers
    second: Integers


class Pairing(Protocol):
    """A way to draw pairs, e.g. with one factor shared or with small steps between the two."""

    def draw(self, factors: Sequence[Factor], n: int, rng: np.random.Generator) -> Pairs: ...
