"""The images of a data set in which some factors are fixed, and are no longer factors."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.datasets.variants.rows import Rows
from gordium.factors import Factor, Integers
from gordium.fields import Declaration
from gordium.lookup import pick


@final
@dataclass(frozen=True)
class Held(Rows):
    """`base` with the factors named in `values` fixed; made by `dataset.hold(name=value)`.

    A value may be given as its label, and becomes the number that the label stands for.
    """

    values: tuple[tuple[str, int | str], ...]

    def __post_init__(self) -> None:
        known = {factor.name: factor for factor in self.base.factors}
        if not self.values:
            raise ValueError(f"say what to hold, e.g. hold({next(iter(known))}=0).")
        held = sorted((name, pick("factor", name, known).place_of(v)) for name, v in self.values)
        object.__setattr__(self, "values", tuple(held))  # the class is frozen
        for name, value in held:
            if not 0 <= value < known[name].size:
                size = known[name].size
                raise ValueError(f"{name} must be held at 0 to {size - 1}; got {value}.")
        if len(held) == len(known):
            raise ValueError("every factor is held; leave a factor free.")
        if not self.base.is_grid and not len(self):
            raise ValueError(f"no image has {dict(held)}: nothing is left.")

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
        names = [factor.name for factor in self.base.factors]
        table = self.base.factors_at(np.arange(len(self.base)))
        fits = [table[:, names.index(name)] == value for name, value in self.values]
        return np.flatnonzero(np.logical_and.reduce(fits))

    def factors_at(self, indices: ArrayLike) -> NDArray[Any]:
        free = [i for i, factor in enumerate(self.base.factors) if factor in self.factors]
        return np.ascontiguousarray(super().factors_at(indices)[:, free])
