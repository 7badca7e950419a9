"""Data sets that hold some of the images of another."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from numpy.typing import ArrayLike, NDArray

from gordium.datasets.base import Images, Wrapper
from gordium.factors import Integers, check_indices


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

    @cached_property
    def _values(self) -> NDArray[Any]:
        return self.base.factors_at(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def factors_at(self, indices: ArrayLike) -> NDArray[Any]:
        return self._values[check_indices(indices, len(self))]

    def render(self, indices: Integers) -> Images:
        return self.base.render(self.rows[indices])
