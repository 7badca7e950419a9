"""Data sets that hold some of the images of another."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.datasets.base import Dataset, Images, Wrapper
from gordium.factors import Integers, check_indices, column_of


@dataclass(frozen=True)
class Rows(Wrapper):
    """The images of `base` that `choose` picks."""

    @abstractmethod
    def choose(self) -> Integers:
        """The indices in `base` of the images; they must follow from the fields alone."""

    @cached_property
    def rows(self) -> Integers:
        """The result of `choose`, which is called once."""
        return self.choose()

    def __len__(self) -> int:
        return len(self.rows)

    def factors_at(self, indices: ArrayLike) -> NDArray[Any]:
        return self.base.factors_at(self.rows[check_indices(indices, len(self))])

    def render(self, indices: Integers) -> Images:
        return self.base.render(self.rows[indices])


def have_values(dataset: Dataset, values: Mapping[str, Any]) -> NDArray[np.bool_]:
    """Whether, in each image, every named factor has its value or one of its values."""
    table = dataset.factors_at(np.arange(len(dataset)))
    columns = {name: table[:, column_of(dataset.factors, name)] for name in values}
    return np.logical_and.reduce([np.isin(columns[name], values[name]) for name in values])
