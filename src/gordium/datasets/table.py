"""Data sets of random samples: real vectors with real factors."""

from abc import abstractmethod
from dataclasses import dataclass, fields
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gordium.arrays import Floats
from gordium.datasets.collection import Collection, Content
from gordium.factors import Factor
from gordium.fields import Declaration

DRAWN = "drawn"


class Samples(NamedTuple):
    """Vectors (n, d) as float32 and the factor values (n, k) behind them; rows are samples."""

    points: NDArray[np.float32]
    values: Floats


@dataclass(frozen=True)
class Table(Collection):
    """A random sample of real vectors; a vector of d numbers is an image of d channels, 1 x 1.

    A subclass is a frozen dataclass, whose fields are its declaration, and gives its `name`, its
    factors' names and `draw`. Samples are drawn at their first use and kept.
    """

    name: ClassVar[str]
    factor_names: ClassVar[tuple[str, ...]]

    @abstractmethod
    def draw(self) -> Samples:
        """Draw all samples; they must follow from the fields alone."""

    @cached_property
    def samples(self) -> Samples:
        """The result of `draw`, which is called once."""
        return self.draw()

    def read(self) -> Content:
        points, values = self.samples
        return Content(points[:, :, None, None], values, self.factors)

    @property
    def factors(self) -> tuple[Factor, ...]:
        return tuple(Factor(name, 0, kind="continuous") for name in self.factor_names)

    @property
    def declaration(self) -> Declaration:
        options = {f.name: getattr(self, f.name) for f in fields(self)}
        return {"name": self.name, "options": options, "source": DRAWN}
