"""A data set plus a small change that depends on the factors."""

from dataclasses import dataclass
from typing import Protocol, final

from gordium.datasets.base import Images
from gordium.datasets.variants.reflect import Altered, Floats, add_change
from gordium.factors import Factor, Integers
from gordium.fields import Declaration


class Change(Protocol):
    """What `Modified` needs: a change for each factor vector, at most `epsilon` in size."""

    @property
    def factors(self) -> tuple[Factor, ...]:
        """The factors that the change is a function of."""

    @property
    def epsilon(self) -> float:
        """The largest change of a pixel."""

    @property
    def declaration(self) -> Declaration:
        """JSON from which the change is found again; part of a run's key."""

    def changes(self, factors: Integers, /) -> Floats:
        """float32 (n, c, h, w) for factors (n, k), in units of the full range of a pixel."""


@final
@dataclass(frozen=True)
class Modified(Altered):
    """`base` with `change` added to each image, folded back at black and white."""

    change: Change

    def __post_init__(self) -> None:
        self.check(self.change.epsilon)
        if self.change.factors != self.base.factors:
            raise ValueError(
                f"the change was made for the factors {_names(self.change.factors)}; the data "
                f"set has {_names(self.base.factors)}. Hold the same factors as there."
            )

    @property
    def declaration(self) -> Declaration:
        return {
            "variant": "modified",
            "base": self.base.declaration,
            "change": self.change.declaration,
        }

    def render(self, indices: Integers) -> Images:
        images = self.base.render(indices)
        change = self.change.changes(self.base.factors_at(indices))
        if change.shape != images.shape:
            raise ValueError(
                f"changes must be one per image, {images.shape}; the change gave {change.shape}. "
                "It was made for another data set or size."
            )
        return add_change(images, lambda part: change[part])


def _names(factors: tuple[Factor, ...]) -> str:
    return ", ".join(f"{factor.name} ({factor.size})" for factor in factors)
