"""Data sets that lie in memory: all images and all factor values as two arrays."""

from abc import abstractmethod
from functools import cached_property
from typing import Any, NamedTuple

from numpy.typing import ArrayLike, NDArray

from gordium.datasets.base import Dataset, Images
from gordium.factors import Factor, Integers, check_indices


class Content(NamedTuple):
    """Images (n, c, h, w), uint8 or float32, their factor values (n, k), and the factors."""

    images: Images
    values: NDArray[Any]
    factors: tuple[Factor, ...]


class Collection(Dataset):
    """Images and factor values in memory, which `read` loads at their first use."""

    @abstractmethod
    def read(self) -> Content:
        """Load all images and factor values."""

    @cached_property
    def content(self) -> Content:
        """The result of `read`, which is called once."""
        return self.read()

    @property
    def factors(self) -> tuple[Factor, ...]:
        return self.content.factors

    @property
    def image_shape(self) -> tuple[int, int, int]:
        channels, height, width = self.content.images.shape[1:]
        return (channels, height, width)

    @property
    def itemsize(self) -> int:
        return self.content.images.itemsize

    @property
    def is_in_memory(self) -> bool:
        return True

    def __len__(self) -> int:
        return len(self.content.values)

    def factors_at(self, indices: ArrayLike) -> NDArray[Any]:
        return self.content.values[check_indices(indices, len(self))]

    def render(self, indices: Integers) -> Images:
        return self.content.images[indices]
