"""Data sets with one image for each combination of factor values."""

from typing import Any

from numpy.typing import ArrayLike, NDArray

from gordium import factors as arithmetic
from gordium.datasets.base import Dataset
from gordium.factors import Integers


class Grid(Dataset):
    """Images of every combination of factor values, in row-major order (last factor fastest).

    A grid declares `factors` and `image_shape` and renders; all else follows from them.
    """

    def __len__(self) -> int:
        return arithmetic.grid_size(self.factors)

    @property
    def is_grid(self) -> bool:
        return True

    def factors_at(self, indices: ArrayLike) -> NDArray[Any]:
        return arithmetic.factors_at(self.factors, indices)

    def index_of(self, factors: ArrayLike) -> Integers:
        return arithmetic.index_of(self.factors, factors)
