"""A sub-grid of a data set in which some factors are fixed, and are no longer factors."""

from dataclasses import dataclass
from typing import final

import numpy as np

from gordium.datasets.base import Dataset, Images, Wrapper
from gordium.datasets.grid import Grid
from gordium.factors import Factor, Integers
from gordium.fields import Declaration
from gordium.lookup import pick


@final
@dataclass(frozen=True)
class Held(Grid, Wrapper):
    """`base` with the factors named in `values` fixed; made by `dataset.hold(name=value)`."""

    values: tuple[tuple[str, int], ...]

    def __post_init__(self) -> None:
        check_held(self.base, self.values)

    @property
    def factors(self) -> tuple[Factor, ...]:
        held = dict(self.values)
        return tuple(factor for factor in self.base.factors if factor.name not in held)

    @property
    def declaration(self) -> Declaration:
        return {"variant": "held", "base": self.base.declaration, "values": dict(self.values)}

    def render(self, indices: Integers) -> Images:
        return self.base.render(self._base_indices(indices))

    def _base_indices(self, indices: Integers) -> Integers:
        held = dict(self.values)
        free = iter(self.factors_at(indices).T)
        columns = [
            np.full(len(indices), held[factor.name]) if factor.name in held else next(free)
            for factor in self.base.factors
        ]
        return self.base.index_of(np.stack(columns, axis=1))


def check_held(base: Dataset, values: tuple[tuple[str, int], ...]) -> None:
    """Refuse unknown factors, values out of range, and a data set with no factor left."""
    factors = {factor.name: factor for factor in base.factors}
    for name, value in values:
        factor = pick("factor", name, factors)
        if factor.kind == "continuous":
            raise ValueError(f"{name} is a real number, not on a grid: it cannot be held.")
        if not 0 <= value < factor.size:
            raise ValueError(f"{name} must be held at 0 to {factor.size - 1}; got {value}.")
    if len(values) == len(factors):
        raise ValueError("every factor is held; leave a factor free.")
