"""A sub-grid of a data set in which a factor takes only some of its values."""

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from gordium.datasets.base import Images, Wrapper
from gordium.datasets.grid import Grid
from gordium.factors import Factor, Integers
from gordium.lookup import pick


@final
@dataclass(frozen=True)
class Narrowed(Grid, Wrapper):
    """`base` with only `values` of `factor`; made by `dataset.narrow(name=values)`.

    A circular factor becomes an ordered one if it loses values: its ends are not neighbours.
    """

    factor: str
    values: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.base.is_grid:
            raise ValueError("values can only be left out of a grid; this data set is not one.")
        factor = pick("factor", self.factor, {f.name: f for f in self.base.factors})
        if len(self.values) < 2 or len(set(self.values)) < len(self.values):
            raise ValueError(
                f"{self.factor} needs at least two values, each once; got {self.values}. One value "
                f"alone is held: hold({self.factor}=...)."
            )
        if not set(self.values) <= set(range(factor.size)):
            raise ValueError(
                f"{self.factor} has the values 0 to {factor.size - 1}; got {self.values}."
            )

    @property
    def factors(self) -> tuple[Factor, ...]:
        return tuple(self._narrow(f) if f.name == self.factor else f for f in self.base.factors)

    def render(self, indices: Integers) -> Images:
        table = self.factors_at(indices)
        column = [f.name for f in self.factors].index(self.factor)
        table[:, column] = np.asarray(self.values)[table[:, column]]
        return self.base.render(self.base.index_of(table))

    def _narrow(self, factor: Factor) -> Factor:
        words = tuple(factor.labels[v] for v in self.values) if factor.labels else ()
        whole = len(self.values) == factor.size
        kind = "ordered" if factor.kind == "circular" and not whole else factor.kind
        return replace(factor, size=len(self.values), kind=kind, labels=words)
