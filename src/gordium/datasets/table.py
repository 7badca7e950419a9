"""Data sets that are a table of samples and no grid: real vectors with real factors."""

from abc import abstractmethod
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.datasets.base import Dataset, Images
from gordium.factors import Factor, Integers, check_indices

DRAWN = "drawn"


class Samples(NamedTuple):
    """Vectors (n, d) as float32 and the factor values (n, k) behind them; rows are samples."""

    points: NDArray[np.float32]
    values: NDArray[np.float64]


@dataclass(frozen=True)
class Table(Dataset):
    """A drawn sample of real vectors; a vector of d numbers is an image of d channels, 1 x 1.

    A subclass declares its `name`, its factors' names and `draw`; a frozen dataclass, whose
    fields are its declaration. Samples are drawn at first use and kept.
    """

    name: ClassVar[str]
    factor_names: ClassVar[tuple[str, ...]]

    @abstractmethod
    def draw(self) -> Samples:
        """All samples, a function of the fields alone."""

    @cached_property
    def samples(self) -> Samples:
        return self.draw()

    @property
    def factors(self) -> tuple[Factor, ...]:
        return tuple(Factor(name, 0, kind="continuous") for name in self.factor_names)

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (self.samples.points.shape[1], 1, 1)

    @property
    def declaration(self) -> dict[str, Any]:
        options = {f.name: getattr(self, f.name) for f in fields(self)}
        return {"name": self.name, "options": options, "source": DRAWN}

    @property
    def is_grid(self) -> bool:
        return False

    @property
    def itemsize(self) -> int:
        return 4

    def __len__(self) -> int:
        return len(self.samples.points)

    def render(self, indices: Integers) -> Images:
        return self.samples.points[indices, :, None, None]

    def factors_at(self, indices: ArrayLike) -> NDArray[Any]:
        return self.samples.values[check_indices(indices, len(self))]

    def index_of(self, factors: ArrayLike) -> NoReturn:
        raise ValueError(
            f"{self.name} is a sample of real factors and no grid: no index has given values. "
            "Pairs of images, held factors and manipulations need a grid."
        )

    def hold(self, **values: int) -> NoReturn:
        self.index_of([])
