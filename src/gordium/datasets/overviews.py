"""What is known of a data set before its files are there."""

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

from gordium.datasets.base import Dataset
from gordium.factors import Factor


class Overview(NamedTuple):
    """A data set in a line: its images, their bytes each, and where they come from."""

    n_images: int
    image_shape: tuple[int, int, int]
    factors: tuple[Factor, ...]
    source: str
    itemsize: int = 1

    @property
    def n_bytes(self) -> int:
        """How much memory all images take."""
        return self.n_images * prod(self.image_shape) * self.itemsize


def describe(kind: Callable[..., Dataset]) -> Overview:
    """The data set with its default options; one whose files are absent, as it was published."""
    try:
        data = kind()
    except FileNotFoundError:
        absent: Any = kind  # only sets that are read from files raise this, and they have facts
        facts: Overview = absent.describe_absent()
        return facts
    source = data.declaration["source"]
    return Overview(len(data), data.image_shape, data.factors, source, data.itemsize)
