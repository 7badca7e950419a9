"""Data sets that hold some of the images of another."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.datasets.base import Dataset, Images, Wrapper
from gordium.datasets.variants.held import check_held
from gordium.factors import Factor, Integers, check_indices
from gordium.fields import Declaration
from gordium.lookup import answer_wrong_calls


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

    @property
    def is_grid(self) -> bool:
        return super(Wrapper, self).is_grid

    def index_of(self, factors: ArrayLike) -> Integers:
        return super(Wrapper, self).index_of(factors)

    @answer_wrong_calls
    def hold(self, **values: int | str) -> Dataset:
        return super(Wrapper, self).hold(**values)

    def __len__(self) -> int:
        return len(self.rows)

    def factors_at(self, indices: ArrayLike) -> NDArray[Any]:
        return self._values[check_indices(indices, len(self))]

    def render(self, indices: Integers) -> Images:
        return self.base.render(self.rows[indices])


@final
@dataclass(frozen=True)
class HeldRows(Rows):
    """The images of a set that is not a grid in which some factors have given values."""

    held: tuple[tuple[str, int], ...]

    def __post_init__(self) -> None:
        check_held(self.base, self.held)
        if not len(self.rows):
            raise ValueError(f"no image has {dict(self.held)}: nothing is left.")

    def choose(self) -> Integers:
        values = self.base.factors_at(np.arange(len(self.base)))
        held = dict(self.held)
        fixed = [i for i, factor in enumerate(self.base.factors) if factor.name in held]
        wanted = [held[self.base.factors[i].name] for i in fixed]
        return np.flatnonzero((values[:, fixed] == wanted).all(axis=1))

    def factors_at(self, indices: ArrayLike) -> NDArray[Any]:
        held = dict(self.held)
        free = [i for i, factor in enumerate(self.base.factors) if factor.name not in held]
        return super().factors_at(indices)[:, free]

    @property
    def factors(self) -> tuple[Factor, ...]:
        return tuple(f for f in self.base.factors if f.name not in dict(self.held))

    @property
    def declaration(self) -> Declaration:
        return {"variant": "held", "base": self.base.declaration, "values": dict(self.held)}
