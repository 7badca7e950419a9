"""Holding out combinations of factor values, to test a model on what it never saw."""

from collections.abc import Iterable
from dataclasses import dataclass
from operator import index
from typing import final

import numpy as np

from gordium.datasets.base import Dataset
from gordium.datasets.variants.rows import Rows, have_values
from gordium.factors import Integers, column_of


@final
@dataclass(frozen=True)
class Combination(Rows):
    """The images in which each named factor has one of its given values, or all other images.

    Made by `hold_out`. Unlike with `hold`, the named factors stay factors.
    """

    values_of: tuple[tuple[str, tuple[int, ...]], ...]
    is_inside: bool

    def __post_init__(self) -> None:
        for name, values in self.values_of:
            size = self.base.factors[column_of(self.base.factors, name)].size
            if not values or min(values) < 0 or max(values) >= size:
                raise ValueError(f"{name} must have values in 0 to {size - 1}; got {values}.")
        if not self.values_of or not len(self.rows):
            raise ValueError(f"{dict(self.values_of)} holds out no image, or all of them.")

    def choose(self) -> Integers:
        return np.flatnonzero(have_values(self.base, dict(self.values_of)) == self.is_inside)


def hold_out(dataset: Dataset, **values: Iterable[int]) -> tuple[Combination, Combination]:
    """Split a data set into the images to train on, and those that have all of these values.

    `hold_out(dataset, shape=[2], orientation=range(20))` holds out hearts at half of the angles.
    """
    wanted = tuple(
        (name, tuple(sorted({index(value) for value in some})))
        for name, some in sorted(values.items())
    )
    return Combination(dataset, wanted, False), Combination(dataset, wanted, True)
