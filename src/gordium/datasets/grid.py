"""Data sets with one image for each combination of factor values."""

from collections.abc import Sequence
from operator import index
from typing import Any

from numpy.typing import ArrayLike, NDArray

from gordium import factors as arithmetic
from gordium.datasets.base import Dataset, sort_held
from gordium.factors import Integers
from gordium.lookup import answer_wrong_calls


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

    @answer_wrong_calls
    def hold(self, **values: int | str) -> Dataset:
        """Keep the sub-grid in which the named factors have these values; they leave `factors`."""
        from gordium.datasets.variants.held import Held  # which is a grid: it imports this file

        return Held(self, sort_held(values, self.factors))

    @answer_wrong_calls
    def narrow(self, **values: Sequence[int]) -> Dataset:
        """Keep the sub-grid in which the named factors take only the given values.

        >>> from gordium.datasets import load_dataset
        >>> sprites = load_dataset("dsprites").narrow(y=range(12, 20))
        >>> [(factor.name, factor.size) for factor in sprites.factors][-2:]
        [('x', 32), ('y', 8)]
        """
        from gordium.datasets.variants.narrowed import Narrowed  # a grid too

        found: Dataset = self
        for name, kept in values.items():
            found = Narrowed(found, name, tuple(map(index, kept)))
        return found
