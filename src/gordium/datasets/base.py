"""What every data set is: factors, an image shape, and images by index."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from operator import index
from typing import Any

from numpy.typing import ArrayLike, NDArray

from gordium import factors as grid
from gordium.factors import Factor, Integers

Images = NDArray[Any]  # uint8, or float32 where samples are vectors of real numbers
SIZES = range(16, 129)


def check_size(size: int) -> None:
    """Built-in sets are rendered at any size in `SIZES`; smaller ones show nothing."""
    if not isinstance(size, int) or size not in SIZES:
        raise ValueError(
            f"size must be a whole number of pixels from {SIZES[0]} to {SIZES[-1]}; got {size!r}."
        )


class Dataset(ABC):
    """Images of every combination of factor values, in row-major order (last factor fastest).

    A data set declares `factors` and `image_shape` and renders; all else follows from them.
    """

    @property
    @abstractmethod
    def factors(self) -> tuple[Factor, ...]: ...

    @property
    @abstractmethod
    def image_shape(self) -> tuple[int, int, int]:
        """Channels, height, width."""

    @property
    @abstractmethod
    def declaration(self) -> dict[str, Any]:
        """What makes this data set again: JSON for `declared`, and part of a run's name."""

    @abstractmethod
    def render(self, indices: Integers) -> Images:
        """Images (n, c, h, w) of indices that were checked: any order, repeats allowed."""

    def __len__(self) -> int:
        return grid.grid_size(self.factors)

    @property
    def is_grid(self) -> bool:
        """Whether each combination of factor values has exactly one image."""
        return True

    @property
    def itemsize(self) -> int:
        """Bytes of one value of an image."""
        return 1

    def images(self, indices: ArrayLike) -> Images:
        """uint8 images (n, c, h, w) of grid indices, in the order given."""
        return self.render(grid.check_indices(indices, len(self)))

    def factors_at(self, indices: ArrayLike) -> NDArray[Any]:
        """Factor values (n, k) of indices: whole numbers on a grid."""
        return grid.factors_at(self.factors, indices)

    def index_of(self, factors: ArrayLike) -> Integers:
        """Grid indices of factor values (n, k)."""
        return grid.index_of(self.factors, factors)

    def hold(self, **values: int) -> "Dataset":
        """The sub-grid in which the named factors keep one value; they leave `factors`."""
        from gordium.datasets.held import Held  # a wrapper is a Dataset: it imports this file

        return Held(self, tuple(sorted((name, index(value)) for name, value in values.items())))


@dataclass(frozen=True)
class Wrapper(Dataset):
    """A data set made of another one, with its images' number, factors and shape."""

    base: Dataset

    @property
    def factors(self) -> tuple[Factor, ...]:
        return self.base.factors

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return self.base.image_shape

    @property
    def is_grid(self) -> bool:
        return self.base.is_grid

    @property
    def itemsize(self) -> int:
        return self.base.itemsize

    def __len__(self) -> int:
        return len(self.base)

    def factors_at(self, indices: ArrayLike) -> NDArray[Any]:
        return self.base.factors_at(indices)

    def index_of(self, factors: ArrayLike) -> Integers:
        return self.base.index_of(factors)
