"""Data sets that are no grid: combinations of factor values may be absent, or come often."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium import factors as grid
from gordium.datasets.base import Dataset, Images, Wrapper
from gordium.factors import Factor, Integers, check_indices
from gordium.lookup import pick


class Partial(Dataset):
    """Images with a table of factor values: whole numbers from 0, or real ones (float64)."""

    @property
    @abstractmethod
    def values(self) -> NDArray[Any]:
        """Factor values (n, k) of all images."""

    def __len__(self) -> int:
        return len(self.values)

    @property
    def is_grid(self) -> bool:
        if any(factor.kind == "continuous" for factor in self.factors):
            return False
        n = grid.grid_size(self.factors)
        return len(self) == n and len(self._known[0]) == n

    def factors_at(self, indices: ArrayLike) -> NDArray[Any]:
        return self.values[check_indices(indices, len(self))]

    def index_of(self, factors: ArrayLike) -> Integers:
        """The first image of each combination of values; an absent one is a ValueError."""
        places, first = self._known
        wanted = grid.index_of(self.factors, factors)
        at = np.minimum(np.searchsorted(places, wanted), len(places) - 1)
        absent = np.flatnonzero(places[at] != wanted)
        if absent.size:
            values = np.asarray(factors)[absent[0]].tolist()
            names = ", ".join(f"{f.name} {v}" for f, v in zip(self.factors, values, strict=True))
            raise ValueError(f"no image has {names}: not every combination is there.")
        return first[at]

    @cached_property
    def _known(self) -> tuple[Integers, Integers]:
        """Places in the grid that have an image, sorted, and their first images."""
        if any(factor.kind == "continuous" for factor in self.factors):
            raise ValueError(
                "some factors are real numbers, so no image is found by its values. Pairs of "
                "images, held factors and manipulations need a grid."
            )
        if grid.grid_size(self.factors) >= 2**62:
            raise ValueError("the factors have too many combinations of values to number.")
        places, first = np.unique(grid.index_of(self.factors, self.values), return_index=True)
        return places, first

    def hold(self, **values: int) -> Dataset:
        """The images in which the named factors have one value; they leave `factors`."""
        return HeldRows(self, tuple(sorted((name, index(value)) for name, value in values.items())))


class Content(NamedTuple):
    """Images (n, c, h, w), uint8 or float32 in [0, 1], their factor values (n, k), and factors."""

    images: Images
    values: NDArray[Any]
    factors: tuple[Factor, ...]


class Collection(Partial):
    """Images and factor values in memory, read at first use by `read`, and kept."""

    @abstractmethod
    def read(self) -> Content: ...

    @cached_property
    def content(self) -> Content:
        return self.read()

    @property
    def values(self) -> NDArray[Any]:
        return self.content.values

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

    def render(self, indices: Integers) -> Images:
        return self.content.images[indices]


@dataclass(frozen=True)
class Rows(Partial, Wrapper):
    """Some images of another data set: those of `rows`, a function of the declaration."""

    @abstractmethod
    def choose(self) -> Integers:
        """Indices of `base`."""

    @cached_property
    def rows(self) -> Integers:
        return self.choose()

    @cached_property
    def base_values(self) -> NDArray[Any]:
        return self.base.factors_at(self.rows)

    @property
    def values(self) -> NDArray[Any]:
        return self.base_values

    def render(self, indices: Integers) -> Images:
        return self.base.render(self.rows[indices])


@dataclass(frozen=True)
class HeldRows(Rows):
    """The images of a set that is no grid in which some factors have one value."""

    held: tuple[tuple[str, int], ...]

    def __post_init__(self) -> None:
        sizes = {factor.name: factor.size for factor in self.base.factors}
        for name, value in self.held:
            size = pick("factor", name, sizes)
            if not 0 <= value < size:
                raise ValueError(f"{name} must be held at 0 to {size - 1}; got {value}.")
        if not len(self.rows):
            raise ValueError(f"no image has {dict(self.held)}: nothing is left.")
        if len(self.held) == len(sizes):
            raise ValueError("every factor is held; leave a factor free.")

    @property
    def _columns(self) -> dict[str, int]:
        return {factor.name: i for i, factor in enumerate(self.base.factors)}

    def choose(self) -> Integers:
        values = self.base.factors_at(np.arange(len(self.base)))
        chosen = np.ones(len(values), bool)
        for name, value in self.held:
            chosen &= values[:, self._columns[name]] == value
        return np.flatnonzero(chosen)

    @property
    def values(self) -> NDArray[Any]:
        free = [i for name, i in self._columns.items() if name not in dict(self.held)]
        return self.base_values[:, free]

    @property
    def factors(self) -> tuple[Factor, ...]:
        return tuple(f for f in self.base.factors if f.name not in dict(self.held))

    @property
    def declaration(self) -> dict[str, Any]:
        return {"variant": "held", "base": self.base.declaration, "values": dict(self.held)}
