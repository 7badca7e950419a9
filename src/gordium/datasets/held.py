"""A sub-grid of a data set: some factors keep one value and are factors no more."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from gordium.datasets.base import Dataset, Images
from gordium.factors import Factor, Integers
from gordium.lookup import pick


@final
@dataclass(frozen=True)
class Held(Dataset):
    """`base` with the factors named in `values` fixed; made by `dataset.hold(name=value)`."""

    base: Dataset
    values: tuple[tuple[str, int], ...]

    def __post_init__(self) -> None:
        sizes = {factor.name: factor.size for factor in self.base.factors}
        for name, value in self.values:
            size = pick("factor", name, sizes)
            if not 0 <= value < size:
                raise ValueError(f"{name} must be held at 0 to {size - 1}; got {value}.")
        if len(self.values) == len(sizes):
            raise ValueError("every factor is held, so one image is left; leave a factor free.")

    @property
    def factors(self) -> tuple[Factor, ...]:
        held = dict(self.values)
        return tuple(factor for factor in self.base.factors if factor.name not in held)

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return self.base.image_shape

    @property
    def declaration(self) -> dict[str, Any]:
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
