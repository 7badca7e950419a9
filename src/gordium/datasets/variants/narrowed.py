"""A sub-grid of a data set in which a factor takes only some of its values."""

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from gordium.datasets.base import Images, Wrapper
from gordium.datasets.grid import Grid
from gordium.factors import Factor, Integers, column_of


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
        size = self.base.factors[self._column].size
        if len(self.values) < 2 or len(set(self.values)) < len(self.values):
            raise ValueError(
                f"{self.factor} needs at least two values, each once; got {self.values}. One value "
                f"alone is held: hold({self.factor}=...)."
            )
        if not set(self.values) <= set(range(size)):
            raise ValueError(f"{self.factor} has the values 0 to {size - 1}; got {self.values}.")

    @property
    def _column(self) -> int:
        return column_of(self.base.factors, self.factor)

    @property
    def factors(self) -> tuple[Factor, ...]:
        found, factor = list(self.base.factors), self.base.factors[self._column]
        words = tuple(factor.labels[v] for v in self.values) if factor.labels else ()
        whole = len(self.values) == factor.size
        kind = "ordered" if factor.kind == "circular" and not whole else factor.kind
        found[self._column] = replace(factor, size=len(self.values), kind=kind, labels=words)
        return tuple(found)

    def render(self, indices: Integers) -> Images:
        table = self.factors_at(indices)
        table[:, self._column] = np.asarray(self.values)[table[:, self._column]]
        return self.base.render(self.base.index_of(table))
