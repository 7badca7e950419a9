"""A data set plus a small change that depends on the factors."""

from dataclasses import dataclass
from typing import Any, Protocol, final

from gordium.datasets._reflect import Floats, check_epsilon, with_change
from gordium.datasets.base import Dataset, Images
from gordium.factors import Factor, Integers


class Change(Protocol):
    """What `Modified` needs: a change for each factor vector, at most `epsilon` in size."""

    @property
    def epsilon(self) -> float: ...

    @property
    def declaration(self) -> dict[str, Any]: ...

    def changes(self, factors: Integers, /) -> Floats:
        """float32 (n, c, h, w) for factors (n, k), in units of the full range of a pixel."""


@final
@dataclass(frozen=True)
class Modified(Dataset):
    """`base` with `change` added to each image, folded back at black and white."""

    base: Dataset
    change: Change

    def __post_init__(self) -> None:
        check_epsilon(self.change.epsilon)

    @property
    def factors(self) -> tuple[Factor, ...]:
        return self.base.factors

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return self.base.image_shape

    @property
    def declaration(self) -> dict[str, Any]:
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
        return with_change(images, lambda part: change[part])
