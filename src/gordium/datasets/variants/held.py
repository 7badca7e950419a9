"""The images of a data set in which some factors are fixed, and are no longer factors."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.datasets.variants.rows import Rows, have_values
from gordium.factors import Factor, Integers, column_of
from gordium.fields import Declaration


@final
@dataclass(frozen=True)
class Held(Rows):
    """`base` with the factors named in `values` fixed; made by `dataset.hold(name=value)`.

    A value may be given as its label, and becomes the number that the label stands for.
    """

    values: tuple[tuple[str, int | str], ...]

    def __post_init__(self) -> None:
        factors = self.base.factors
        if not self.values:
            raise ValueError(f"say what to hold, e.g. hold({factors[0].name}=0).")
        held = {}
        for name, value in sorted(self.values):
            factor = factors[column_of(factors, name)]
            held[name] = factor.place_of(value)
            if not 0 <= held[name] < factor.size:
                raise ValueError(f"{name} must be held at 0 to {factor.size - 1}; got {value}.")
        object.__setattr__(self, "values", tuple(held.items()))  # the class is frozen
        if len(held) == len(factors):
            raise ValueError("every factor is held; leave a factor free.")
        if not self.base.is_grid and not len(self):
            raise ValueError(f"no image has {held}: nothing is left.")

    @property
    def declaration(self) -> Declaration:
        return {"variant": "held", "base": self.base.declaration, "values": dict(self.values)}

    @property
    def is_grid(self) -> bool:
        return self.base.is_grid or super().is_grid

    @property
    def factors(self) -> tuple[Factor, ...]:
        return tuple(factor for factor in self.base.factors if factor.name not in dict(self.values))

    def choose(self) -> Integers:
        return np.flatnonzero(have_values(self.base, dict(self.values)))

    def factors_at(self, indices: ArrayLike) -> NDArray[Any]:
        free = [i for i, factor in enumerate(self.base.factors) if factor in self.factors]
        return np.ascontiguousarray(super().factors_at(indices)[:, free])
