"""Factors as nuisances: they vary from image to image, and no metric scores them."""

from dataclasses import dataclass, replace
from typing import final

from gordium.datasets.base import Images, Overlay
from gordium.factors import Factor, Integers, column_of


@final
@dataclass(frozen=True)
class Marginalised(Overlay):
    """`base` with the factors called `names` not scored; made by `dataset.marginalise(...)`."""

    names: tuple[str, ...]

    def __post_init__(self) -> None:
        for name in self.names:
            column_of(self.base.factors, name)
        if not any(factor.scored for factor in self.factors):
            raise ValueError("every factor is a nuisance, so none is left to score.")

    @property
    def factors(self) -> tuple[Factor, ...]:
        return tuple(
            replace(factor, scored=False) if factor.name in self.names else factor
            for factor in self.base.factors
        )

    def render(self, indices: Integers) -> Images:
        return self.base.render(indices)
